// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox.h"

#include "runtime/base/child_process.h"
#include "runtime/base/text.h"
#include "runtime/worker/sandbox_plan.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace halyard::worker {
namespace {

using base::ChildProcess;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::FileDescriptor;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

constexpr milliseconds kStartPatience{10'000};
constexpr milliseconds kKillPatience{1'000};  // twice: the guard's, then our own signal's

Error unavailable(std::string_view what, int code) {
  return Error(ErrorCode::kUnavailable, concat(what, ": ", std::strerror(code), "."));
}

base::Result<FileDescriptor> seal_policy(const ConfinementPolicy& policy) {
  const std::string bytes = encode_policy(policy);
  if (bytes.size() > kMaxPolicyBytes) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The description of a confined process (", bytes.size(),
                        " bytes) is larger than ", kMaxPolicyBytes, " bytes."));
  }
  FileDescriptor file(::memfd_create("halyard-policy", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return unavailable("No file is made in memory", errno);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0) return unavailable("A file in memory is not written", errno);
    done += static_cast<std::size_t>(count);
  }
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (::fcntl(file.get(), F_ADD_SEALS, kSeals) != 0) {
    return unavailable("A file in memory is not sealed", errno);
  }
  return file;
}

std::string without_line_end(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

}  // namespace

struct SandboxedProcess::State {
  State(ChildProcess started, FileDescriptor control_end, FileDescriptor output_end,
        Isolation level, const SandboxDesc& desc)
      : child(std::move(started)),
        control(std::move(control_end)),
        output(std::move(output_end)),
        isolation(level),
        profile(desc.profile),
        limits(desc.limits) {}

  // Reads what is there, waiting up to `patience` for it; true once the process has ended.
  bool read_within(nanoseconds patience);
  // The same for a process that has ended, but for what it started.
  void read_ends(nanoseconds patience);
  void read_output();
  void read_report();
  SandboxExit conclude(SandboxExit::Kind killed_as);
  void classify(SandboxExit& exit, SandboxExit::Kind killed_as) const;
  SandboxExit kill(SandboxExit::Kind as);
  bool end_within(milliseconds patience);

  ChildProcess child;  // bubblewrap, or the guard itself
  FileDescriptor control;
  FileDescriptor output;
  Isolation isolation;
  SyscallProfile profile;
  ResourceLimits limits;
  steady_clock::time_point begin = steady_clock::now();
  bool has_overflowed = false;
  std::string text;
  std::optional<GuardReport> report;  // the latest
  std::optional<SandboxExit> exit;
};

void SandboxedProcess::State::read_output() {
  std::array<char, 65536> buffer;
  while (!has_overflowed) {
    const ssize_t got = ::read(output.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return;  // nothing there yet
    if (got == 0) return output.reset();
    const auto count = static_cast<std::size_t>(got);
    const std::size_t room = limits.output_bytes - text.size();
    text.append(buffer.data(), std::min(count, room));
    has_overflowed = count > room;
  }
}

void SandboxedProcess::State::read_report() {
  GuardReport received;
  const ssize_t got = ::recv(control.get(), &received, sizeof received, MSG_DONTWAIT);
  if (got == static_cast<ssize_t>(sizeof received)) {
    received.reason[sizeof received.reason - 1] = '\0';
    report = received;
  } else if (got == 0) {
    control.reset();
  }
}

void SandboxedProcess::State::read_ends(nanoseconds patience) {
  std::vector<bool> is_readable;
  base::wait_readable({control.get(), output.get()}, is_readable, patience);
  if (is_readable[0]) read_report();
  if (!is_readable[1]) return;
  read_output();
  if (has_overflowed) output.reset();
}

bool SandboxedProcess::State::read_within(nanoseconds patience) {
  std::vector<bool> is_readable;
  // Past its limit, output stays in the pipe. poll() passes over what is closed.
  const int output_file = has_overflowed ? -1 : output.get();
  base::wait_readable({child.file(), control.get(), output_file}, is_readable, patience);
  if (is_readable[2] || is_readable[0]) read_output();
  if (is_readable[1] || is_readable[0]) read_report();
  return is_readable[0];
}

void SandboxedProcess::State::classify(SandboxExit& result, SandboxExit::Kind killed_as) const {
  using Kind = SandboxExit::Kind;
  const bool is_known = report && report->kind == GuardReport::Kind::kEnded;
  const int status = is_known ? report->wait_status : SIGKILL;
  const bool has_spent_cpu =
      is_known && std::chrono::microseconds(report->cpu_microseconds) >= limits.cpu;
  if (WIFEXITED(status)) {
    result.kind = Kind::kExited;
    result.code = WEXITSTATUS(status);
    // A driver of compilers outlives the child whose time is over.
    if (result.code != 0 && has_spent_cpu) result.kind = Kind::kCpuLimit;
    return;
  }
  result.code = WTERMSIG(status);
  result.kind = Kind::kSignalled;
  if (result.code == SIGSYS) result.kind = Kind::kViolation;
  if (result.code == SIGXCPU) result.kind = Kind::kCpuLimit;
  if (result.code == SIGKILL) result.kind = has_spent_cpu ? Kind::kCpuLimit : killed_as;
}

SandboxExit SandboxedProcess::State::conclude(SandboxExit::Kind killed_as) {
  child.wait(milliseconds{0});
  read_output();
  SandboxExit result;
  result.wall = steady_clock::now() - begin;
  classify(result, killed_as);
  if (has_overflowed) result.kind = SandboxExit::Kind::kOutputLimit;
  result.output = std::move(text);
  control.reset();
  output.reset();
  exit = std::move(result);
  return *exit;
}

bool SandboxedProcess::State::end_within(milliseconds patience) {
  const auto deadline = steady_clock::now() + patience;
  while (true) {
    const auto left = deadline - steady_clock::now();
    if (read_within(std::max<nanoseconds>(left, nanoseconds{0}))) return true;
    if (left <= nanoseconds{0}) return false;
  }
}

SandboxExit SandboxedProcess::State::kill(SandboxExit::Kind as) {
  if (exit) return *exit;
  // The guard ends everything when it can read the end of this, and still reports.
  if (control) ::shutdown(control.get(), SHUT_WR);
  bool has_ended = end_within(kKillPatience);
  if (!has_ended) {
    child.kill();
    has_ended = end_within(kKillPatience);
    // The kernel ends what is below it a moment later, and with it the last writers.
    const auto deadline = steady_clock::now() + kKillPatience;
    while (has_ended && (control || output) && steady_clock::now() < deadline) {
      read_ends(deadline - steady_clock::now());
    }
  }
  if (has_ended) return conclude(as);
  SandboxExit result;
  result.kind = SandboxExit::Kind::kUnkillable;
  result.code = SIGKILL;
  result.wall = steady_clock::now() - begin;
  result.output = std::move(text);
  control.reset();
  output.reset();
  exit = std::move(result);
  return *exit;
}

SandboxedProcess::SandboxedProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
SandboxedProcess::SandboxedProcess(SandboxedProcess&&) noexcept = default;
SandboxedProcess& SandboxedProcess::operator=(SandboxedProcess&& other) noexcept {
  if (this != &other) {
    if (state_) state_->kill(SandboxExit::Kind::kSignalled);
    state_ = std::move(other.state_);
  }
  return *this;
}
SandboxedProcess::~SandboxedProcess() {
  if (state_) state_->kill(SandboxExit::Kind::kSignalled);
}

base::Result<SandboxedProcess> SandboxedProcess::start(const std::string& worker_program,
                                                       Isolation isolation,
                                                       const SandboxDesc& desc) {
  const IsolationReport& report = probe_isolation(worker_program);
  if (isolation > report.level) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The isolation \"", isolation_name(isolation),
                        "\" is above what this machine gives (\"", isolation_name(report.level),
                        "\"): ", report.shortfall()));
  }
  return start_unprobed(worker_program, isolation, desc);
}

