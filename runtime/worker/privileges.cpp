// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/privileges.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace halyard::worker {
namespace {

constexpr std::uint64_t kOpenFiles = 256;
constexpr std::uint64_t kStackBytes = std::uint64_t{8} << 20;

std::optional<SetupFailure> set_capabilities(std::uint32_t low, bool inherit) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  data[0].effective = low;
  data[0].permitted = low;
  data[0].inheritable = inherit ? low : 0;
  if (::syscall(SYS_capset, &header, data.data()) == 0) return std::nullopt;
  return SetupFailure{"drop capabilities", errno};
}

void drop_bounding_set() {
  // Without CAP_SETPCAP nothing is dropped, and no_new_privs keeps what is not held out of reach.
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    if (capability != CAP_DAC_OVERRIDE) ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
}

std::optional<SetupFailure> become(std::uint32_t user) {
  if (::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0 || ::setgroups(0, nullptr) != 0 ||
      ::setresgid(user, user, user) != 0 || ::setresuid(user, user, user) != 0) {
    return SetupFailure{"become user " + std::to_string(user), errno};
  }
  constexpr std::uint32_t kKept = 1U << CAP_DAC_OVERRIDE;
  if (auto failure = set_capabilities(kKept, true)) return failure;
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_OVERRIDE, 0, 0) != 0) {
    return SetupFailure{"keep CAP_DAC_OVERRIDE", errno};
  }
  return std::nullopt;
}

std::optional<SetupFailure> set_limit(__rlimit_resource_t resource, const char* name,
                                      std::uint64_t soft, std::uint64_t hard) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return SetupFailure{std::string("read ") + name, errno};
  // What the process started with is a limit too.
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
  if (::setrlimit(resource, &limit) == 0) return std::nullopt;
  return SetupFailure{std::string("set ") + name, errno};
}

}  // namespace

std::optional<SetupFailure> drop_privileges(std::uint32_t user) {
  drop_bounding_set();
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (user != 0) return become(user);
  return set_capabilities(0, false);
}

std::optional<SetupFailure> keep_only_kill() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> held{};
  if (::syscall(SYS_capget, &header, held.data()) != 0)
    return SetupFailure{"read capabilities", errno};
  return set_capabilities(held[0].permitted & (1U << CAP_KILL), false);
}

std::optional<SetupFailure> set_process_limits(const ProcessLimits& limits) {
  struct Limit {
    __rlimit_resource_t resource;
    const char* name;
    std::uint64_t soft;
    std::uint64_t hard;
  };
  // Past the soft limit of CPU time comes SIGXCPU; a second later, SIGKILL.
  const std::array<Limit, 8> all = {{
      {RLIMIT_CORE, "RLIMIT_CORE", 0, 0},
      {RLIMIT_MSGQUEUE, "RLIMIT_MSGQUEUE", 0, 0},
      {RLIMIT_RTPRIO, "RLIMIT_RTPRIO", 0, 0},
      {RLIMIT_NOFILE, "RLIMIT_NOFILE", kOpenFiles, kOpenFiles},
      {RLIMIT_STACK, "RLIMIT_STACK", kStackBytes, kStackBytes},
      {RLIMIT_FSIZE, "RLIMIT_FSIZE", limits.file_bytes, limits.file_bytes},
      {RLIMIT_CPU, "RLIMIT_CPU", limits.cpu_seconds, limits.cpu_seconds + 1},
      {RLIMIT_NPROC, "RLIMIT_NPROC", limits.user_processes, limits.user_processes},
  }};
  for (const Limit& limit : all) {
    if (auto failure = set_limit(limit.resource, limit.name, limit.soft, limit.hard)) {
      return failure;
    }
  }
  return std::nullopt;
}

std::optional<SetupFailure> set_memory_limit(const ProcessLimits& limits) {
  if (limits.memory_bytes == 0) return std::nullopt;
  return set_limit(RLIMIT_AS, "RLIMIT_AS", limits.memory_bytes, limits.memory_bytes);
}

}  // namespace halyard::worker
