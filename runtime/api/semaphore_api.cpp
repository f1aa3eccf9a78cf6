// SPDX-License-Identifier: Apache-2.0
#include "halyard/semaphore.h"

#include "runtime/api/boundary.h"
#include "runtime/api/handles.h"

namespace {

using halyard::api::guard;
using halyard::api::require_not_null;
namespace base = halyard::base;
namespace core = halyard::core;

}  // namespace

extern "C" halyard_status halyard_semaphore_create(halyard_device* device, uint64_t initial_value,
                                                   halyard_semaphore** out_semaphore) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(out_semaphore, "out_semaphore"));
    *out_semaphore = nullptr;
    HALYARD_TRY(require_not_null(device, "device"));
    HALYARD_TRY_ASSIGN(auto semaphore,
                       halyard::api::core_device(device).create_semaphore(initial_value));
    *out_semaphore = semaphore.detach();
    return base::ok();
  });
}

extern "C" void halyard_semaphore_retain(halyard_semaphore* semaphore) {
  if (semaphore != nullptr) static_cast<core::Semaphore*>(semaphore)->retain();
}

extern "C" void halyard_semaphore_release(halyard_semaphore* semaphore) {
  if (semaphore != nullptr) static_cast<core::Semaphore*>(semaphore)->release();
}

extern "C" halyard_status halyard_semaphore_value(halyard_semaphore* semaphore,
                                                  uint64_t* out_value) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(semaphore, "semaphore"));
    HALYARD_TRY(require_not_null(out_value, "out_value"));
    HALYARD_TRY_ASSIGN(*out_value, static_cast<core::Semaphore*>(semaphore)->value());
    return base::ok();
  });
}

extern "C" halyard_status halyard_semaphore_signal(halyard_semaphore* semaphore, uint64_t value) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(semaphore, "semaphore"));
    return static_cast<core::Semaphore*>(semaphore)->signal(value);
  });
}

extern "C" halyard_status halyard_semaphore_wait(halyard_semaphore* semaphore, uint64_t value,
                                                 uint64_t timeout_ns) {
  return guard([&]() -> base::Status {
    HALYARD_TRY(require_not_null(semaphore, "semaphore"));
    return static_cast<core::Semaphore*>(semaphore)->wait(value,
                                                          halyard::api::to_timeout(timeout_ns));
  });
}
