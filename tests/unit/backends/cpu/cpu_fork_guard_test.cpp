// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu_fork_guard.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace halyard::cpu {
namespace {

TEST(CpuForkGuard, TellsTheChildFromTheParent) {
  const CpuForkGuard guard;
  EXPECT_FALSE(guard.in_child());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto status = guard.check();
    const bool refused = guard.in_child() && !status &&
                         status.error().code() == base::ErrorCode::kUnavailable &&
                         status.error().message().find("forked child") != std::string::npos;
    ::_exit(refused ? 0 : 1);
  }
  int code = -1;
  ASSERT_EQ(::waitpid(child, &code, 0), child);
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(guard.check());
}

}  // namespace
}  // namespace halyard::cpu
