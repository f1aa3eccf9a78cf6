// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include "runtime/base/result.h"

namespace halyard::services {

// What a function of the C interface answered, with its sentence. Called at once, on its thread.
inline base::Status library_status(halyard_status status) {
  if (status == HALYARD_STATUS_OK) return base::ok();
  return base::Error(static_cast<base::ErrorCode>(status), halyard_last_error_message());
}

}  // namespace halyard::services
