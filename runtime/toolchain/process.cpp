// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/process.h"

#include "runtime/base/child_process.h"
#include "runtime/base/text.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

// Everything that is written until `deadline`; false when the other end is still open then. What is
// past the limit is read and left out, so that nobody waits for room.
bool read_to_end(int file, std::chrono::steady_clock::time_point deadline, std::string& output) {
  std::array<char, 4096> buffer;
  std::vector<bool> is_readable;
  while (true) {
    base::wait_readable({file}, is_readable, deadline - std::chrono::steady_clock::now());
    if (!is_readable[0]) return false;
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    const std::size_t room = kMaxOutputBytes - output.size();
    output.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

int exit_code_of(int wait_status) {
  if (wait_status == -1) return 0;  // The application ignores SIGCHLD, and nobody knows.
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
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
                                  const std::string& directory,
                                  std::chrono::milliseconds patience) {
  const std::optional<std::string> program = find_program(arguments[0]);
  if (!program) {
    return Error(ErrorCode::kNotFound, concat("The program \"", arguments[0], "\" is not in ",
                                              base::join(kProgramFolders), '.'));
  }
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error(ErrorCode::kUnavailable, concat("No pipe is made: ", std::strerror(errno), "."));
  }
  const base::FileDescriptor reading(ends[0]);
  base::FileDescriptor writing(ends[1]);
  base::ChildDesc desc;
  desc.arguments = arguments;
  desc.arguments.front() = *program;
  desc.files = {{writing.get(), 1}, {writing.get(), 2}};
  desc.environment = {concat("PATH=", base::join(kProgramFolders, ":")), "LC_ALL=C"};
  desc.directory = directory;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  HALYARD_TRY_ASSIGN(base::ChildProcess child, base::ChildProcess::start(desc));
  writing.reset();
  ProcessResult result;
  const bool is_whole = read_to_end(reading.get(), deadline, result.output);
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (!is_whole || !child.wait(left)) {
    child.kill();
    child.wait(kShortPatience);
    return Error(ErrorCode::kDeadlineExceeded,
                 concat("\"", arguments[0], "\" does not end within ", patience.count(), " ms."));
  }
  result.exit_code = exit_code_of(child.wait_status());
  return result;
}

}  // namespace halyard::toolchain
