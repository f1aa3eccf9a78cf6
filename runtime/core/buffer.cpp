// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/buffer.h"

#include "runtime/base/text.h"
#include "runtime/core/device.h"

#include <cstring>

namespace halyard::core {

Buffer::Buffer(Device& device, std::uint64_t size_bytes)
    : device_(base::Ref<Device>::share(&device)),
      size_bytes_(size_bytes) {}

Buffer::~Buffer() = default;

base::Status Buffer::read(std::uint64_t offset_bytes, std::span<std::byte> destination) {
  HALYARD_TRY(check_range(offset_bytes, destination.size()));
  if (destination.empty()) return base::ok();
  if (const std::byte* bytes = host_pointer()) {
    std::memcpy(destination.data(), bytes + offset_bytes, destination.size());
    return base::ok();
  }
  return read_device(offset_bytes, destination);
}

base::Status Buffer::write(std::uint64_t offset_bytes, std::span<const std::byte> source) {
  HALYARD_TRY(check_range(offset_bytes, source.size()));
  if (source.empty()) return base::ok();
  if (std::byte* bytes = host_pointer()) {
    std::memcpy(bytes + offset_bytes, source.data(), source.size());
    return base::ok();
  }
  return write_device(offset_bytes, source);
}

base::Status Buffer::check_range(std::uint64_t offset_bytes, std::uint64_t length_bytes) const {
  if (offset_bytes > size_bytes_) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Offset (", offset_bytes, ") is past the end of the buffer (",
                                    size_bytes_, " bytes)."));
  }
  if (length_bytes > size_bytes_ - offset_bytes) {
    return base::Error(
        base::ErrorCode::kInvalidArgument,
        base::concat("Range (offset ", offset_bytes, ", length ", length_bytes,
                     ") reaches past the end of the buffer (", size_bytes_, " bytes)."));
  }
  return base::ok();
}

}  // namespace halyard::core
