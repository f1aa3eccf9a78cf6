// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_device.h"

#include "backends/emulator/emulator_capability.h"
#include "backends/emulator/emulator_executable.h"
#include "backends/emulator/emulator_queue.h"
#include "backends/emulator/emulator_recording.h"
#include "backends/host/host_buffer.h"
#include "backends/host/host_semaphore.h"

#include <utility>

namespace halyard::emulator {

EmulatorDevice::EmulatorDevice(std::unique_ptr<EmulatorTables> tables,
                               const std::string& fingerprint,
                               base::Ref<const core::BackendSettings> surroundings)
    : core::Device(describe_device(tables->target(), fingerprint),
                   emulator_capabilities(tables->target(),
                                         make_settings(surroundings->configuration).threads)),
      surroundings_(std::move(surroundings)),
      tables_(std::move(tables)),
      settings_(make_settings(surroundings_->configuration)) {}

EmulatorDevice::~EmulatorDevice() = default;

base::Result<base::Ref<core::Buffer>> EmulatorDevice::create_buffer(const core::BufferDesc& desc) {
  return host::HostBuffer::create(*this, desc.size_bytes);
}

base::Result<base::Ref<core::Buffer>> EmulatorDevice::wrap_host_memory(void* data,
                                                                       std::uint64_t size_bytes) {
  return host::HostBuffer::wrap(*this, data, size_bytes);
}

base::Result<base::Ref<core::Queue>> EmulatorDevice::create_queue() {
  return base::Ref<core::Queue>(base::make_ref<EmulatorQueue>(*this));
}

base::Result<base::Ref<core::Semaphore>> EmulatorDevice::create_semaphore(
    std::uint64_t initial_value) {
  return base::Ref<core::Semaphore>(base::make_ref<host::HostSemaphore>(
      *this, base::make_ref<host::HostTimeline>(fork_guard_, initial_value)));
}

base::Result<base::Ref<core::Executable>> EmulatorDevice::load_executable(
    const core::ExecutableDesc& desc) {
  return EmulatorExecutable::load(*this, desc);
}

base::Result<base::Ref<core::Recording>> EmulatorDevice::record(
    std::span<const core::Dispatch> dispatches) {
  return EmulatorRecording::create(*this, dispatches);
}

std::optional<std::uint64_t> EmulatorDevice::next_schedule_seed() {
  if (!settings_.schedule_seed) return std::nullopt;
  return *settings_.schedule_seed + launches_.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace halyard::emulator
