// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/sandbox.h"

#include "tests/unit/runtime/worker/sandbox_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <set>
#include <thread>

namespace halyard::worker {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Kind = SandboxExit::Kind;

constexpr milliseconds kWall{500};
constexpr milliseconds kSlack{1'000};

TEST_P(SandboxTest, GivesTheExitStatus) {
  EXPECT_THAT(run({"exit", "0"}), EndsWithKind(Kind::kExited, 0));
  EXPECT_THAT(run({"exit", "7"}), EndsWithKind(Kind::kExited, 7));
}

// Bubblewrap itself would report both as the same number.
TEST_P(SandboxTest, TellsASignalFromAStatusOfTheSameNumber) {
  EXPECT_THAT(run({"exit", "159"}), EndsWithKind(Kind::kExited, 159));
  EXPECT_THAT(run({"call", std::to_string(SYS_mount)}), EndsWithKind(Kind::kViolation, SIGSYS));
  EXPECT_THAT(run({"raise", std::to_string(SIGSEGV)}), EndsWithKind(Kind::kSignalled, SIGSEGV));
}

TEST_P(SandboxTest, PassesOnlyTheDescribedEnvironment) {
  ::setenv("HALYARD_TEST_SECRET", "secret", 1);
  SandboxDesc desc = describe({"environment"});
  desc.environment = {"LC_ALL=C", "EMPTY="};
  const SandboxExit exit = run(desc);
  ::unsetenv("HALYARD_TEST_SECRET");
  EXPECT_EQ(exit.output, "LC_ALL=C\nEMPTY=\n");
}

TEST_P(SandboxTest, PassesOnlyTheDescribedDescriptors) {
  const int inherited = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC, as others may do
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  SandboxDesc desc = describe({"descriptors"});
  desc.files = {{ends[0], 5}, {ends[1], 9}};
  EXPECT_EQ(run(desc).output, "0 1 2 5 9 ");
  for (const int file : {inherited, ends[0], ends[1]})
    ::close(file);
}

TEST_P(SandboxTest, SwapsDescriptorsThatHaveOneAnothersNumbers) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  SandboxDesc desc = describe({"descriptors"});
  desc.files = {{ends[0], ends[1]}, {ends[1], ends[0]}};
  EXPECT_EQ(run(desc).output,
            "0 1 2 " + std::to_string(ends[0]) + " " + std::to_string(ends[1]) + " ");
  for (const int file : ends)
    ::close(file);
}

TEST_P(SandboxTest, WritesIntoTheOutputFolderOnly) {
  const HostFolder output;
  const HostFolder input;
  const std::string file = input.write("input", "as it was");
  SandboxDesc desc = describe({"write", "/x"});
  desc.output_folder = output.path();
  desc.visible.push_back({input.path(), is_full() ? "/in" : input.path()});
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, kRefusedExit));
  desc.arguments[3] = is_full() ? "/in/input" : file;
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, kRefusedExit));
  EXPECT_EQ(read_host_file(file), "as it was");
  desc.arguments[2] = "read";
  EXPECT_EQ(run(desc).output, "as it was");
  desc.arguments = {desc.arguments[0], desc.arguments[1], "write", output_path(desc, "made")};
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, 0));
  EXPECT_EQ(read_host_file(output.path() + "/made"), "written");
}

TEST_P(SandboxTest, ReachesPrivateFoldersThatAreDescribed) {
  const HostFolder input;
  input.write("input", "private");
  std::filesystem::permissions(input.path(), std::filesystem::perms(0700));
  const std::string inside = is_full() ? "/in" : input.path();
  SandboxDesc desc = describe({"read", inside + "/input"});
  desc.visible.push_back({input.path(), inside});
  EXPECT_EQ(run(desc).output, "private");
}

// Each ends in time, is typed, and leaves nothing (see TearDown).
TEST_P(SandboxTest, KillsAtTheWallLimit) {
  for (const char* const attempt : {"spin", "stop", "ignore-signals", "process-bomb"}) {
    SandboxDesc desc = describe({attempt});
    desc.limits.wall = kWall;
    desc.limits.processes = 32;
    const auto begin = steady_clock::now();
    EXPECT_THAT(run(desc), EndsWithKind(Kind::kWallLimit, SIGKILL)) << attempt;
    const auto wall = steady_clock::now() - begin;
    EXPECT_GE(wall, kWall) << attempt;
    EXPECT_LT(wall, kWall + kSlack) << attempt;
    EXPECT_EQ(count_processes(desc.arguments[1]), 0U) << attempt;
  }
}

