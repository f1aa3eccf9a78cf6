// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/worker/confinement_policy.h"
#include "runtime/worker/setup_failure.h"

#include <optional>
#include <vector>

namespace halyard::worker {

// The version of the kernel's interface; 0 when there is none or it is switched off.
int landlock_abi();

// From this version on, a restricted process can signal only those of its own restriction.
inline constexpr int kLandlockAbiOfSignals = 6;

// A restriction in the making, for the calling thread and all that it starts.
class LandlockRules {
 public:
  // Handles all rights that the kernel knows.
  std::optional<SetupFailure> create();
  // A path that does not exist is a failure.
  std::optional<SetupFailure> allow(const PathRule& rule);
  // For good. Needs no_new_privs.
  std::optional<SetupFailure> restrict_self() const;

 private:
  int abi_ = 0;
  base::FileDescriptor rules_;
};

}  // namespace halyard::worker
