// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

namespace halyard::worker {

// Leaves the calling thread, for good, only what running kernels needs: to wait and wake, to have
// memory that is not executable, to end. Whatever else it asks of the system kills the process.
base::Status confine_to_kernels();

// The same, for a thread of a backend: ends the process where it cannot be done. Gives the thread a
// stack of its own for the handler of fatal signals besides.
void enter_kernel_thread();

}  // namespace halyard::worker
