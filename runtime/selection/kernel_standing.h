// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/device.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/execution_rules.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <optional>
#include <string>

namespace halyard::selection {

// Fills in what the store and the trusted keys say of a candidate here (its state, and which of its
// evidence is stale), and gives the sentence with which the rules refuse it; nothing when it may
// run. A promotion counts as verified where its conditions do not hold at the request's axes, one
// over an axis without a value included. What of the store cannot be read is logged, and asked for
// again soon: a kernel of the store is refused without its history or the approvals that it may
// need, a bundled one counts as one that nobody has verified, and evidence counts as stale.
std::optional<std::string> refusal_by_rules(Instance& instance, const core::Device& device,
                                            const BoundRequest& request,
                                            const ExecutionRules& rules, Candidate& candidate);

}  // namespace halyard::selection