TEST_P(SandboxTest, KillsAtTheLimitOfCpuTime) {
  for (const char* const attempt : {"spin", "spin-deaf"}) {
    SandboxDesc desc = describe({attempt});
    desc.limits.cpu = std::chrono::seconds{1};
    desc.limits.wall = milliseconds{20'000};
    EXPECT_EQ(run(desc).kind, Kind::kCpuLimit) << attempt;
  }
}

TEST_P(SandboxTest, KillsAtTheLimitOfOutput) {
  SandboxDesc desc = describe({"flood"});
  desc.limits.output_bytes = 100'000;
  const SandboxExit exit = run(desc);
  EXPECT_EQ(exit.kind, Kind::kOutputLimit);
  EXPECT_EQ(exit.output, std::string(100'000, 'x'));
}

TEST_P(SandboxTest, HoldsTheLimitOfProcesses) {
  SandboxDesc desc = describe({"process-bomb"});
  desc.limits.processes = 20;
  auto process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc);
  ASSERT_TRUE(process) << process.error().message();
  std::size_t most = 0;
  for (int look = 0; look < 10; ++look) {
    EXPECT_FALSE(process->poll(milliseconds{30}));
    most = std::max(most, count_processes(desc.arguments[1]));
  }
  EXPECT_GT(most, 10U);
  EXPECT_LE(most, 20U);
  process->kill();
}

TEST_P(SandboxTest, HoldsTheLimitOfThreads) {
  SandboxDesc desc = describe({"thread-bomb"});
  desc.profile = SyscallProfile::kWorker;
  desc.limits.processes = 20;
  const SandboxExit exit = run(desc);
  EXPECT_THAT(exit, EndsWithKind(Kind::kExited, kRefusedExit));
  EXPECT_LE(std::stoi(exit.output), 20);
  EXPECT_GT(std::stoi(exit.output), 10);
}

TEST_P(SandboxTest, HoldsTheLimitOfMemory) {
  SandboxDesc desc = describe({"memory-balloon"});
  desc.limits.memory_bytes = std::uint64_t{256} << 20;
  const SandboxExit exit = run(desc);
  EXPECT_THAT(exit, EndsWithKind(Kind::kExited, kRefusedExit));
  EXPECT_LE(std::stoi(exit.output), 256);
  EXPECT_GE(std::stoi(exit.output), 128);
}

TEST_P(SandboxTest, HoldsTheLimitOfFiles) {
  const HostFolder output;
  SandboxDesc desc = describe({"file-balloon", ""});
  desc.output_folder = output.path();
  desc.arguments[3] = output_path(desc, "large");
  desc.limits.file_bytes = std::uint64_t{4} << 20;
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kSignalled, SIGXFSZ));
  EXPECT_EQ(std::filesystem::file_size(output.path() + "/large"), desc.limits.file_bytes);
}

TEST_P(SandboxTest, EndsWhatADaemonLeaves) {
  EXPECT_THAT(run({"daemon"}), EndsWithKind(Kind::kExited, 0));
}

TEST_P(SandboxTest, KillEndsARunningProcess) {
  SandboxDesc desc = describe({"ignore-signals"});
  auto process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc);
  ASSERT_TRUE(process) << process.error().message();
  EXPECT_EQ(process->isolation(), GetParam());
  EXPECT_FALSE(process->poll(milliseconds{100}));
  EXPECT_EQ(count_processes(desc.arguments[1]), 1U);
  const SandboxExit exit = process->kill();
  EXPECT_THAT(exit, EndsWithKind(Kind::kSignalled, SIGKILL));
  EXPECT_EQ(exit.output, "deaf\n");
  EXPECT_EQ(process->wait().code, SIGKILL);
  EXPECT_EQ(count_processes(desc.arguments[1]), 0U);
}

// The first version of control groups stops a process such that not even SIGKILL ends it.
class Freezer {
 public:
  explicit Freezer(const std::string& name) : path_("/sys/fs/cgroup/freezer/" + name) {
    std::error_code error;
    is_usable_ = std::filesystem::create_directory(path_, error) &&
                 std::filesystem::exists(path_ + "/freezer.state");
  }
  Freezer(const Freezer&) = delete;
  Freezer& operator=(const Freezer&) = delete;
  ~Freezer() { ::rmdir(path_.c_str()); }

  bool is_usable() const { return is_usable_; }
  void freeze(pid_t process) const {
    std::ofstream(path_ + "/cgroup.procs") << process;
    std::ofstream(path_ + "/freezer.state") << "FROZEN";
    while (read_host_file(path_ + "/freezer.state") != "FROZEN\n")
      std::this_thread::yield();
  }
  void thaw() const { std::ofstream(path_ + "/freezer.state") << "THAWED"; }

 private:
  std::string path_;
  bool is_usable_ = false;
};

