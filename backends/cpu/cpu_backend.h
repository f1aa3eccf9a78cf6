// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend.h"

#include <memory>

namespace halyard::cpu {

// The backend "cpu" of one device: kernels are shared objects, run on the calling thread and on
// pinned workers. HALYARD_CPU_THREADS caps the CPUs in use.
std::unique_ptr<core::Backend> create_cpu_backend(const core::BackendSettings& settings);

}  // namespace halyard::cpu
