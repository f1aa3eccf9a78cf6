// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/syscall_filter.h"

#include "runtime/worker/syscall_names.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <span>

namespace halyard::worker {
namespace {

using Names = std::span<const char* const>;

constexpr int kFirstUnknown = 451;  // newer than the list of libseccomp 2.5
constexpr int kLastUnknown = 511;

constexpr std::uint64_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                         CLONE_NEWNET | 0x80 /* CLONE_NEWTIME */;

// Of linux/fcntl.h, which the C library's header excludes.
constexpr std::uint64_t kOfdGetLock = 36;
constexpr std::uint64_t kOfdSetLock = 37;
constexpr std::uint64_t kOfdSetLockWait = 38;
constexpr std::uint64_t kAddSeals = 1033;
constexpr std::uint64_t kGetSeals = 1034;
constexpr std::uint64_t kGetPipeSize = 1032;
constexpr std::uint64_t kPrSetVma = 0x53564d41;  // names of mappings

struct FilterRelease {
  void operator()(void* filter) const { seccomp_release(filter); }
};

// Rules over one default action; the first refusal by the library is kept.
class RuleSet {
 public:
  explicit RuleSet(std::uint32_t default_action) : filter_(seccomp_init(default_action)) {
    if (!filter_) code_ = ENOMEM;
    keep(seccomp_attr_set(filter_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    keep(seccomp_attr_set(filter_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }

  using Conditions = std::initializer_list<scmp_arg_cmp>;
  // A name that this processor's ABI does not have is left out.
  void add(std::uint32_t action, const char* name, Conditions where = {}) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number >= 0) add(action, number, where);
  }
  void add(std::uint32_t action, int number, Conditions where = {}) {
    keep(seccomp_rule_add_array(filter_.get(), action, number, static_cast<unsigned>(where.size()),
                                where.begin()));
  }

  int load() {
    if (code_ == 0) keep(seccomp_load(filter_.get()));
    return code_;
  }

 private:
  void keep(int result) {
    if (result < 0 && code_ == 0) code_ = -result;
  }

  std::unique_ptr<void, FilterRelease> filter_;
  int code_ = 0;
};

// Two filters, of which the kernel takes the stricter answer: the one kills for calls that are not
// known, the other refuses known calls that are not allowed. A single one could not do both for
// different arguments of the same call.
struct Filter {
  RuleSet known{SCMP_ACT_KILL_PROCESS};
  RuleSet allowed{SCMP_ACT_ERRNO(EPERM)};

  void allow(const char* name) {
    known.add(SCMP_ACT_ALLOW, name);
    allowed.add(SCMP_ACT_ALLOW, name);
  }
  void allow(Names names) {
    for (const char* const name : names)
      allow(name);
  }
  void refuse(Names names) {
    for (const char* const name : names)
      known.add(SCMP_ACT_ALLOW, name);
  }
  void leave_out(int number) {
    known.add(SCMP_ACT_ALLOW, number);
    allowed.add(SCMP_ACT_ERRNO(ENOSYS), number);
  }
  // Allowed with one of `values` as its argument of that index, refused otherwise.
  void allow_values(const char* name, unsigned argument,
                    std::initializer_list<std::uint64_t> values) {
    known.add(SCMP_ACT_ALLOW, name);
    for (const std::uint64_t value : values) {
      const scmp_arg_cmp is_value{argument, SCMP_CMP_MASKED_EQ, 0xffffffff, value & 0xffffffff};
      allowed.add(SCMP_ACT_ALLOW, name, {is_value});
    }
  }
};

// Only with the bits of `mask` as in `value`; killed otherwise.
void require_flags(RuleSet& rules, const char* name, std::uint64_t mask, std::uint64_t value) {
  rules.add(SCMP_ACT_ALLOW, name, {scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, mask, value}});
}

void add_processes(Filter& filter, const SyscallFilterDesc& desc) {
  if (desc.program == nullptr) {
    filter.allow("execve");
  } else {
    const auto address = reinterpret_cast<std::uintptr_t>(desc.program);
    filter.known.add(SCMP_ACT_ALLOW, "execve", {scmp_arg_cmp{0, SCMP_CMP_EQ, address, 0}});
    filter.allowed.add(SCMP_ACT_ALLOW, "execve");
  }
  switch (desc.profile) {
    case SyscallProfile::kCompile:
      filter.allow("fork");
      filter.allow("vfork");
      require_flags(filter.known, "clone", kNewNamespaces, 0);
      filter.allowed.add(SCMP_ACT_ALLOW, "clone");
      break;
    case SyscallProfile::kWorker:
      require_flags(filter.known, "clone", kNewNamespaces | CLONE_THREAD, CLONE_THREAD);
      filter.allowed.add(SCMP_ACT_ALLOW, "clone");
      break;
    case SyscallProfile::kDevice:  // Drivers try to start helpers, and go on without.
      filter.known.add(SCMP_ACT_ALLOW, "fork");
      filter.known.add(SCMP_ACT_ALLOW, "vfork");
      require_flags(filter.known, "clone", kNewNamespaces, 0);
      require_flags(filter.allowed, "clone", CLONE_THREAD, CLONE_THREAD);
      break;
  }
}

void add_signals(Filter& filter, const SyscallFilterDesc& desc) {
  const auto self = static_cast<std::uint64_t>(desc.self);
  for (const char* const name : {"kill", "tgkill"}) {
    if (desc.are_signals_scoped && desc.profile == SyscallProfile::kCompile) {
      filter.allow(name);
    } else {
      filter.allow_values(name, 0, {self});
    }
  }
  filter.refuse(std::array{"tkill"});
  // Of processes of the same user, no permission beyond that is asked.
  filter.allow_values("prlimit64", 0, {0, self});
  if (desc.profile == SyscallProfile::kCompile) {
    filter.allow_values("sched_setaffinity", 0, {0, self});
  } else {
    filter.allow("sched_setaffinity");  // The C library sets that of a thread from outside.
  }
}

void add_controls(Filter& filter, const SyscallFilterDesc& desc) {
  filter.allow_values("prctl", 0,
                      {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_DUMPABLE,
                       PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_GET_SECCOMP,
                       PR_CAPBSET_READ, PR_SET_TIMERSLACK, kPrSetVma});
  filter.allow_values(
      "fcntl", 1,
      {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
       kOfdGetLock, kOfdSetLock, kOfdSetLockWait, kAddSeals, kGetSeals, kGetPipeSize});
  if (desc.profile == SyscallProfile::kDevice) {
    filter.allow("ioctl");
  } else {
    filter.allow_values("ioctl", 1, {TCGETS, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX});
  }
}

void add_sockets(Filter& filter, const SyscallFilterDesc& desc) {
  // The C library looks for its name service over a local socket.
  filter.known.add(SCMP_ACT_ALLOW, "socket",
                   {scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, 0xffffffff, AF_UNIX}});
  if (desc.profile == SyscallProfile::kCompile) {
    filter.refuse(kConnectedCalls);
  } else {
    filter.allow(kConnectedCalls);
  }
}

}  // namespace

std::optional<SetupFailure> load_syscall_filter(const SyscallFilterDesc& desc) {
  Filter filter;
  filter.allow(kCommonCalls);
  filter.allow(kOpenFileCalls);
  filter.refuse(kRefusedCalls);
  if (desc.profile == SyscallProfile::kCompile) {
    filter.allow(kChangeFolderCalls);
  } else {
    filter.refuse(kChangeFolderCalls);
  }
  add_processes(filter, desc);
  add_signals(filter, desc);
  add_controls(filter, desc);
  add_sockets(filter, desc);
  for (const char* const name : kAbsentCalls) {
    if (const int number = seccomp_syscall_resolve_name(name); number >= 0)
      filter.leave_out(number);
  }
  for (int number = kFirstUnknown; number <= kLastUnknown; ++number)
    filter.leave_out(number);
  int code = filter.known.load();
  if (code == 0) code = filter.allowed.load();
  if (code == 0) return std::nullopt;
  return SetupFailure{"load the filter of system calls", code};
}

}  // namespace halyard::worker
