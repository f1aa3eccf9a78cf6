// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace halyard::host {

// Memory that is either freed with the buffer or the caller's.
class HostBuffer final : public core::Buffer {
 public:
  // Aligned to 64 bytes; large ones to a page, and the largest to a huge page. The bytes are
  // undefined. OUT_OF_MEMORY names the size.
  static base::Result<base::Ref<core::Buffer>> create(core::Device& device,
                                                      std::uint64_t size_bytes);
  // Over memory of the caller.
  static base::Ref<core::Buffer> wrap(core::Device& device, void* data, std::uint64_t size_bytes);

  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(data_); }
  std::byte* host_pointer() const override { return data_; }

 private:
  enum class Origin { kHeap, kMapping, kCaller };

  template <typename T, typename... Args>
  friend base::Ref<T> base::make_ref(Args&&... args);

  HostBuffer(core::Device& device, std::span<std::byte> bytes, Origin origin);
  ~HostBuffer() override;

  base::Status read_device(std::uint64_t offset_bytes, std::span<std::byte> destination) override;
  base::Status write_device(std::uint64_t offset_bytes, std::span<const std::byte> source) override;

  std::byte* data_;
  Origin origin_;
};

}  // namespace halyard::host
