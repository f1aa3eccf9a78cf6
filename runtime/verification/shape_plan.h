// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/planned_shape.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace halyard::verification {

struct ShapeBudget {
  ShapeLimits edge{1'500'000, std::int64_t{8} << 20};       // Of one shape.
  ShapeLimits visible{32'000'000, std::int64_t{64} << 20};  // Of one shape.
  std::int64_t visible_steps = 60'000'000;                  // Of all visible shapes.
  std::size_t held_out = 12;                                // Shapes, each within `edge`.
  // Of all shapes that may be shown, and of all held-out ones: the cheapest stay, some always.
  std::int64_t all_steps = std::numeric_limits<std::int64_t>::max();
};

struct ShapePlanDesc {
  base::Ref<const operators::Contract> contract;
  operators::TypeBindings types;
  ServesLaunch serves;     // Empty: every launch.
  std::uint64_t seed = 0;  // Secret; of the held-out shapes.
  ShapeBudget budget;
};

// The shapes of a verification: edges and visible ones by rising cost, then held-out ones by rising
// cost. The same for the same description. Empty when the kernel serves none of them.
// Errors: INVALID_ARGUMENT for a workload that cannot be evaluated.
base::Result<std::vector<PlannedShape>> plan_shapes(const ShapePlanDesc& desc);

// For each launch axis the smallest shape in which a tensor has more than 2^31 elements by its
// length, least bytes first; `limits` as in ShapeMaker::make().
std::vector<PlannedShape> plan_large_shapes(const ShapePlanDesc& desc, const ShapeLimits& limits);

}  // namespace halyard::verification
