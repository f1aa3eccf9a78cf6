// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/device.h"
#include "runtime/dispatch/command_sink.h"
#include "tests/unit/runtime/core/fake_device.h"

#include <string>
#include <utility>
#include <vector>

namespace halyard::dispatch {

class RecordingExecutable final : public core::Executable {
 public:
  RecordingExecutable(core::Device& device, const core::ExecutableDesc& desc)
      : Executable(device, desc) {}
};

class RecordingRecording final : public core::Recording {
 public:
  RecordingRecording(core::Device& device, std::size_t count)
      : Recording(device),
        dispatches(count) {}

  const std::size_t dispatches;
};

// Keeps what it is given, and runs nothing.
class RecordingQueue final : public core::Queue {
 public:
  explicit RecordingQueue(core::Device& device) : Queue(device) {}

  base::Status dispatch(const core::Dispatch& dispatch) override {
    grids.push_back(dispatch.grid);
    return base::ok();
  }
  base::Status copy(core::Buffer&, std::uint64_t, core::Buffer&, std::uint64_t,
                    std::uint64_t) override {
    return base::ok();
  }
  base::Status fill(core::Buffer&, std::uint64_t, std::uint64_t length_bytes,
                    std::uint32_t) override {
    filled_bytes += length_bytes;
    return base::ok();
  }
  base::Status replay(core::Recording& recording) override {
    replays.push_back(&recording);
    return base::ok();
  }
  base::Status wait(core::Semaphore&, std::uint64_t) override { return base::ok(); }
  base::Status signal(core::Semaphore&, std::uint64_t) override { return base::ok(); }
  base::Status flush() override { return base::ok(); }
  base::Status synchronize(std::chrono::nanoseconds) override {
    ++synchronizations;
    return base::ok();
  }
  base::Status write_timestamp(std::uint32_t) override { return base::ok(); }
  base::Result<std::uint64_t> read_timestamp(std::uint32_t) override { return std::uint64_t{0}; }
  core::Clock timestamp_clock() const override { return core::Clock::kHost; }

  std::vector<std::array<std::uint32_t, 3>> grids;
  std::vector<core::Recording*> replays;
  std::uint64_t filled_bytes = 0;
  int synchronizations = 0;
};

// A device that takes any code and runs nothing.
class RecordingDevice final : public core::Device {
 public:
  explicit RecordingDevice(core::CapabilitySet capabilities = {})
      : Device(make_info(), std::move(capabilities)) {}

  base::Result<base::Ref<core::Buffer>> create_buffer(const core::BufferDesc& desc) override {
    ++buffers_created;
    return base::Ref<core::Buffer>(base::make_ref<core::FakeBuffer>(*this, desc.size_bytes));
  }
  base::Result<base::Ref<core::Buffer>> wrap_host_memory(void*, std::uint64_t) override {
    return absent();
  }
  base::Result<base::Ref<core::Queue>> create_queue() override {
    return base::Ref<core::Queue>(base::make_ref<RecordingQueue>(*this));
  }
  base::Result<base::Ref<core::Semaphore>> create_semaphore(std::uint64_t) override {
    return absent();
  }
  base::Result<base::Ref<core::Executable>> load_executable(
      const core::ExecutableDesc& desc) override {
    return base::Ref<core::Executable>(base::make_ref<RecordingExecutable>(*this, desc));
  }
  base::Result<base::Ref<core::Recording>> record(
      std::span<const core::Dispatch> dispatches) override {
    ++recordings;
    return base::Ref<core::Recording>(base::make_ref<RecordingRecording>(*this, dispatches.size()));
  }

  int buffers_created = 0;
  int recordings = 0;

 private:
  static core::DeviceInfo make_info() {
    core::DeviceInfo info;
    info.id = "recording:0";
    return info;
  }
  static base::Error absent() {
    return base::Error(base::ErrorCode::kUnsupported, "A recording device runs nothing.");
  }
};

// Keeps every command it is given.
class CommandLog final : public CommandSink {
 public:
  struct Command {
    std::array<std::uint32_t, 3> grid{};
    std::vector<core::ArgumentValue> arguments;
  };
  struct Fill {
    std::uint64_t offset_bytes = 0;
    std::uint64_t length_bytes = 0;
  };

  base::Status dispatch(const core::Dispatch& dispatch) override {
    commands.push_back({dispatch.grid, {dispatch.arguments.begin(), dispatch.arguments.end()}});
    return base::ok();
  }
  base::Status fill(core::Buffer&, std::uint64_t offset_bytes, std::uint64_t length_bytes,
                    std::uint32_t) override {
    fills.push_back({offset_bytes, length_bytes});
    return base::ok();
  }

  std::vector<Command> commands;
  std::vector<Fill> fills;
};

}  // namespace halyard::dispatch
