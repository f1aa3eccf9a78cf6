// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/worker/launch_arena.h"
#include "tools/worker/arena_launcher.h"

namespace halyard::worker {

// Starts the thread on which the verifier's launches run, as `control` asks for them; confined to
// kernels where the device is a CPU. It lives as long as the process, which starts it once, and
// borrows both for so long. Errors: UNAVAILABLE.
base::Status start_launch_thread(LaunchControl& control, ArenaLauncher& launcher, bool is_confined);

}  // namespace halyard::worker
