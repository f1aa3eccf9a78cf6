// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <string>

namespace halyard::tests {

// Runs `body` in a forked child, which has 20 seconds. What it returns is what is wrong there, and
// is printed; true when that was nothing.
inline bool passes_in_child(const std::function<std::string()>& body) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    const std::string wrong = body();
    std::fputs(wrong.c_str(), stderr);
    ::_exit(wrong.empty() ? 0 : 1);
  }
  int status = -1;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return false;
  if (WIFSIGNALED(status)) std::printf("The child died of signal %d.\n", WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace halyard::tests
