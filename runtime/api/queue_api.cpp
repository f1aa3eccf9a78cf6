// SPDX-License-Identifier: Apache-2.0
#include "halyard/queue.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"

namespace {

using halyard::api::guard;
using halyard::api::invalid_argument;
using halyard::api::require_not_null;
namespace base = halyard::base;
namespace core = halyard::core;

base::Status check_range(const core::Queue& queue, const halyard_buffer* handle,
                         std::uint64_t offset, std::uint64_t size, std::string_view name) {
  HALYARD_TRY(require_not_null(handle, name));
  const auto& buffer = *static_cast<const core::Buffer*>(handle);
  if (&buffer.device() != &queue.device()) {
    return invalid_argument(base::concat("The ", name, " buffer is on device ",
                                         buffer.device().info().id, ", the queue on ",
                                         queue.device().info().id, "."));
  }
  if (offset > buffer.size_bytes() || size > buffer.size_bytes() - offset) {
    return invalid_argument(base::concat("The ", name, " range (offset ", offset, ", ", size,
                                         " bytes) reaches past the end of the buffer (",
                                         buffer.size_bytes(), " bytes)."));
  }
  return base::ok();
}

base::Status check_semaphore(const core::Queue& queue, const halyard_semaphore* handle) {
  HALYARD_TRY(require_not_null(handle, "semaphore"));
  const auto& semaphore = *static_cast<const core::Semaphore*>(handle);
  if (&semaphore.device() == &queue.device()) return base::ok();
  return invalid_argument(base::concat("The semaphore is on device ", semaphore.device().info().id,
                                       ", the queue on ", queue.device().info().id, "."));
}

base::Status check_slot(std::uint32_t slot) {
  if (slot < core::kTimestampSlots) return base::ok();
  return invalid_argument(
      base::concat("Timestamp slot (", slot, ") is not below ", core::kTimestampSlots, "."));
}

}  // namespace

extern "C" halyard_status halyard_queue_create(halyard_device* device, halyard_queue** out_queue) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_queue, "out_queue"));
    *out_queue = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(auto queue, halyard::api::core_device(device).create_queue());
    *out_queue = queue.detach();
    return base::ok();
  });
}

extern "C" void halyard_queue_retain(halyard_queue* queue) {
  if (queue != nullptr) static_cast<core::Queue*>(queue)->retain();
}

extern "C" void halyard_queue_release(halyard_queue* queue) {
  if (queue != nullptr) static_cast<core::Queue*>(queue)->release();
}

extern "C" halyard_status halyard_queue_copy(halyard_queue* queue, halyard_buffer* source,
                                             uint64_t source_offset_bytes,
                                             halyard_buffer* destination,
                                             uint64_t destination_offset_bytes,
                                             uint64_t size_bytes) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    auto& target = *static_cast<core::Queue*>(queue);
    HALYARD_TRY(check_range(target, source, source_offset_bytes, size_bytes, "source"));
    HALYARD_TRY(
        check_range(target, destination, destination_offset_bytes, size_bytes, "destination"));
    const bool overlaps = source == destination &&
                          source_offset_bytes < destination_offset_bytes + size_bytes &&
                          destination_offset_bytes < source_offset_bytes + size_bytes;
    if (overlaps && size_bytes != 0) {
      return invalid_argument(base::concat("The ranges at ", source_offset_bytes, " and ",
                                           destination_offset_bytes, " of ", size_bytes,
                                           " bytes overlap in one buffer."));
    }
    if (size_bytes == 0) return base::ok();
    return target.copy(*static_cast<core::Buffer*>(source), source_offset_bytes,
                       *static_cast<core::Buffer*>(destination), destination_offset_bytes,
                       size_bytes);
  });
}

extern "C" halyard_status halyard_queue_fill(halyard_queue* queue, halyard_buffer* buffer,
                                             uint64_t offset_bytes, uint64_t size_bytes,
                                             uint32_t pattern) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    auto& target = *static_cast<core::Queue*>(queue);
    HALYARD_TRY(check_range(target, buffer, offset_bytes, size_bytes, "filled"));
    if (offset_bytes % 4 != 0 || size_bytes % 4 != 0) {
      return invalid_argument(base::concat("Offset (", offset_bytes, ") and size (", size_bytes,
                                           ") of a fill are not both multiples of 4."));
    }
    if (size_bytes == 0) return base::ok();
    return target.fill(*static_cast<core::Buffer*>(buffer), offset_bytes, size_bytes, pattern);
  });
}

extern "C" halyard_status halyard_queue_wait(halyard_queue* queue, halyard_semaphore* semaphore,
                                             uint64_t value) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    auto& target = *static_cast<core::Queue*>(queue);
    HALYARD_TRY(check_semaphore(target, semaphore));
    return target.wait(*static_cast<core::Semaphore*>(semaphore), value);
  });
}

extern "C" halyard_status halyard_queue_signal(halyard_queue* queue, halyard_semaphore* semaphore,
                                               uint64_t value) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    auto& target = *static_cast<core::Queue*>(queue);
    HALYARD_TRY(check_semaphore(target, semaphore));
    return target.signal(*static_cast<core::Semaphore*>(semaphore), value);
  });
}

extern "C" halyard_status halyard_queue_flush(halyard_queue* queue) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    return static_cast<core::Queue*>(queue)->flush();
  });
}

extern "C" halyard_status halyard_queue_synchronize(halyard_queue* queue, uint64_t timeout_ns) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    return static_cast<core::Queue*>(queue)->synchronize(halyard::api::to_timeout(timeout_ns));
  });
}

extern "C" halyard_status halyard_queue_write_timestamp(halyard_queue* queue, uint32_t slot) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    HALYARD_TRY(check_slot(slot));
    return static_cast<core::Queue*>(queue)->write_timestamp(slot);
  });
}

extern "C" halyard_status halyard_queue_read_timestamp(halyard_queue* queue, uint32_t slot,
                                                       uint64_t* out_time_ns, uint32_t* out_clock) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(queue, "queue"));
    HALYARD_TRY(require_not_null(out_time_ns, "out_time_ns"));
    HALYARD_TRY(check_slot(slot));
    auto& target = *static_cast<core::Queue*>(queue);
    HALYARD_TRY_ASSIGN(*out_time_ns, target.read_timestamp(slot));
    if (out_clock != nullptr) *out_clock = static_cast<std::uint32_t>(target.timestamp_clock());
    return base::ok();
  });
}
