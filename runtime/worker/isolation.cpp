// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/isolation.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"
#include "runtime/worker/landlock.h"
#include "runtime/worker/sandbox.h"
#include "runtime/worker/sandbox_plan.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

namespace halyard::worker {

// Tries each mechanism on this machine.
class IsolationProbe {
 public:
  explicit IsolationProbe(const std::string& worker_program) : worker_program_(worker_program) {}

  IsolationReport run() const {
    IsolationReport report;
    const IsolationMechanism seccomp = find_seccomp();
    const IsolationMechanism landlock = find_landlock();
    IsolationMechanism confinement{"confinement", true, "tried"};
    if (auto failure = attempt(Isolation::kReduced)) {
      confinement.is_available = false;
      confinement.detail = *failure;
    }
    IsolationMechanism bubblewrap = find_bubblewrap();
    if (confinement.is_available) report.level = Isolation::kReduced;
    if (confinement.is_available && bubblewrap.is_available) {
      if (auto failure = attempt(Isolation::kFull)) {
        bubblewrap.is_available = false;
        bubblewrap.detail = *failure;
      } else {
        report.level = Isolation::kFull;
      }
    }
    report.mechanisms = {bubblewrap, seccomp, landlock, {"rlimits", true, "of the system"}};
    if (!confinement.is_available) report.mechanisms.push_back(confinement);
    return report;
  }

 private:
  static IsolationMechanism find_seccomp() {
    if (::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0) return {"seccomp", true, "filter"};
    return {"seccomp", false, concat_reason("The kernel has no seccomp")};
  }

  static IsolationMechanism find_landlock() {
    if (const int abi = landlock_abi(); abi > 0) {
      return {"landlock", true, base::concat("ABI ", abi)};
    }
    return {"landlock", false, concat_reason("The kernel offers no Landlock")};
  }

  static std::string concat_reason(const char* what) {
    return base::concat(what, ": ", std::strerror(errno), ".");
  }

  static IsolationMechanism find_bubblewrap() {
    const std::string program = bubblewrap_program();
    if (program.empty()) return {"bubblewrap", false, "bwrap is not installed."};
    auto run = toolchain::run_process({program, "--version"}, "/", toolchain::kShortPatience);
    if (!run) return {"bubblewrap", false, run.error().message()};
    while (!run->output.empty() && run->output.back() == '\n')
      run->output.pop_back();
    if (run->exit_code == 0) return {"bubblewrap", true, run->output};
    return {"bubblewrap", false,
            base::concat("\"", program, "\" fails with the status ", run->exit_code, ".")};
  }

  // Starts a program that does nothing; what is wrong, or nothing.
  std::optional<std::string> attempt(Isolation isolation) const {
    const std::string program = confine_program(worker_program_);
    SandboxDesc desc;
    const std::string inside = isolation == Isolation::kFull ? "/program" : program;
    desc.arguments = {inside, "nothing"};
    desc.profile = SyscallProfile::kWorker;
    desc.limits.wall = std::chrono::milliseconds{5'000};
    desc.visible = {{program, inside}};
    auto process = SandboxedProcess::start_unprobed(worker_program_, isolation, desc);
    if (!process) return process.error().message();
    const SandboxExit exit = process->wait();
    if (exit.kind == SandboxExit::Kind::kExited && exit.code == 0) return std::nullopt;
    return base::concat("A program that does nothing ends confined with ", exit.code, ".");
  }

  std::string worker_program_;
};

std::string_view isolation_name(Isolation isolation) {
  switch (isolation) {
    case Isolation::kFull:
      return "full";
    case Isolation::kReduced:
      return "reduced";
    case Isolation::kNone:
      break;
  }
  return "none";
}

std::string IsolationReport::shortfall() const {
  if (level == Isolation::kFull) return {};
  std::vector<std::string> reasons;
  for (const IsolationMechanism& mechanism : mechanisms) {
    if (mechanism.is_available) continue;
    std::string reason = mechanism.detail;
    while (!reason.empty() && reason.back() == '.')
      reason.pop_back();
    reasons.push_back(base::concat(mechanism.name, " (", reason, ")"));
  }
  return base::concat("The isolation is ", isolation_name(level), " for want of ",
                      base::join(reasons, ", "), ".");
}

const IsolationReport& probe_isolation(const std::string& worker_program) {
  // Entries stay where they are, and are never changed.
  struct Found {
    std::mutex mutex;  // guards `reports`
    std::map<std::string, IsolationReport> reports;
  };
  static Found* const found = new Found;  // outlives whatever asks at the end of the process
  const std::lock_guard<std::mutex> lock(found->mutex);
  const auto entry = found->reports.find(worker_program);
  if (entry != found->reports.end()) return entry->second;
  return found->reports.emplace(worker_program, IsolationProbe(worker_program).run()).first->second;
}

}  // namespace halyard::worker
