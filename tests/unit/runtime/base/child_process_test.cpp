// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/child_process.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace halyard::base {
namespace {

constexpr std::chrono::seconds kPatience{20};

// What a shell's script writes, as its descriptor 1 and 7; the process has ended with success.
std::string output_of(ChildDesc desc) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  desc.files = {{writing.get(), 1}, {writing.get(), 7}};
  auto child = ChildProcess::start(desc);
  writing.reset();
  if (!child) return child.error().message();
  std::string output(4096, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(got)) {
    got = ::read(reading.get(), output.data() + size, output.size() - size);
    if (got < 0) break;
  }
  EXPECT_TRUE(child->wait(kPatience));
  EXPECT_EQ(child->wait_status(), 0);
  output.resize(size);
  return output;
}

TEST(ChildProcess, HasTheDescriptorsVariablesAndFolderOfItsDescription) {
  const int inherited = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as others may do
  EXPECT_EQ(output_of({{"/bin/sh", "-c", "ls /proc/$$/fd; true"}, {}, {}, "/"}), "0\n1\n2\n7\n");
  EXPECT_EQ(output_of({{"/bin/sh", "-c", "pwd; echo $A$HOME >&7"}, {}, {"A=1"}, "/usr"}),
            "/usr\n1\n");
  ::close(inherited);
}

TEST(ChildProcess, IsWaitedForNoLongerThanAsked) {
  auto child = ChildProcess::start({{"/bin/sleep", "600"}, {}, {}, "/"});
  ASSERT_TRUE(child) << child.error().message();
  EXPECT_FALSE(child->wait(std::chrono::milliseconds(20)));
  EXPECT_EQ(::kill(child->pid(), 0), 0);
  child->kill();
  ASSERT_TRUE(child->wait(kPatience));
  ASSERT_TRUE(WIFSIGNALED(child->wait_status()));
  EXPECT_EQ(WTERMSIG(child->wait_status()), SIGKILL);
}

TEST(ChildProcess, TakesNoBlockedSignal) {
  sigset_t blocked{};
  sigset_t before{};
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
  auto child = ChildProcess::start({{"/bin/sleep", "600"}, {}, {}, "/"});
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(child) << child.error().message();
  ::kill(child->pid(), SIGTERM);
  ASSERT_TRUE(child->wait(kPatience));
  EXPECT_EQ(WTERMSIG(child->wait_status()), SIGTERM);
}

TEST(ChildProcess, ProgramThatIsNotThereDoesNotStart) {
  const auto child = ChildProcess::start({{"/no/such/program"}, {}, {}, "/"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(child.error().message(),
            "\"/no/such/program\" does not start: No such file or directory.");
}

TEST(ChildProcess, WaitTellsWhichFilesCanBeRead) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  std::vector<bool> is_readable;
  wait_readable({reading.get(), -1}, is_readable, std::chrono::milliseconds(0));
  EXPECT_EQ(is_readable, (std::vector<bool>{false, false}));
  ASSERT_EQ(::write(writing.get(), "x", 1), 1);
  wait_readable({reading.get(), -1}, is_readable, kPatience);
  EXPECT_EQ(is_readable, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace halyard::base
