// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/launch_arena.h"
#include "tools/worker/arena_launcher.h"

#include <pthread.h>

#include <optional>

namespace halyard::worker {

// The thread on which the verifier's launches run, confined to kernels where the device is a CPU.
// It lives as long as the process.
class LaunchThread {
 public:
  // Starts to serve `control`. Both are borrowed for the life of the process.
  static base::Status start(LaunchControl& control, ArenaLauncher& launcher, bool is_confined);
};

}  // namespace halyard::worker
