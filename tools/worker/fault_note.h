// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/worker/launch_arena.h"

namespace halyard::worker {

// From now on a fatal signal notes itself and the address that was touched in `control`, which is
// borrowed for the life of the process, and then ends the process as it would have.
void note_faults_in(LaunchControl& control);

// Gives the calling thread a stack of its own for that, so that an overflow of its stack is noted.
void use_fault_stack();

}  // namespace halyard::worker
