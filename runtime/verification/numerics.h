// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "runtime/verification/runner.h"
#include "runtime/verification/shape_plan.h"
#include "runtime/verification/verdict.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace halyard::verification {

struct NumericsDesc {
  ShapePlanDesc shapes;  // Its seed draws the inputs too.
  // With bytes: also shapes with tensors of more than 2^31 elements, within these limits.
  ShapeLimits large;
  bool normal_inputs_only = false;  // A kernel that computes nothing must fail with these.
  std::int64_t check_multiply_adds = 30'000'000;  // Of the reference, for one launch.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct NumericsResult {
  std::optional<Finding> finding;            // None: nothing is wrong.
  std::vector<store::EvidenceCheck> checks;  // One for each shape that passed and may be shown.
  std::uint64_t launches = 0;
};

// The stage of wrong values: edge, visible and held-out shapes, from small to large, with the input
// families that the contract has; inputs changed between launches; late launches of a long run.
// What fails is made smaller. Past the deadline the finding is kUndecided.
// Errors: the runner's; UNSUPPORTED for a contract without a reference.
base::Result<NumericsResult> run_numerics(Runner& runner, const NumericsDesc& desc);

}  // namespace halyard::verification
