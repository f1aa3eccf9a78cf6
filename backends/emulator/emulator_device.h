// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulator_settings.h"
#include "backends/emulator/emulator_tables.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"
#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/backend.h"
#include "runtime/core/device.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace halyard::emulator {

// An AMD processor, interpreted. Kernels see the memory of their arguments and nothing else of this
// process.
class EmulatorDevice final : public core::Device {
 public:
  // `fingerprint` is that of the tables.
  EmulatorDevice(std::unique_ptr<EmulatorTables> tables, const std::string& fingerprint,
                 base::Ref<const core::BackendSettings> surroundings);

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override;
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void* data,
                                                         std::uint64_t size_bytes) override;
  base::Result<base::Ref<core::Queue>> create_queue() override;
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t initial_value) override;
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override;
  base::Result<base::Ref<core::Recording>> record(
      std::span<const core::Dispatch> dispatches) override;

  const EmulatedTarget& target() const { return tables_->target(); }
  // The instruction tables, which live as long as the device.
  base::Result<const IsaTables*> tables() { return tables_->get(); }
  const EmulatorSettings& settings() const { return settings_; }
  const base::ForkGuard& fork_guard() const { return fork_guard_; }
  // Where launches tell their statistics.
  base::Log& log() const { return surroundings_->log; }
  // What tells the order of the waves of the next launch; nothing where they run in order.
  std::optional<std::uint64_t> next_schedule_seed();

 private:
  ~EmulatorDevice() override;

  base::Ref<const core::BackendSettings> surroundings_;
  std::unique_ptr<EmulatorTables> tables_;
  EmulatorSettings settings_;
  base::ForkGuard fork_guard_{"The emulated device"};
  std::atomic<std::uint64_t> launches_{0};
};

}  // namespace halyard::emulator