base::Result<SandboxedProcess> SandboxedProcess::start_unprobed(const std::string& worker_program,
                                                                Isolation isolation,
                                                                const SandboxDesc& desc) {
  HALYARD_TRY_ASSIGN(SandboxPlan plan, plan_sandbox(worker_program, isolation, desc));
  HALYARD_TRY_ASSIGN(const FileDescriptor policy, seal_policy(plan.policy));
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return unavailable("No pipe is made", errno);
  FileDescriptor output(ends[0]);
  FileDescriptor output_inside(ends[1]);
  ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return unavailable("No pair of sockets is made", errno);
  }
  FileDescriptor control(ends[0]);
  FileDescriptor control_inside(ends[1]);
  base::ChildDesc child;
  child.arguments = std::move(plan.arguments);
  child.files = desc.files;
  child.files.insert(child.files.end(), {{output_inside.get(), 1},
                                         {output_inside.get(), 2},
                                         {policy.get(), plan.policy_file},
                                         {control_inside.get(), plan.policy.control_file}});
  HALYARD_TRY_ASSIGN(ChildProcess started, ChildProcess::start(child));
  control_inside.reset();
  output_inside.reset();
  SandboxedProcess process(std::make_unique<State>(std::move(started), std::move(control),
                                                   std::move(output), isolation, desc));
  State& state = *process.state_;
  const auto deadline = state.begin + std::min(desc.limits.wall, kStartPatience);
  bool has_ended = false;
  while (!state.report && !has_ended && steady_clock::now() < deadline) {
    has_ended = state.read_within(deadline - steady_clock::now());
  }
  if (state.report && state.report->kind != GuardReport::Kind::kRefused) return process;
  std::string reason = "it does not answer in time";
  if (state.report) {
    reason = concat("the system does not ", state.report->reason);
  } else if (has_ended) {
    reason = without_line_end(state.text);
  }
  return Error(ErrorCode::kUnavailable,
               concat("\"", desc.arguments.front(), "\" does not start confined: ", reason, "."));
}

SandboxExit SandboxedProcess::wait() {
  State& state = *state_;
  if (state.exit) return *state.exit;
  const auto deadline = state.begin + state.limits.wall;
  while (true) {
    // Known since the start, where the program is fast: it waits for its pipe to be read now.
    if (state.has_overflowed) return state.kill(SandboxExit::Kind::kOutputLimit);
    const auto left = deadline - steady_clock::now();
    if (state.read_within(std::max<nanoseconds>(left, nanoseconds{0}))) {
      return state.conclude(SandboxExit::Kind::kSignalled);
    }
    if (left <= nanoseconds{0}) return state.kill(SandboxExit::Kind::kWallLimit);
  }
}

std::optional<SandboxExit> SandboxedProcess::poll(milliseconds patience) {
  State& state = *state_;
  if (!state.exit && state.end_within(patience)) {
    state.conclude(SandboxExit::Kind::kSignalled);
  }
  return state.exit;
}

SandboxExit SandboxedProcess::kill() {
  return state_->kill(SandboxExit::Kind::kSignalled);
}

pid_t SandboxedProcess::pid() const {
  return state_->child.pid();
}

Isolation SandboxedProcess::isolation() const {
  return state_->isolation;
}

base::Result<SandboxExit> run_sandboxed(const std::string& worker_program, Isolation isolation,
                                        const SandboxDesc& desc) {
  HALYARD_TRY_ASSIGN(SandboxedProcess process,
                     SandboxedProcess::start(worker_program, isolation, desc));
  return process.wait();
}

}  // namespace halyard::worker
