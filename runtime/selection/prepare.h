// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/operation.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <string>

namespace halyard::selection {

// Chooses, tests, loads. Errors: as bind_request(); NO_KERNEL with why each candidate was refused,
// after noting a request in the store; OUT_OF_MEMORY; DEVICE_LOST.
base::Result<base::Ref<dispatch::Operation>> prepare(Instance& instance, core::Device& device,
                                                     const PrepareRequest& request);

// What prepare() would choose as far as can be told without running anything, as
// halyard.explanation/1.
base::Result<std::string> explain(Instance& instance, core::Device& device,
                                  const PrepareRequest& request);

// Chooses again for an operation; true when it took another kernel. On failure it is unchanged.
base::Result<bool> refresh(Instance& instance, core::Device& device,
                           dispatch::Operation& operation);

}  // namespace halyard::selection
