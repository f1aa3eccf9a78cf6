// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/guard.h"

#include "runtime/base/file_descriptor.h"
#include "runtime/worker/confinement.h"
#include "runtime/worker/confinement_policy.h"
#include "runtime/worker/privileges.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <string>

namespace halyard::worker {
namespace {

constexpr int kBadPolicy = 2;

std::optional<ConfinementPolicy> read_policy(int file) {
  struct stat status {};
  if (::fstat(file, &status) != 0 || status.st_size <= 0 ||
      status.st_size > static_cast<off_t>(kMaxPolicyBytes)) {
    return std::nullopt;
  }
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  return decode_policy(bytes);
}

class Guard {
 public:
  explicit Guard(const ConfinementPolicy& policy)
      : policy_(policy),
        control_(policy.control_file) {}

  void run() {
    if (policy_.is_namespaced) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);  // with the process that waits for it outside
    } else {
      ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    sigset_t child_ends{};
    ::sigemptyset(&child_ends);
    ::sigaddset(&child_ends, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_ends, nullptr);
    signals_.reset(::signalfd(-1, &child_ends, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_) return refuse({"watch its children", errno});
    if (auto failure = start()) return refuse(*failure);
    send({});
    watch();
    end_all();
  }

 private:
  // Starts the program; what keeps it from running comes over a pipe that its exec closes.
  std::optional<SetupFailure> start() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return SetupFailure{"make a pipe", errno};
    const base::FileDescriptor reading(ends[0]);
    base::FileDescriptor writing(ends[1]);
    program_ = ::fork();
    if (program_ < 0) return SetupFailure{"fork", errno};
    if (program_ == 0) {
      sigset_t none{};
      ::sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      const SetupFailure failure = confine_and_execute(policy_, writing.get());
      const std::string text = std::to_string(failure.code) + " " + failure.step;
      (void)!::write(writing.get(), text.data(), text.size());
      ::_exit(kBadPolicy);
    }
    writing.reset();
    close_inherited();
    keep_only_kill();
    std::array<char, 512> text{};
    const ssize_t got = read_all(reading.get(), text);
    if (got <= 0) return std::nullopt;
    char* step = nullptr;
    const long code = std::strtol(text.data(), &step, 10);
    ::waitpid(program_, nullptr, 0);
    return SetupFailure{step + 1, static_cast<int>(code)};
  }

  // Descriptors of the program, so that their other ends see when the program closes them.
  void close_inherited() const {
    for (int file = 0; file < 3; ++file)
      ::close(file);
    for (const int file : policy_.kept_files)
      ::close(file);
  }

  template <std::size_t size>
  static ssize_t read_all(int file, std::array<char, size>& text) {
    std::size_t done = 0;
    while (done + 1 < size) {
      const ssize_t got = ::read(file, text.data() + done, size - 1 - done);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(done);
  }

  // Until the program has ended, or the supervisor wants it to.
  void watch() {
    while (!has_ended()) {
      std::array<pollfd, 2> files = {{{control_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}}};
      if (::poll(files.data(), files.size(), -1) < 0 && errno != EINTR) return;
      if (files[0].revents != 0) return;
      signalfd_siginfo info{};
      while (::read(signals_.get(), &info, sizeof info) > 0) {
      }
    }
  }

  // Reaps what has ended but the program itself, whose number must stay taken: it is the number of
  // the process group too.
  bool has_ended() const {
    while (true) {
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) {
        return false;
      }
      if (info.si_pid == program_) return true;
      ::waitpid(info.si_pid, nullptr, 0);
    }
  }

  void end_all() {
    if (!policy_.is_namespaced) ::kill(-program_, SIGKILL);
    GuardReport report;
    report.kind = GuardReport::Kind::kEnded;
    if (::kill(program_, SIGKILL) != 0 && policy_.is_namespaced) {
      report.wait_status = SIGKILL;  // by the kernel, at the end of this process
      return send(report);
    }
    rusage usage{};
    if (::wait4(program_, &report.wait_status, 0, &usage) == program_) {
      const auto microseconds = [](const timeval& time) {
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 +
               static_cast<std::uint64_t>(time.tv_usec);
      };
      report.cpu_microseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
    }
    // In a namespace the kernel ends the rest, before this process is seen to end.
    if (!policy_.is_namespaced) {
      while (::waitpid(-1, nullptr, 0) > 0) {
      }
    }
    send(report);
  }

  void refuse(const SetupFailure& failure) const {
    GuardReport report;
    report.kind = GuardReport::Kind::kRefused;
    const std::string text = failure.step + ": " + std::strerror(failure.code);
    std::strncpy(report.reason, text.c_str(), sizeof report.reason - 1);
    send(report);
  }

  void send(const GuardReport& report) const {
    ::send(control_.get(), &report, sizeof report, MSG_NOSIGNAL);
  }

  const ConfinementPolicy& policy_;
  base::FileDescriptor control_;
  base::FileDescriptor signals_;
  pid_t program_ = 0;
};

}  // namespace

int run_guard(int policy_file) {
  const std::optional<ConfinementPolicy> policy = read_policy(policy_file);
  ::close(policy_file);
  if (!policy) return kBadPolicy;
  Guard(*policy).run();
  return 0;
}

}  // namespace halyard::worker
