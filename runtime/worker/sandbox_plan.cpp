// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox_plan.h"

#include "runtime/base/text.h"
#include "runtime/worker/sandbox_user.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

constexpr const char* kConfineInside = "/worker/halyard-confine";
constexpr int kMaxFileNumber = 128;
constexpr std::array kPlainDevices = {"/dev/null", "/dev/zero", "/dev/urandom"};

// A process that is built with one of these reserves terabytes of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

Error invalid(const std::string& sentence) {
  return Error(ErrorCode::kInvalidArgument, sentence);
}

bool is_plain_path(const std::string& path) {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string::npos) return false;
  return (path + "/").find("/../") == std::string::npos;
}

base::Status check_path(const char* what, const std::string& path) {
  if (is_plain_path(path)) return base::ok();
  return invalid(concat(what, " \"", path, "\" is not an absolute path without \"..\"."));
}

base::Status check_paths(Isolation isolation, const SandboxDesc& desc) {
  for (const VisiblePath& path : desc.visible) {
    HALYARD_TRY(check_path("The visible path", path.host));
    HALYARD_TRY(check_path("The visible path", path.inside));
    if (::access(path.host.c_str(), F_OK) != 0) {
      return invalid(concat("The visible path \"", path.host, "\" does not exist."));
    }
    if (isolation != Isolation::kFull && path.inside != path.host) {
      return invalid(concat("The path \"", path.host, "\" cannot be seen as \"", path.inside,
                            "\" without namespaces."));
    }
  }
  if (desc.output_folder) {
    HALYARD_TRY(check_path("The output folder", *desc.output_folder));
    if (::access(desc.output_folder->c_str(), F_OK) != 0) {
      return invalid(concat("The output folder \"", *desc.output_folder, "\" does not exist."));
    }
  }
  for (const std::string& node : desc.device_nodes) {
    HALYARD_TRY(check_path("The device node", node));
    if (desc.profile != SyscallProfile::kDevice || !node.starts_with("/dev/")) {
      return invalid(concat("The device node \"", node,
                            "\" is not below /dev, or the profile is not that of devices."));
    }
  }
  return check_path("The working directory", desc.working_directory);
}

base::Status check_files(const SandboxDesc& desc) {
  std::set<int> numbers;
  for (const auto& [ours, number] : desc.files) {
    if (number < 3 || number > kMaxFileNumber || !numbers.insert(number).second) {
      return invalid(concat("The descriptor number ", number, " is outside 3 to ", kMaxFileNumber,
                            ", or stands twice."));
    }
    struct stat status {};
    if (::fstat(ours, &status) != 0) {
      return invalid(concat("The descriptor ", ours, " is not open."));
    }
    if (!S_ISSOCK(status.st_mode)) continue;
    int domain = 0;
    int type = 0;
    socklen_t size = sizeof domain;
    ::getsockopt(ours, SOL_SOCKET, SO_DOMAIN, &domain, &size);
    ::getsockopt(ours, SOL_SOCKET, SO_TYPE, &type, &size);
    // Through one that is not connected, any other of the host could be spoken to.
    if (domain != AF_UNIX || type == SOCK_DGRAM) {
      return invalid(
          concat("The descriptor ", ours, " is a socket, but not a connected local one."));
    }
  }
  return base::ok();
}

base::Status check_texts(const SandboxDesc& desc) {
  if (desc.arguments.empty()) return invalid("A confined process has no program.");
  HALYARD_TRY(check_path("The program", desc.arguments.front()));
  for (const std::string& argument : desc.arguments) {
    if (argument.find('\0') != std::string::npos) return invalid("An argument holds a zero byte.");
  }
  for (const std::string& variable : desc.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == 0 || equals == std::string::npos || variable.find('\0') != std::string::npos) {
      return invalid(concat("\"", variable, "\" is not of the form NAME=value."));
    }
  }
  const ResourceLimits& limits = desc.limits;
  if (limits.wall.count() <= 0 || limits.cpu.count() <= 0 || limits.memory_bytes == 0 ||
      limits.processes == 0) {
    return invalid("A limit of time, memory or processes is not above zero.");
  }
  return base::ok();
}

// What Landlock lets it reach; the paths as they are seen inside.
std::vector<PathRule> path_rules(bool is_namespaced, const SandboxDesc& desc) {
  std::vector<PathRule> rules;
  for (const VisiblePath& path : desc.visible) {
    rules.push_back({path.inside, kReadPath | kExecutePath});
  }
  if (desc.output_folder) {
    rules.push_back({is_namespaced ? "/out" : *desc.output_folder, kReadPath | kWritePath});
  }
  rules.push_back({"/dev/null", kReadPath | kWritePath});
  rules.push_back({"/dev/zero", kReadPath});
  rules.push_back({"/dev/urandom", kReadPath});
  for (const std::string& node : desc.device_nodes) {
    rules.push_back({node, kReadPath | kWritePath | kDevicePath});
  }
  if (is_namespaced && desc.profile == SyscallProfile::kCompile) {
    rules.push_back({"/tmp", kReadPath | kWritePath});
  }
  if (is_namespaced && desc.profile == SyscallProfile::kDevice) {
    rules.push_back({"/proc", kReadPath});
  }
  return rules;
}

