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

// Refuses every candidate but those that the lock file pins for the request, if it pins any, and
// takes the binary that it names. Errors: kNoKernel for a pinned kernel that is not here.
base::Status hold_to_lock(Instance& instance, const core::Device& device,
                          const BoundRequest& request, const ExecutionRules& rules,
                          std::vector<Candidate>& candidates);

}  // namespace halyard::selection
