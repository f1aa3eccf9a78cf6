// SPDX-License-Identifier: Apache-2.0
#include "halyard/buffer.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"

#include <cstdint>

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
namespace base = halyard::base;
namespace core = halyard::core;

constexpr std::uint32_t kKnownUsage =
    HALYARD_BUFFER_USAGE_KERNEL | HALYARD_BUFFER_USAGE_HOST_READ | HALYARD_BUFFER_USAGE_HOST_WRITE;

base::Status check_size(std::uint64_t size_bytes) {
  if (size_bytes != 0) return base::ok();
  return halyard::api::invalid_argument("The size of a buffer (0 bytes) is below 1 byte.");
}

}  // namespace

extern "C" halyard_status halyard_buffer_create(halyard_device* device,
                                                const halyard_buffer_desc* desc,
                                                halyard_buffer** out_buffer) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_buffer, "out_buffer"));
    *out_buffer = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(const halyard_buffer_desc read,
                       halyard::api::read_struct(desc, sizeof(halyard_buffer_desc), "desc"));
    HALYARD_TRY(check_size(read.size_bytes));
    if ((read.usage & ~kKnownUsage) != 0) {
      return halyard::api::invalid_argument(
          base::concat("Usage (", read.usage, ") has bits beyond ", kKnownUsage, "."));
    }
    HALYARD_TRY_ASSIGN(auto buffer, halyard::api::core_device(device).create_buffer(
                                        {read.size_bytes, read.usage}));
    *out_buffer = buffer.detach();
    return base::ok();
  });
}

extern "C" halyard_status halyard_buffer_wrap_host_memory(halyard_device* device, void* data,
                                                          uint64_t size_bytes,
                                                          halyard_buffer** out_buffer) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_buffer, "out_buffer"));
    *out_buffer = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY(require_not_null(data, "data"));
    HALYARD_TRY(check_size(size_bytes));
    if (size_bytes - 1 > UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data)) {
      return halyard::api::invalid_argument(base::concat(
          "The range of ", size_bytes, " bytes runs past the end of the address space."));
    }
    HALYARD_TRY_ASSIGN(auto buffer,
                       halyard::api::core_device(device).wrap_host_memory(data, size_bytes));
    *out_buffer = buffer.detach();
    return base::ok();
  });
}

extern "C" void halyard_buffer_retain(halyard_buffer* buffer) {
  if (buffer != nullptr) static_cast<core::Buffer*>(buffer)->retain();
}

extern "C" void halyard_buffer_release(halyard_buffer* buffer) {
  if (buffer != nullptr) static_cast<core::Buffer*>(buffer)->release();
}

extern "C" uint64_t halyard_buffer_size_bytes(const halyard_buffer* buffer) {
  return buffer == nullptr ? 0 : static_cast<const core::Buffer*>(buffer)->size_bytes();
}

extern "C" void* halyard_buffer_host_pointer(halyard_buffer* buffer) {
  return buffer == nullptr ? nullptr : static_cast<core::Buffer*>(buffer)->host_pointer();
}

extern "C" halyard_status halyard_buffer_write(halyard_buffer* buffer, uint64_t offset_bytes,
                                               const void* data, uint64_t size_bytes) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(buffer, "buffer"));
    if (size_bytes != 0) HALYARD_TRY(require_not_null(data, "data"));
    return static_cast<core::Buffer*>(buffer)->write(
        offset_bytes, {static_cast<const std::byte*>(data), size_bytes});
  });
}

extern "C" halyard_status halyard_buffer_read(halyard_buffer* buffer, uint64_t offset_bytes,
                                              void* out_data, uint64_t size_bytes) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(buffer, "buffer"));
    if (size_bytes != 0) HALYARD_TRY(require_not_null(out_data, "out_data"));
    return static_cast<core::Buffer*>(buffer)->read(
        offset_bytes, {static_cast<std::byte*>(out_data), size_bytes});
  });
}
