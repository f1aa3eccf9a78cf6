// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_device.h"

#include "backends/cpu/cpu_executable.h"
#include "backends/cpu/cpu_queue.h"
#include "backends/cpu/cpu_recording.h"
#include "backends/host/host_buffer.h"
#include "backends/host/host_semaphore.h"

#include <utility>

namespace halyard::cpu {

CpuDevice::CpuDevice(CpuDescription description, const std::vector<int>& cpus,
                     void (*confine_thread)())
    : core::Device(std::move(description.info), std::move(description.capabilities)),
      pool_(cpus, confine_thread) {}

CpuDevice::~CpuDevice() = default;

base::Result<base::Ref<core::Buffer>> CpuDevice::create_buffer(const core::BufferDesc& desc) {
  return host::HostBuffer::create(*this, desc.size_bytes);
}

base::Result<base::Ref<core::Buffer>> CpuDevice::wrap_host_memory(void* data,
                                                                  std::uint64_t size_bytes) {
  return host::HostBuffer::wrap(*this, data, size_bytes);
}

base::Result<base::Ref<core::Queue>> CpuDevice::create_queue() {
  return base::Ref<core::Queue>(base::make_ref<CpuQueue>(*this, pool_));
}

base::Result<base::Ref<core::Semaphore>> CpuDevice::create_semaphore(std::uint64_t initial_value) {
  return base::Ref<core::Semaphore>(base::make_ref<host::HostSemaphore>(
      *this, base::make_ref<host::HostTimeline>(pool_.fork_guard(), initial_value)));
}

base::Result<base::Ref<core::Executable>> CpuDevice::load_executable(
    const core::ExecutableDesc& desc) {
  return CpuExecutable::load(*this, desc);
}

base::Result<base::Ref<core::Recording>> CpuDevice::record(
    std::span<const core::Dispatch> dispatches) {
  return CpuRecording::create(*this, dispatches);
}

}  // namespace halyard::cpu
