// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/device.h"

#include <string>
#include <utility>
#include <vector>

namespace halyard::core {

// A buffer that the host cannot reach in place, kept in a vector.
class FakeBuffer final : public Buffer {
 public:
  FakeBuffer(Device& device, std::uint64_t size_bytes)
      : Buffer(device, size_bytes),
        bytes_(size_bytes) {}

  std::byte* host_pointer() const override { return nullptr; }

 private:
  base::Status read_device(std::uint64_t offset_bytes, std::span<std::byte> destination) override {
    for (std::size_t i = 0; i < destination.size(); ++i)
      destination[i] = bytes_[offset_bytes + i];
    return base::ok();
  }
  base::Status write_device(std::uint64_t offset_bytes,
                            std::span<const std::byte> source) override {
    for (std::size_t i = 0; i < source.size(); ++i)
      bytes_[offset_bytes + i] = source[i];
    return base::ok();
  }

  std::vector<std::byte> bytes_;
};

// A device that has buffers and nothing else.
class FakeDevice final : public Device {
 public:
  FakeDevice(DeviceInfo info, CapabilitySet capabilities)
      : Device(std::move(info), std::move(capabilities)) {}

  base::Result<base::Ref<Buffer>> create_buffer(const BufferDesc& desc) override {
    return base::Ref<Buffer>(base::make_ref<FakeBuffer>(*this, desc.size_bytes));
  }
  base::Result<base::Ref<Buffer>> wrap_host_memory(void*, std::uint64_t) override {
    return absent();
  }
  base::Result<base::Ref<Queue>> create_queue() override { return absent(); }
  base::Result<base::Ref<Semaphore>> create_semaphore(std::uint64_t) override { return absent(); }
  base::Result<base::Ref<Executable>> load_executable(const ExecutableDesc&) override {
    return absent();
  }
  base::Result<base::Ref<Recording>> record(std::span<const Dispatch>) override { return absent(); }

 private:
  static base::Error absent() {
    return base::Error(base::ErrorCode::kUnsupported, "A fake device has only buffers.");
  }
};

inline base::Ref<Device> make_fake_device(std::string backend, int index, DeviceKind kind,
                                          std::string physical_id = "") {
  DeviceInfo info;
  info.id = backend + ":" + std::to_string(index);
  info.backend = std::move(backend);
  info.kind = kind;
  info.physical_id = std::move(physical_id);
  return base::make_ref<FakeDevice>(std::move(info), CapabilitySet());
}

}  // namespace halyard::core
