// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include "runtime/base/result.h"
#include "runtime/base/text.h"

#include <chrono>
#include <cstdint>

namespace halyard::services {

// What a function of the C interface answered, with its sentence. Called at once, on its thread.
inline base::Status library_status(halyard_status status) {
  if (status == HALYARD_STATUS_OK) return base::ok();
  return base::Error(static_cast<base::ErrorCode>(status), halyard_last_error_message());
}

// How long a device may take over what is enqueued at once before it counts as hung.
inline constexpr std::chrono::nanoseconds kDeviceDeadline = std::chrono::minutes(10);

// Waits until the queue is done. Errors: DEADLINE_EXCEEDED; those of the queue.
inline base::Status wait_for(halyard_queue* queue, std::chrono::nanoseconds deadline) {
  const auto limit_ns = static_cast<std::uint64_t>(deadline.count());
  const halyard_status status = halyard_queue_synchronize(queue, limit_ns);
  if (status != HALYARD_STATUS_DEADLINE_EXCEEDED) return library_status(status);
  return base::Error(base::ErrorCode::kDeadlineExceeded,
                     base::concat("The device is not done after ",
                                  std::chrono::duration<double>(deadline).count(), " s."));
}

}  // namespace halyard::services
