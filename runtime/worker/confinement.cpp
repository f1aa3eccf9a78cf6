// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/confinement.h"

#include "runtime/worker/landlock.h"
#include "runtime/worker/privileges.h"
#include "runtime/worker/sandbox.h"
#include "runtime/worker/syscall_filter.h"

#include <linux/close_range.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace halyard::worker {
namespace {

constexpr std::size_t kPathBytes = 4096;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

std::optional<SetupFailure> close_others(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned first = 3;
  for (const int file : kept) {
    const auto number = static_cast<unsigned>(file);
    if (number > first && ::syscall(SYS_close_range, first, number - 1, 0) != 0) {
      return SetupFailure{"close other descriptors", errno};
    }
    first = std::max(first, number + 1);
  }
  if (::syscall(SYS_close_range, first, UINT_MAX, 0) == 0) return std::nullopt;
  return SetupFailure{"close other descriptors", errno};
}

// A copy of `path` at an address that nothing but the filter knows.
const char* hide_path(const std::string& path) {
  if (path.size() >= kPathBytes) return nullptr;
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) return nullptr;
  const std::uint64_t address = (random & 0x3fff'ffff'f000U) | 0x1'0000'0000U;
  auto* const wanted = reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
  void* const page =
      ::mmap(wanted, kPathBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  std::memcpy(page, path.c_str(), path.size() + 1);
  return static_cast<const char*>(page);
}

std::optional<SetupFailure> restrict_files(const ConfinementPolicy& policy) {
  LandlockRules rules;
  if (auto failure = rules.create()) return failure;
  for (const PathRule& rule : policy.paths) {
    if (auto failure = rules.allow(rule)) return failure;
  }
  return rules.restrict_self();
}

std::optional<SetupFailure> enter(const ConfinementPolicy& policy, int report_file) {
  // A session of its own, which the filter does not let it leave: so all that it starts is one
  // process group, and killed as one.
  if (::setsid() < 0) return SetupFailure{"make a session", errno};
  ::umask(022);
  std::vector<int> kept(policy.kept_files.begin(), policy.kept_files.end());
  kept.push_back(report_file);
  if (auto failure = close_others(std::move(kept))) return failure;
  if (::chdir(policy.working_directory.c_str()) != 0) {
    return SetupFailure{"enter \"" + policy.working_directory + "\"", errno};
  }
  if (auto failure = set_process_limits(policy.limits)) return failure;
  if (auto failure = drop_privileges(policy.user)) return failure;
  // After the change of user, which resets it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return SetupFailure{"set no_new_privs", errno};
  }
  return policy.has_landlock ? restrict_files(policy) : std::nullopt;
}

}  // namespace

SetupFailure confine_and_execute(const ConfinementPolicy& policy, int report_file) {
  const std::vector<char*> arguments = pointers(policy.arguments);
  const std::vector<char*> environment = pointers(policy.environment);
  const char* const program = hide_path(policy.arguments.front());
  if (program == nullptr) return SetupFailure{"place the program's path", errno};
  if (auto failure = enter(policy, report_file)) return *failure;
  SyscallFilterDesc filter;
  filter.profile = policy.profile;
  filter.are_signals_scoped =
      policy.is_namespaced || (policy.has_landlock && landlock_abi() >= kLandlockAbiOfSignals);
  filter.self = ::getpid();
  if (policy.profile != SyscallProfile::kCompile) filter.program = program;
  if (auto failure = set_memory_limit(policy.limits)) return *failure;
  if (policy.has_filter) {
    if (auto failure = load_syscall_filter(filter)) return *failure;
  }
  ::execve(program, arguments.data(), environment.data());
  return SetupFailure{"execute \"" + policy.arguments.front() + "\"", errno};
}

}  // namespace halyard::worker
