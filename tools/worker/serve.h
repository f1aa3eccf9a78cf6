// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halyard::worker {

// Serves a verifier over the channel with the descriptor number `file`: loads one kernel, prepares
// problems, and launches as the shared memory says, until the channel closes. Gives the exit
// status.
int serve(int file);

}  // namespace halyard::worker