TEST_P(SandboxTest, GivesUpOnAProcessThatDoesNotDie) {
  const Freezer freezer("halyard-" + std::to_string(::getpid()));
  if (!freezer.is_usable()) GTEST_SKIP() << "There is no freezer of control groups to write to.";
  SandboxDesc desc = describe({"ignore-signals"});
  auto process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc);
  ASSERT_TRUE(process) << process.error().message();
  const pid_t pid = process->pid();
  freezer.freeze(pid);
  const auto begin = steady_clock::now();
  EXPECT_THAT(process->kill(), EndsWithKind(Kind::kUnkillable, SIGKILL));
  EXPECT_GE(steady_clock::now() - begin, milliseconds{1'900});
  EXPECT_LT(steady_clock::now() - begin, milliseconds{2'500});
  EXPECT_EQ(process->wait().kind, Kind::kUnkillable);
  EXPECT_EQ(::kill(pid, 0), 0) << "The number stays taken.";
  freezer.thaw();
  EXPECT_EQ(::waitpid(pid, nullptr, 0), pid);
  while (count_processes(desc.arguments[1]) != 0)
    std::this_thread::yield();
}

TEST_P(SandboxTest, EndsWithTheObject) {
  SandboxDesc desc = describe({"process-bomb"});
  desc.limits.processes = 16;
  {
    auto process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc);
    ASSERT_TRUE(process) << process.error().message();
    SandboxedProcess moved = std::move(*process);
    EXPECT_FALSE(moved.poll(milliseconds{50}));
  }
  EXPECT_EQ(count_processes(desc.arguments[1]), 0U);
}

TEST_P(SandboxTest, OutlivesTheThreadThatStartedIt) {
  SandboxDesc desc = describe({"ignore-signals"});
  base::Result<SandboxedProcess> process = base::Error(ErrorCode::kInternal, "");
  std::thread([&] { process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc); }).join();
  ASSERT_TRUE(process) << process.error().message();
  EXPECT_FALSE(process->poll(milliseconds{200}));
}

// The process that starts it is killed without a chance to clean up.
TEST_P(SandboxTest, EndsWithTheSupervisor) {
  SandboxDesc desc = describe({"ignore-signals"});
  const pid_t supervisor = ::fork();
  if (supervisor == 0) {
    auto process = SandboxedProcess::start(kWorkerProgram, GetParam(), desc);
    ::raise(SIGKILL);
  }
  ::waitpid(supervisor, nullptr, 0);
  const auto deadline = steady_clock::now() + milliseconds{5'000};
  while (count_processes(desc.arguments[1]) != 0 && steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(count_processes(desc.arguments[1]), 0U);
}

TEST_P(SandboxTest, ReportsAProgramThatCannotRun) {
  SandboxDesc desc = describe({"exit", "0"});
  desc.arguments[0] = "/nothing";
  const auto exit = run_sandboxed(kWorkerProgram, GetParam(), desc);
  ASSERT_FALSE(exit);
  EXPECT_EQ(exit.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(exit.error().message(),
            "\"/nothing\" does not start confined: the system does not execute \"/nothing\": No "
            "such file or directory.");
}

TEST_P(SandboxTest, LeavesTheProcessAsItWas) {
  const auto open_files = [] {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      files.insert(entry.path().filename());
    }
    return files;
  };
  const auto threads = [] {
    const std::filesystem::directory_iterator entries("/proc/self/task");
    return std::distance(begin(entries), end(entries));
  };
  run({"exit", "0"});
  std::fesetround(FE_TOWARDZERO);
  const auto files = open_files();
  sigset_t mask_before{};
  ::sigprocmask(SIG_BLOCK, nullptr, &mask_before);
  const auto folder = std::filesystem::current_path();
  const mode_t creation_mask = ::umask(0);
  ::umask(creation_mask);
  for (int turn = 0; turn < 100; ++turn) {
    EXPECT_THAT(run({turn % 2 == 0 ? "exit" : "fork", "0"}), EndsWithKind(Kind::kExited, 0));
  }
  const int rounding = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(rounding, FE_TOWARDZERO);
  EXPECT_EQ(open_files(), files);
  sigset_t mask{};
  ::sigprocmask(SIG_BLOCK, nullptr, &mask);
  for (int signal = 1; signal < 65; ++signal) {
    EXPECT_EQ(::sigismember(&mask, signal), ::sigismember(&mask_before, signal));
  }
  EXPECT_EQ(std::filesystem::current_path(), folder);
  EXPECT_EQ(::umask(creation_mask), creation_mask);
  EXPECT_EQ(threads(), 1);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "A zombie is left.";
}

TEST_P(SandboxTest, StartsInHundredthsOfASecond) {
  std::vector<milliseconds::rep> micros;
  for (int turn = 0; turn < 20; ++turn) {
    const auto begin = steady_clock::now();
    run({"exit", "0"}, SyscallProfile::kWorker);
    micros.push_back(
        std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - begin).count());
  }
  std::sort(micros.begin(), micros.end());
  std::cout << "median of 20 at " << isolation_name(GetParam()) << ": " << micros[10] << " us\n";
  EXPECT_LT(micros[10], 500'000);
}

TEST(SandboxedProcess, RefusesALevelThatTheMachineDoesNotGive) {
  SandboxDesc desc;
  desc.arguments = {"/program"};
  const auto exit = run_sandboxed("/nothing/halyard-worker", Isolation::kReduced, desc);
  ASSERT_FALSE(exit);
  EXPECT_EQ(exit.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(exit.error().message(),
              testing::StartsWith("The isolation \"reduced\" is above what this machine gives "
                                  "(\"none\"): The isolation is none for want of confinement ("));
}

INSTANTIATE_TEST_SUITE_P(Levels, SandboxTest,
                         testing::Values(Isolation::kFull, Isolation::kReduced), level_name);

}  // namespace
}  // namespace halyard::worker
