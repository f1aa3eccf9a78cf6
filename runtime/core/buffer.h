// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/ref.h"
#include "runtime/base/result.h"
#include "runtime/core/handle.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace halyard::core {

class Device;

// What a buffer is for; the bits are those of HALYARD_BUFFER_USAGE_*. Zero means all.
enum BufferUsage : std::uint32_t {
  kBufferUsageKernel = 1U << 0,     // read or written by kernels
  kBufferUsageHostRead = 1U << 1,   // read back often: prefer memory the host reads fast
  kBufferUsageHostWrite = 1U << 2,  // filled by the host often
};

struct BufferDesc {
  std::uint64_t size_bytes = 0;
  std::uint32_t usage = 0;
};

// A range of memory that kernels of one device can use.
// Threads: size and pointer queries from any; the bytes are ordered by queues and semaphores.
class Buffer : public ::halyard_buffer, public base::RefCounted {
 public:
  Device& device() const { return *device_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  // Copies between host memory and the buffer, and returns once the bytes have arrived. The
  // caller has waited for the work that uses the range. Ranges are checked here.
  base::Status read(std::uint64_t offset_bytes, std::span<std::byte> destination);
  base::Status write(std::uint64_t offset_bytes, std::span<const std::byte> source);

  // The buffer's bytes in the host's address space, or null where the device keeps them apart.
  // Valid for the buffer's life. Memory is host-coherent.
  virtual std::byte* host_pointer() const = 0;

 protected:
  // Holds `device` for its life.
  Buffer(Device& device, std::uint64_t size_bytes);
  ~Buffer() override;

 private:
  // Called where host_pointer() is null, with ranges already checked.
  virtual base::Status read_device(std::uint64_t offset_bytes,
                                   std::span<std::byte> destination) = 0;
  virtual base::Status write_device(std::uint64_t offset_bytes,
                                    std::span<const std::byte> source) = 0;

  base::Status check_range(std::uint64_t offset_bytes, std::uint64_t length_bytes) const;

  base::Ref<Device> device_;
  std::uint64_t size_bytes_;
};

}  // namespace halyard::core
