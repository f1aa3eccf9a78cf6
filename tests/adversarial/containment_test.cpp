// SPDX-License-Identifier: Apache-2.0
// What a verifier's process is after it has run what hangs, crashes and asks for too much.
#include "runtime/base/text.h"
#include "runtime/verification/supervised_runner.h"
#include "tests/adversarial/candidate_fixture.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace halyard::adversarial {
namespace {

namespace fs = std::filesystem;
using verification::LaunchOutcome;
using verification::SupervisedRunner;

#ifdef HALYARD_ADVERSARIAL_LONG
constexpr int kHungLaunches = 100;
#else
constexpr int kHungLaunches = 8;
#endif
constexpr std::chrono::milliseconds kReplacement{2000};

struct ProcessState {
  std::set<std::string> files;
  std::string signal_mask;
  int rounding = 0;
  mode_t umask = 0;
  std::string folder;

  bool operator==(const ProcessState&) const = default;
};

ProcessState state_of_this_process() {
  ProcessState state;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code code;
    const fs::path target = fs::read_symlink(entry.path(), code);
    // Not the one that reads the folder.
    if (!code && target != fs::path("/proc") / std::to_string(::getpid()) / "fd") {
      state.files.insert(entry.path().filename().string() + " " + target.string());
    }
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigBlk") || line.starts_with("SigIgn") || line.starts_with("SigCgt")) {
      state.signal_mask += line;
    }
  }
  state.rounding = std::fegetround();
  state.umask = ::umask(0);
  ::umask(state.umask);
  state.folder = fs::current_path().string();
  return state;
}

// The processes that descend from this one.
std::vector<pid_t> descendants() {
  std::vector<pid_t> found = {::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string tasks = base::concat("/proc/", found[i], "/task");
    std::error_code code;
    for (const auto& task : fs::directory_iterator(tasks, code)) {
      std::ifstream children(task.path() / "children");
      for (pid_t child = 0; children >> child;)
        found.push_back(child);
    }
  }
  found.erase(found.begin());
  return found;
}

using Containment = CandidateFixture;

TEST_F(Containment, HungLaunchesAreReplacedInTime) {
  auto hung =
      runner_of("while (range->begin < range->end) { asm volatile(\"pause\"); }\n", kShortPatience);
  auto honest = runner_of("");
  ASSERT_TRUE(hung && honest);
  expect_right(*honest);
  const ProcessState before = state_of_this_process();
  for (int i = 0; i < kHungLaunches; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = launch(*hung);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->kind, LaunchOutcome::Kind::kHang) << outcome->message;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kShortPatience + kReplacement);
    expect_right(*honest);
  }
  honest.reset();
  hung.reset();
  EXPECT_TRUE(descendants().empty());
  ProcessState after = state_of_this_process();
  // The arena and the channel of the honest one were open before.
  after.files = before.files;
  EXPECT_EQ(after, before);
}

TEST_F(Containment, NothingOfTheProcessChanges) {
  const ProcessState before = state_of_this_process();
  for (const char* const text : {
           "*(volatile int*)0 = 1;\n",
           "asm volatile(\"ud2\");\n",
           "asm volatile(\"mov $60, %%eax; xor %%edi, %%edi; syscall\" ::: \"eax\", \"edi\");\n",
           "asm volatile(\"mov $231, %%eax; xor %%edi, %%edi; syscall\" ::: \"eax\", \"edi\");\n",
           "unsigned csr = 0xffc0; asm volatile(\"ldmxcsr %0\" ::\"m\"(csr));\n",
           "asm volatile(\"std\");\n",
       }) {
    auto runner = runner_of(text);
    ASSERT_TRUE(runner) << text;
    const auto outcome = launch(*runner);
    ASSERT_TRUE(outcome) << text << outcome.error().message();
  }
  EXPECT_EQ(state_of_this_process(), before);
  EXPECT_TRUE(descendants().empty());
}

TEST_F(Containment, SystemCallEndsTheProcessAsAViolation) {
  auto runner = runner_of(
      "asm volatile(\"mov $57, %%eax; syscall\" ::: \"rax\", \"rcx\", \"r11\", \"memory\");\n");
  ASSERT_TRUE(runner);
  const auto outcome = launch(*runner);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->kind, LaunchOutcome::Kind::kViolation) << outcome->message;
}

TEST_F(Containment, FaultNamesTheTensorAndTheDistance) {
  auto runner = runner_of(
      "{ Arguments peek(arguments); auto* x = peek.pointer<float>();\n"
      "asm volatile(\"\" ::\"r\"(*(volatile float*)(x + 3 * 64))); }\n");
  ASSERT_TRUE(runner);
  const auto outcome = launch(*runner);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->kind, LaunchOutcome::Kind::kFault);
  EXPECT_EQ(outcome->message, "The kernel touches memory 0 bytes past the 768 bytes of tensor x.");
}

// A key that this process holds is nowhere in the memory of its workers.
TEST_F(Containment, WorkerHoldsNoneOfOurSecrets) {
  std::string key = "canary-";
  for (int i = 0; i < 4; ++i)
    key +=
        std::to_string(std::chrono::steady_clock::now().time_since_epoch().count() * 2654435761U);
  auto runner = runner_of("");
  ASSERT_TRUE(runner);
  expect_right(*runner);
  const std::vector<pid_t> workers = descendants();
  ASSERT_FALSE(workers.empty());
  std::uint64_t looked_at = 0;
  for (const pid_t pid : workers) {
    std::ifstream maps(base::concat("/proc/", pid, "/maps"));
    std::ifstream memory(base::concat("/proc/", pid, "/mem"), std::ios::binary);
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0;
      unsigned long end = 0;
      char readable = '-';
      if (std::sscanf(line.c_str(), "%lx-%lx %c", &begin, &end, &readable) != 3) continue;
      if (readable != 'r' || line.find("memfd:") != std::string::npos) continue;
      if (end - begin > (64UL << 20)) continue;
      std::string bytes(end - begin, '\0');
      memory.clear();
      memory.seekg(static_cast<std::streamoff>(begin));
      memory.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      looked_at += static_cast<std::uint64_t>(memory.gcount());
      EXPECT_EQ(bytes.find(key), std::string::npos) << line;
    }
  }
  // Another user may not look.
  if (::geteuid() == 0) {
    EXPECT_GT(looked_at, 1U << 20);
  }
}

}  // namespace
}  // namespace halyard::adversarial
