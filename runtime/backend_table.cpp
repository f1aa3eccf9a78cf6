// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_table.h"

#include "backends/cpu/cpu_backend.h"
#include "backends/cuda/cuda_backend.h"
#include "backends/emulator/emulator_backend.h"
#include "backends/hip/hip_backend.h"
#include "backends/vulkan/vulkan_backend.h"

#include <array>

namespace halyard {

std::span<const core::NamedBackendFactory> backend_table() {
  static constexpr std::array<core::NamedBackendFactory, 5> kBackends = {{
      {"cpu", &cpu::create_cpu_backend},
      {"cuda", &cuda::create_cuda_backend},
      {"hip", &hip::create_hip_backend},
      {"vulkan", &vulkan::create_vulkan_backend},
      {"emulator", &emulator::create_emulator_backend},
  }};
  return kBackends;
}

}  // namespace halyard