ProcessLimits process_limits(bool is_namespaced, std::uint32_t user, const SandboxDesc& desc) {
  ProcessLimits limits;
  if (!kIsSanitized || desc.profile == SyscallProfile::kCompile) {
    limits.memory_bytes = desc.limits.memory_bytes;
  }
  limits.file_bytes = desc.limits.file_bytes;
  limits.cpu_seconds = static_cast<std::uint64_t>(desc.limits.cpu.count());
  // The limit counts all that the user runs: of a user of its own, or in a user namespace of its
  // own, only what is inside. The guard counts where it is the same user.
  limits.user_processes = desc.limits.processes;
  if (user == 0) limits.user_processes += is_namespaced ? 1 : 1 + count_user_tasks();
  return limits;
}

void add(std::vector<std::string>& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

// bubblewrap makes folders that its own user alone may pass, and access() asks for the real user,
// who is another one inside.
void add_open_parents(std::vector<std::string>& arguments,
                      const std::vector<VisiblePath>& visible) {
  std::set<std::string> parents;
  for (const VisiblePath& path : visible) {
    for (std::size_t at = path.inside.rfind('/'); at != 0; at = path.inside.rfind('/', at - 1)) {
      parents.insert(path.inside.substr(0, at));
    }
  }
  for (const std::string& parent : parents) {
    arguments.insert(arguments.end(), {"--dir", parent});
  }
}

std::vector<std::string> bubblewrap_arguments(const std::string& guard, std::uint32_t user,
                                              const SandboxDesc& desc) {
  std::vector<std::string> all = {bubblewrap_program(),
                                  "--unshare-ipc",
                                  "--unshare-pid",
                                  "--unshare-net",
                                  "--unshare-uts",
                                  "--unshare-cgroup-try",
                                  "--as-pid-1",
                                  "--new-session",
                                  "--clearenv",
                                  "--cap-drop",
                                  "ALL"};
  if (user != 0) {
    // What the guard needs to become that user, and to end what that user runs.
    for (const char* const capability :
         {"CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP", "CAP_DAC_OVERRIDE", "CAP_KILL"}) {
      add(all, {"--cap-add", capability});
    }
  } else {
    add(all, {"--unshare-user", "--uid", "65534", "--gid", "65534"});
  }
  // These come first, as what is visible may lie below them.
  std::vector<VisiblePath> nodes;
  nodes.reserve(kPlainDevices.size() + desc.device_nodes.size());
  for (const char* const node : kPlainDevices)
    nodes.push_back({node, node});
  for (const std::string& node : desc.device_nodes)
    nodes.push_back({node, node});
  add_open_parents(all, nodes);
  for (const VisiblePath& node : nodes)
    add(all, {"--dev-bind", node.host, node.inside});
  if (desc.profile == SyscallProfile::kCompile) {
    add(all,
        {"--perms", "1777", "--size", std::to_string(desc.limits.file_bytes), "--tmpfs", "/tmp"});
  }
  // A library in sealed memory is loaded by way of /proc/self/fd. Landlock lets nothing of /proc be
  // read there, but for drivers.
  if (desc.profile != SyscallProfile::kCompile) add(all, {"--proc", "/proc"});
  std::vector<VisiblePath> visible = desc.visible;
  visible.push_back({guard, kConfineInside});
  // A folder comes before what lies in it.
  std::stable_sort(visible.begin(), visible.end(), [](const VisiblePath& a, const VisiblePath& b) {
    return a.inside.size() < b.inside.size();
  });
  add_open_parents(all, visible);
  for (const VisiblePath& path : visible)
    add(all, {"--ro-bind", path.host, path.inside});
  if (desc.output_folder) add(all, {"--bind", *desc.output_folder, "/out"});
  add(all, {"--remount-ro", "/", "--", kConfineInside});
  return all;
}

}  // namespace

std::string bubblewrap_program() {
  for (const char* const path : {"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"}) {
    if (::access(path, X_OK) == 0) return path;
  }
  return {};
}

std::string confine_program(const std::string& worker_program) {
  return worker_program.substr(0, worker_program.rfind('/') + 1) + "halyard-confine";
}

base::Result<SandboxPlan> plan_sandbox(const std::string& worker_program, Isolation isolation,
                                       const SandboxDesc& desc) {
  HALYARD_TRY(check_texts(desc));
  HALYARD_TRY(check_paths(isolation, desc));
  HALYARD_TRY(check_files(desc));
  HALYARD_TRY(check_path("The worker program", worker_program));
  SandboxPlan plan;
  ConfinementPolicy& policy = plan.policy;
  const std::string guard = confine_program(worker_program);
  const bool is_namespaced = isolation == Isolation::kFull;
  for (const auto& file : desc.files) {
    policy.kept_files.push_back(file.second);
    plan.policy_file = std::max(plan.policy_file, file.second + 1);
  }
  std::sort(policy.kept_files.begin(), policy.kept_files.end());
  policy.control_file = plan.policy_file + 1;
  policy.profile = desc.profile;
  policy.is_namespaced = is_namespaced;
  if (isolation == Isolation::kNone) {
    policy.has_landlock = false;
    policy.has_filter = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  }
  policy.user = choose_sandbox_user();
  policy.limits = process_limits(is_namespaced, policy.user, desc);
  policy.working_directory = desc.working_directory;
  policy.paths = path_rules(is_namespaced, desc);
  policy.arguments = desc.arguments;
  policy.environment = desc.environment;
  if (is_namespaced) {
    plan.arguments = bubblewrap_arguments(guard, policy.user, desc);
  } else {
    plan.arguments = {guard};
  }
  plan.arguments.push_back(std::to_string(plan.policy_file));
  return plan;
}

}  // namespace halyard::worker
