// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <sys/types.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace halyard::base {

struct ChildDesc {
  std::vector<std::string> arguments;      // the program's path first
  std::vector<std::pair<int, int>> files;  // ours to its number; 0, 1 and 2 are /dev/null otherwise
  std::vector<std::string> environment;    // "NAME=value"; nothing else is set
  std::string directory = "/";
};

// A child of this process, started without a shell, with no variable, descriptor, blocked signal or
// signal disposition of ours but what is listed.
class ChildProcess {
 public:
  // Errors: UNAVAILABLE.
  static Result<ChildProcess> start(const ChildDesc& desc);

  pid_t pid() const { return pid_; }
  // Readable once the process has ended.
  int file() const { return file_.get(); }
  // Reaps it when it ends within `patience`; false when it does not.
  bool wait(std::chrono::milliseconds patience);
  // As waitpid() gave it; -1 where the application ignores SIGCHLD, so that the kernel has reaped
  // it.
  int wait_status() const { return wait_status_; }
  void kill() const;

 private:
  ChildProcess(pid_t pid, FileDescriptor file) : pid_(pid), file_(std::move(file)) {}

  pid_t pid_;
  FileDescriptor file_;  // pidfd
  int wait_status_ = -1;
};

// Waits until one of `files` can be read or `patience` is over; which of them can be is told by
// `is_readable`, of the same size.
void wait_readable(const std::vector<int>& files, std::vector<bool>& is_readable,
                   std::chrono::nanoseconds patience);

}  // namespace halyard::base
