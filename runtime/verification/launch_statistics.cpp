// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/launch_statistics.h"

#include "runtime/base/text.h"
#include "runtime/verification/checked_launch.h"

#include <vector>

namespace halyard::verification {

base::Result<std::string> launch_statistics(Runner& runner, const ShapePlanDesc& shapes) {
  HALYARD_TRY_ASSIGN(const std::vector<PlannedShape> planned, plan_shapes(shapes));
  const PlannedShape* largest = nullptr;
  for (const PlannedShape& shape : planned) {
    if (shape.origin == ShapeOrigin::kHeldOut) continue;
    if (largest == nullptr || shape.steps > largest->steps) largest = &shape;
  }
  if (largest == nullptr) return std::string("there is no shape that may be shown");
  HALYARD_TRY_ASSIGN(CheckedLaunch launch,
                     CheckedLaunch::create(*largest, {InputFamily::kNormal, 0}, shapes.seed, {}));
  HALYARD_TRY_ASSIGN(const std::vector<TensorMemory> memory,
                     runner.place({&largest->problem, largest->launch_axes, launch.scalars()}));
  launch.arm(memory, shapes.seed);
  HALYARD_TRY_ASSIGN(const LaunchOutcome outcome, runner.launch());
  return base::concat("with ", axes_text(largest->axes), ": ", outcome.message);
}

}  // namespace halyard::verification
