// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_id.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace halyard::store {

enum class KernelState : std::uint8_t {
  kCandidate,
  kSelfTested,
  kVerified,
  kPromoted,
  kQuarantined,
  kRetired,
};

// "candidate", "self-tested", …
std::string_view kernel_state_name(KernelState state);
std::optional<KernelState> kernel_state_from_name(std::string_view name);

// Driver ids from `first` to `last`, both included; an empty end is open. Runs of digits compare as
// numbers, so "mesa 22.3.6" < "mesa 22.10.0".
struct DriverRange {
  std::string first;
  std::string last;

  bool contains(std::string_view driver) const;
  bool operator==(const DriverRange&) const = default;
};

// One entry of a kernel's append-only history.
struct StateChange {
  KernelId kernel{};
  std::string target;
  DriverRange drivers;
  KernelState state = KernelState::kCandidate;
  std::string who;
  std::string why;
  std::optional<EvidenceId> evidence;
  std::int64_t time_ms = 0;  // Since 1970 UTC; set by the store when 0.
};

// The entry of `history` (the oldest first) that decides for `target` and `driver`: the last one
// that covers both; null without one, which is a candidate. Borrowed from `history`.
const StateChange* last_change(std::span<const StateChange> history, std::string_view target,
                               std::string_view driver);

}  // namespace halyard::store
