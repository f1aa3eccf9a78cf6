// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/confinement_policy.h"
#include "runtime/worker/sandbox.h"

#include <string>
#include <vector>

namespace halyard::worker {

// How a description is carried out: the program to start, and what the guard in it is told.
struct SandboxPlan {
  ConfinementPolicy policy;
  std::vector<std::string> arguments;  // bubblewrap's, or the guard's own
  int policy_file = 3;                 // its number in the process
};

// Where bubblewrap is; empty when it is not installed.
std::string bubblewrap_program();
// The program of the guard, which stands beside `worker_program`.
std::string confine_program(const std::string& worker_program);

// Errors: INVALID_ARGUMENT for what a description cannot mean at this level.
base::Result<SandboxPlan> plan_sandbox(const std::string& worker_program, Isolation isolation,
                                       const SandboxDesc& desc);

}  // namespace halyard::worker
