// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace halyard::toolchain {
namespace {

using ::testing::HasSubstr;

TEST(Process, GivesExitCodeAndBothOutputs) {
  const auto run = run_process({"sh", "-c", "echo out; echo err >&2; pwd; exit 3"}, "/usr");
  ASSERT_TRUE(run) << run.error().message();
  EXPECT_EQ(run->exit_code, 3);
  EXPECT_EQ(run->output, "out\nerr\n/usr\n");
}

TEST(Process, SignalsAreExitCodesFrom128) {
  const auto run = run_process({"sh", "-c", "kill -9 $$"}, "/");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->exit_code, 128 + 9);
}

TEST(Process, NothingOfTheEnvironmentIsInherited) {
  ::setenv("CPATH", "/canary", 1);
  ::setenv("LD_PRELOAD", "", 1);
  const auto run = run_process({"env"}, "/");
  ::unsetenv("CPATH");
  ::unsetenv("LD_PRELOAD");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "PATH=/usr/local/bin:/usr/bin:/bin\nLC_ALL=C\n");
}

TEST(Process, MissingProgramIsNotFound) {
  const auto run = run_process({"no-such-program"}, "/");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(run.error().message(),
            "The program \"no-such-program\" is not in /usr/local/bin, /usr/bin, /bin.");
}

TEST(Process, PathOfTheCallerFindsNoProgram) {
  const std::string saved = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const auto run = run_process({"true"}, "/");
  ::setenv("PATH", saved.c_str(), 1);
  EXPECT_TRUE(run);
}

TEST(Process, ProgramsAreFoundByNameAndPath) {
  EXPECT_EQ(find_program("/bin/../bin/sh"), "/bin/sh");
  EXPECT_THAT(find_program("env").value_or(""), HasSubstr("/env"));
  EXPECT_EQ(find_program("no-such-program"), std::nullopt);
}

}  // namespace
}  // namespace halyard::toolchain
