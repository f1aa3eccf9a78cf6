// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend.h"

#include <memory>
#include <span>

namespace halyard::hip {

std::unique_ptr<core::Backend> create_hip_backend(const core::BackendSettings& settings);

// The same over the first of these libraries that there is; the names live for ever.
std::unique_ptr<core::Backend> create_hip_probe(std::span<const char* const> library_names);

// The names of the driver's library, best first.
std::span<const char* const> hip_library_names();

}  // namespace halyard::hip
