// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/process.h"

#include "runtime/base/text.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace halyard::toolchain {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t kMaxOutputBytes = 1 << 20;

// What a process is started with, and its release.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

std::string read_to_end(int file) {
  std::string output;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return output;
    if (output.size() < kMaxOutputBytes) output.append(buffer.data(), static_cast<size_t>(got));
  }
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  std::error_code code;
  if (name.find('/') != std::string::npos) {
    const std::filesystem::path path = std::filesystem::absolute(name, code);
    if (code) return std::nullopt;
    return path.lexically_normal().string();
  }
  for (const std::string_view folder : kProgramFolders) {
    std::string path = concat(folder, '/', name);
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

Result<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                  const std::string& directory) {
  const std::optional<std::string> program = find_program(arguments[0]);
  if (!program) {
    return Error(ErrorCode::kNotFound, concat("The program \"", arguments[0], "\" is not in ",
                                              base::join(kProgramFolders), '.'));
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error(ErrorCode::kIoError, concat("No pipe is made: ", std::strerror(errno), "."));
  }
  SpawnActions actions;
  posix_spawn_file_actions_addopen(actions.get(), 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), ends[1], 1);
  posix_spawn_file_actions_adddup2(actions.get(), ends[1], 2);
  posix_spawn_file_actions_addchdir_np(actions.get(), directory.c_str());
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::array<std::string, 2> variables = {concat("PATH=", base::join(kProgramFolders, ":")),
                                          "LC_ALL=C"};
  std::array<char*, 3> environment = {variables[0].data(), variables[1].data(), nullptr};
  pid_t pid = 0;
  const int code = ::posix_spawn(&pid, program->c_str(), actions.get(), nullptr, argv.data(),
                                 environment.data());
  ::close(ends[1]);
  if (code != 0) {
    ::close(ends[0]);
    return Error(code == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIoError,
                 concat("\"", arguments[0], "\" does not start: ", std::strerror(code), "."));
  }
  ProcessResult result;
  result.output = read_to_end(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace halyard::toolchain
