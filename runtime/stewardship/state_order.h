// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/trust/signing_key.h"
#include "runtime/base/result.h"
#include "runtime/stewardship/stewarded_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::stewardship {

enum class StateAction : std::uint8_t { kPromote, kQuarantine, kRetire, kRollBack };

// What somebody wants to become of a kernel.
struct StateOrder {
  StateAction action = StateAction::kPromote;
  std::string kernel;  // As find_kernel() takes it.
  std::string target;
  // Without it the evidence's driver to promote, all to quarantine and to retire, and those of the
  // last entry to roll back.
  std::optional<store::DriverRange> drivers;
  std::vector<std::string> where;
  std::uint32_t share_percent = 100;
  std::optional<std::string> evidence;
  std::string who;
  std::string why;
  const store::SigningKey* key = nullptr;  // Signs an approval of the state.
  std::int64_t approval_expires_ms = 0;    // 0 for never.
};

struct StateOutcome {
  NamedKernel kernel;
  store::StateChange change;
  bool changed = false;  // False when the history says so already.
  std::optional<store::Approval> approval;
};

// Carries an order out. Errors: as find_kernel(); kInvalidArgument for a target that the kernel is
// not for and a condition over names that are no axes; kPermissionDenied by judge_transition(), for
// evidence that does not serve, and for an approval of a state that takes none.
base::Result<StateOutcome> carry_out(const StewardedStore& stewarded, const StateOrder& order);

// The user and the host: "ana@forge".
std::string this_person();

}  // namespace halyard::stewardship
