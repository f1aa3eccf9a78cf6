// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halyard::worker {

// The process between a supervisor and a confined program: it starts the program as the policy in
// `policy_file` says, reports its end over the control socket, and leaves nothing alive that the
// program started. When the other end of the socket closes, or stops sending, it ends everything.
// In a pid namespace it is the first process, with which the kernel ends all others.
// Returns the exit status of the process: 0, or 2 for a policy that cannot be read.
int run_guard(int policy_file);

}  // namespace halyard::worker
