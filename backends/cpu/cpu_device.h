// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/cpu/cpu_capability.h"
#include "backends/cpu/cpu_worker_pool.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"

#include <vector>

namespace halyard::cpu {

// The processors of this machine that the process may use, as one device.
class CpuDevice final : public core::Device {
 public:
  CpuDevice(CpuDescription description, const std::vector<int>& cpus,
            void (*confine_thread)() = nullptr);

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override;
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void* data,
                                                         std::uint64_t size_bytes) override;
  base::Result<base::Ref<core::Queue>> create_queue() override;
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t initial_value) override;
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override;
  base::Result<base::Ref<core::Recording>> record(
      std::span<const core::Dispatch> dispatches) override;

 private:
  ~CpuDevice() override;

  CpuWorkerPool pool_;
};

}  // namespace halyard::cpu
