// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <pthread.h>

#include <optional>
#include <string>

namespace halyard::host {

struct HostThreadDesc {
  std::string name;        // at most 15 bytes, as debuggers and `top` show it
  std::optional<int> cpu;  // the only CPU it may run on, or any
  bool detached = false;
};

// Starts a thread that takes no signals. UNAVAILABLE when the system gives none.
base::Result<pthread_t> start_thread(const HostThreadDesc& desc, void* (*body)(void*),
                                     void* argument);

}  // namespace halyard::host
