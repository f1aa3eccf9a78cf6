// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file.h"
#include "runtime/worker/program_files.h"
#include "runtime/worker/sandbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace halyard::worker {

inline const std::string kWorkerProgram = HALYARD_WORKER_PROGRAM;
inline const std::string kHostileProgram = HALYARD_HOSTILE_PROGRAM;
inline constexpr int kRefusedExit = 10;  // of the hostile program

// A folder of the host that goes with the object. Open to other users, as a home may be.
class HostFolder {
 public:
  HostFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "halyard-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
    std::filesystem::permissions(path_, std::filesystem::perms(0755));
  }
  HostFolder(const HostFolder&) = delete;
  HostFolder& operator=(const HostFolder&) = delete;
  ~HostFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

// Empty for a file that cannot be read, as that of a process which ends meanwhile.
inline std::string read_host_file(const std::string& path) {
  return base::read_text_file(path, std::size_t{1} << 24).value_or("");
}

// Processes of the machine whose command line holds `token`.
inline std::size_t count_processes(const std::string& token) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.front() < '0' || name.front() > '9') continue;
    const std::string line = read_host_file(entry.path() / "cmdline");
    if (line.find(token) != std::string::npos) ++count;
  }
  return count;
}

// Runs the hostile program at one level of isolation.
class SandboxTest : public testing::TestWithParam<Isolation> {
 protected:
  void SetUp() override {
    const IsolationReport& report = probe_isolation(kWorkerProgram);
    if (GetParam() > report.level) GTEST_SKIP() << report.shortfall();
    // What the sandbox promises on every machine is promised on the one of these tests.
    ASSERT_NE(GetParam(), Isolation::kNone);
  }
  void TearDown() override {
    if (token_.empty()) return;
    EXPECT_EQ(count_processes(token_), 0U) << "A process is left.";
  }

  bool is_full() const { return GetParam() == Isolation::kFull; }

  SandboxDesc describe(std::vector<std::string> attempt) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    token_ = "token-" + std::to_string(::getpid()) + "-" + std::to_string(now);
    SandboxDesc desc;
    const std::string inside = is_full() ? "/hostile" : kHostileProgram;
    desc.arguments = {inside, token_};
    desc.arguments.insert(desc.arguments.end(), attempt.begin(), attempt.end());
    desc.visible = {{kHostileProgram, inside}};
    desc.limits.wall = std::chrono::milliseconds{5'000};
    return desc;
  }

  SandboxExit run(const SandboxDesc& desc) {
    auto exit = run_sandboxed(kWorkerProgram, GetParam(), desc);
    if (!exit) {
      ADD_FAILURE() << exit.error().message();
      return {};
    }
    return *exit;
  }
  SandboxExit run(std::vector<std::string> attempt,
                  SyscallProfile profile = SyscallProfile::kCompile) {
    SandboxDesc desc = describe(std::move(attempt));
    desc.profile = profile;
    return run(desc);
  }

  // The output folder of `desc`, as seen inside.
  std::string output_path(const SandboxDesc& desc, const std::string& name) const {
    return (is_full() ? "/out" : *desc.output_folder) + "/" + name;
  }

 private:
  std::string token_;
};

inline std::string level_name(const testing::TestParamInfo<Isolation>& info) {
  return std::string(isolation_name(info.param));
}

MATCHER_P2(EndsWithKind, kind, code, "") {
  *result_listener << "kind " << static_cast<int>(arg.kind) << ", code " << arg.code
                   << ", output \"" << arg.output.substr(0, 300) << "\"";
  return arg.kind == kind && arg.code == code;
}

}  // namespace halyard::worker
