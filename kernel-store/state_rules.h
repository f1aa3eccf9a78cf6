// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace halyard::store {

// What becomes of an entry that is to be appended to a history.
enum class Transition : std::uint8_t {
  kAppend,
  kUnchanged,  // The history says so already.
};

// Judges `next` after `history`, the entries of its kernel and target, the oldest first. Each
// engine asks this in the transaction that appends, so that of two processes that promote one wins.
//
// The entry in force is the last one in effect whose drivers contain all of those of `next`; beside
// it stand later ones for a part of them.
//   candidate    from nothing; unchanged in all up to promoted
//   self-tested  from nothing and candidate; unchanged in all up to promoted
//   verified     with evidence, from all but retired; from quarantined with evidence that the
//                history does not name yet; unchanged in promoted, and with the same evidence
//   promoted     with evidence, where one of the drivers at least is verified; from promoted with
//                other conditions or a larger share; unchanged with the same of both
//   quarantined  from all but retired; unchanged in quarantined
//   retired      from all; unchanged in retired
// None but the last two passes over an entry beside that is further down in this list.
// A reverting entry takes back the one in force, whose sequence it names, for just its drivers; it
// is as reverting_change() makes it. One that is taken back already is unchanged.
//
// Errors: kPermissionDenied with the state in force and what it takes; kInvalidArgument for a share
// outside 1 to 100, a range turned round, and conditions or a share of what is not promoted.
base::Result<Transition> judge_transition(std::span<const StateChange> history,
                                          const StateChange& next);

// The entry that takes back the one in force for `drivers`, or without them the last one in effect;
// `history` is of one kernel and target. Who and why are the caller's to fill in.
// Errors: kNotFound when nothing is in force; kPermissionDenied for a quarantine, which only new
// evidence ends.
base::Result<StateChange> reverting_change(std::span<const StateChange> history,
                                           const std::optional<DriverRange>& drivers);

}  // namespace halyard::store
