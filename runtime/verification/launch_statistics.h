// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/verification/runner.h"
#include "runtime/verification/shape_plan.h"

#include <string>

namespace halyard::verification {

// What the device counts in one launch of the largest of these shapes that may be shown: "with
// batch = 8, hidden = 1024: …"; why there is nothing otherwise. The runner is of an emulated device
// and asks for statistics. Errors: the runner's; those of plan_shapes().
base::Result<std::string> launch_statistics(Runner& runner, const ShapePlanDesc& shapes);

}  // namespace halyard::verification
