// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/worker/sandbox.h"
#include "runtime/worker/setup_failure.h"

#include <sys/types.h>

#include <optional>

namespace halyard::worker {

struct SyscallFilterDesc {
  SyscallProfile profile = SyscallProfile::kCompile;
  // Whether signals to strangers are stopped otherwise, by a pid namespace or by Landlock.
  bool are_signals_scoped = false;
  pid_t self = 0;  // whose own signals and limits it may set
  // The only path by which the process may execute a program; null where it may execute any that it
  // sees. The address is the secret: its page is unmapped by the exec.
  const char* program = nullptr;
};

// A list of the system calls that a profile may make. Others that programs try without harm fail
// with EPERM or ENOSYS; any other call, and one of a foreign ABI, kills the process with SIGSYS.
// Needs no_new_privs.
std::optional<SetupFailure> load_syscall_filter(const SyscallFilterDesc& desc);

}  // namespace halyard::worker
