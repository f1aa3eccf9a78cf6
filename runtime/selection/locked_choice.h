// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/execution_rules.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <vector>

namespace halyard::selection {

// The binary that the lock file pins for a candidate, where it is there; else the one it has. Rules
// judge a candidate with its binary, so this comes first.
const store::KernelBuild* pinned_build(const ExecutionRules& rules, const BoundRequest& request,
                                       const Candidate& candidate);

// Refuses every candidate but those that the lock file pins for the request with just that binary,
// if it pins any. Errors: kNoKernel for a pinned kernel that is not here.
base::Status hold_to_lock(Instance& instance, const core::Device& device,
                          const BoundRequest& request, const ExecutionRules& rules,
                          std::vector<Candidate>& candidates);

}  // namespace halyard::selection
