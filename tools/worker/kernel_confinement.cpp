// SPDX-License-Identifier: Apache-2.0
#include "tools/worker/kernel_confinement.h"

#include "runtime/base/text.h"
#include "tools/worker/fault_note.h"

#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

namespace halyard::worker {
namespace {

constexpr int kExitUnconfined = 121;

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

base::Error filter_error(int code) {
  return base::Error(base::ErrorCode::kUnavailable,
                     base::concat("The filter of system calls cannot be set: ",
                                  std::generic_category().message(-code), "."));
}

}  // namespace

base::Status confine_to_kernels() {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_KILL_PROCESS));
  if (!filter) return filter_error(-ENOMEM);
  for (const int call :
       {SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(exit), SCMP_SYS(rt_sigreturn),
        SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaltstack), SCMP_SYS(clock_gettime),
        SCMP_SYS(clock_nanosleep), SCMP_SYS(getcpu), SCMP_SYS(munmap), SCMP_SYS(brk),
        SCMP_SYS(madvise), SCMP_SYS(restart_syscall), SCMP_SYS(rseq)}) {
    const int code = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
    if (code != 0) return filter_error(code);
  }
  // Memory of the allocator: no file behind it, nothing executable.
  const int code = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
                                    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                                    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
  if (code != 0) return filter_error(code);
  const int loaded = seccomp_load(filter.get());
  return loaded == 0 ? base::ok() : filter_error(loaded);
}

void enter_kernel_thread() {
  use_fault_stack();
  if (!confine_to_kernels()) ::_exit(kExitUnconfined);
}

}  // namespace halyard::worker
