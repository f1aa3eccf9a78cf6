// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/child_process.h"

#include "runtime/base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

namespace halyard::base {
namespace {

constexpr long kPidfdOpen = 434;
constexpr long kPidfdSendSignal = 424;

// For the system, which changes nothing of it.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts)
    all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// What a process is started with.
class SpawnOptions {
 public:
  SpawnOptions() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals{};
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;
  ~SpawnOptions() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  // `files` are those of the description, with sources past all of their numbers.
  void set_files(const std::vector<std::pair<int, int>>& files, int end) {
    std::set<int> numbers;
    for (const auto& [source, number] : files) {
      ::posix_spawn_file_actions_adddup2(&actions_, source, number);
      numbers.insert(number);
    }
    for (int number = 0; number < end; ++number) {
      if (numbers.count(number) != 0) continue;
      if (number < 3) {
        ::posix_spawn_file_actions_addopen(&actions_, number, "/dev/null", O_RDWR, 0);
      } else {
        ::posix_spawn_file_actions_addclose(&actions_, number);
      }
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, end);
  }

  int spawn(pid_t& pid, const ChildDesc& desc) {
    ::posix_spawn_file_actions_addchdir_np(&actions_, desc.directory.c_str());
    const std::vector<char*> arguments = pointers(desc.arguments);
    const std::vector<char*> environment = pointers(desc.environment);
    return ::posix_spawn(&pid, arguments[0], &actions_, &attributes_, arguments.data(),
                         environment.data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

Error start_error(const std::string& program, int code) {
  return Error(ErrorCode::kUnavailable,
               concat("\"", program, "\" does not start: ", std::strerror(code), "."));
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const ChildDesc& desc) {
  int end = 3;
  for (const auto& file : desc.files)
    end = std::max(end, file.second + 1);
  // A source may have the number that another is to get, so all are moved out of the way first.
  std::vector<FileDescriptor> copies;
  std::vector<std::pair<int, int>> files;
  for (const auto& [source, number] : desc.files) {
    copies.emplace_back(::fcntl(source, F_DUPFD_CLOEXEC, end));
    if (!copies.back()) return start_error(desc.arguments.front(), errno);
    files.emplace_back(copies.back().get(), number);
  }
  SpawnOptions options;
  options.set_files(files, end);
  pid_t pid = 0;
  if (const int code = options.spawn(pid, desc); code != 0) {
    return start_error(desc.arguments.front(), code);
  }
  FileDescriptor file(static_cast<int>(::syscall(kPidfdOpen, pid, 0U)));
  if (!file) {
    const int code = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return start_error(desc.arguments.front(), code);
  }
  return ChildProcess(pid, std::move(file));
}

bool ChildProcess::wait(std::chrono::milliseconds patience) {
  std::vector<bool> has_ended;
  wait_readable({file()}, has_ended, patience);
  if (!has_ended[0]) return false;
  while (::waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  return true;
}

void ChildProcess::kill() const {
  ::syscall(kPidfdSendSignal, file(), SIGKILL, nullptr, 0U);
}

void wait_readable(const std::vector<int>& files, std::vector<bool>& is_readable,
                   std::chrono::nanoseconds patience) {
  std::vector<pollfd> polled;
  polled.reserve(files.size());
  for (const int file : files)
    polled.push_back({file, POLLIN, 0});
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int count = 0;
  do {
    const auto left =
        std::max(std::chrono::nanoseconds{0}, deadline - std::chrono::steady_clock::now());
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec time{seconds.count(), (left - seconds).count()};
    count = ::ppoll(polled.data(), polled.size(), &time, nullptr);
  } while (count < 0 && errno == EINTR);
  is_readable.assign(files.size(), false);
  for (std::size_t i = 0; count > 0 && i < files.size(); ++i) {
    is_readable[i] = polled[i].revents != 0;
  }
}

}  // namespace halyard::base
