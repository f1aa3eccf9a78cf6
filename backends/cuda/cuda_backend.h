// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend.h"

#include <memory>

namespace halyard::cuda {

std::unique_ptr<core::Backend> create_cuda_backend(const core::BackendContext& context);

}  // namespace halyard::cuda
