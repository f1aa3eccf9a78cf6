// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/runner.h"
#include "runtime/verification/shape_plan.h"
#include "runtime/verification/verdict.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace halyard::verification {

struct StabilityDesc {
  ShapePlanDesc shapes;
  std::uint64_t repeats = 20;           // Of each launch.
  std::int64_t most_steps = 2'000'000;  // Of a launch, where a shape has so few.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct StabilityResult {
  std::optional<Finding> finding;  // None: each launch gave its answer each time.
  std::uint64_t launches = 0;
};

// The same launches again and again, in an order that is shuffled each time, between others that
// leave other values in the memory, at either fence, and in fresh processes. Answers must be the
// same bit for bit where the contract's determinism is bitwise, and else within its tolerance.
// Errors: the runner's; as run_numerics().
base::Result<StabilityResult> run_stability(Runner& runner, const StabilityDesc& desc);

}  // namespace halyard::verification
