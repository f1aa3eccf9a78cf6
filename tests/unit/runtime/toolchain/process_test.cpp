// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
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

TEST(Process, NoDescriptorIsInherited) {
  const int inherited = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as others may do
  const auto run = run_process({"sh", "-c", "ls /proc/$$/fd; true"}, "/");
  ::close(inherited);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->output, "0\n1\n2\n");
}

TEST(Process, OutputPastTheLimitIsLeftOut) {
  const auto run = run_process({"sh", "-c", "head -c 3000000 /dev/zero; exit 4"}, "/");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->exit_code, 4);
  EXPECT_EQ(run->output.size(), std::size_t{1} << 20);
}

TEST(Process, EndsAtTheDeadline) {
  const std::chrono::milliseconds patience(50);
  for (const std::string script : {"exec sleep 600", "exec >&- 2>&-; exec sleep 600"}) {
    const auto run = run_process({"sh", "-c", script}, "/", patience);
    ASSERT_FALSE(run) << script;
    EXPECT_EQ(run.error().code(), base::ErrorCode::kDeadlineExceeded);
    EXPECT_EQ(run.error().message(), "\"sh\" does not end within 50 ms.");
  }
}

TEST(Process, FolderThatIsNotThereIsAnError) {
  const auto run = run_process({"true"}, "/no-such-folder");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(run.error().message(), "\"/usr/bin/true\" does not start: No such file or directory.");
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
