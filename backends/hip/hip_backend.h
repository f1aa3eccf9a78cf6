// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend.h"

#include <memory>

namespace halyard::hip {

std::unique_ptr<core::Backend> create_hip_backend(const core::BackendContext& context);

}  // namespace halyard::hip
