// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/isolation.h"

#include "tests/unit/runtime/worker/sandbox_fixture.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/wait.h>

#include <functional>

namespace halyard::worker {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The same program by a name that has not been asked about.
std::string fresh_name() {
  std::string name = kWorkerProgram;
  return name.insert(name.rfind('/'), "/");
}

// Runs `body` in a process of its own, which it may restrict as it likes; gives its text.
std::string in_child(const std::function<std::string()>& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = body();
    (void)!::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

std::string describe_machine() {
  const IsolationReport& report = probe_isolation(fresh_name());
  return std::string(isolation_name(report.level)) + ": " + report.shortfall();
}

bool forbid(const std::vector<std::string>& calls) {
  void* const filter = seccomp_init(SCMP_ACT_ALLOW);
  for (const std::string& call : calls) {
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name(call.c_str()), 0);
  }
  seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                   SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWPID, CLONE_NEWPID));
  return seccomp_load(filter) == 0;
}

TEST(Isolation, HasNames) {
  EXPECT_EQ(isolation_name(Isolation::kFull), "full");
  EXPECT_EQ(isolation_name(Isolation::kReduced), "reduced");
  EXPECT_EQ(isolation_name(Isolation::kNone), "none");
}

TEST(Isolation, ShortfallNamesWhatIsMissing) {
  IsolationReport report;
  report.level = Isolation::kReduced;
  report.mechanisms = {{"bubblewrap", false, "bwrap is not installed."}, {"seccomp", true, "x"}};
  EXPECT_EQ(report.shortfall(),
            "The isolation is reduced for want of bubblewrap (bwrap is not installed).");
  report.level = Isolation::kFull;
  EXPECT_EQ(report.shortfall(), "");
}

TEST(Isolation, IsFoundOnce) {
  const IsolationReport& first = probe_isolation(kWorkerProgram);
  EXPECT_EQ(&first, &probe_isolation(kWorkerProgram));
  ASSERT_GE(first.mechanisms.size(), 4U);
  EXPECT_EQ(first.mechanisms[0].name, "bubblewrap");
  EXPECT_EQ(first.mechanisms[1].name, "seccomp");
  EXPECT_EQ(first.mechanisms[2].name, "landlock");
  EXPECT_EQ(first.mechanisms[3].name, "rlimits");
  EXPECT_EQ(first.shortfall().empty(), first.level == Isolation::kFull);
}

TEST(Isolation, IsNoneWithoutTheProgramThatConfines) {
  const IsolationReport& report = probe_isolation("/nothing/halyard-worker");
  EXPECT_EQ(report.level, Isolation::kNone);
  EXPECT_THAT(report.shortfall(), HasSubstr("\"/nothing/halyard-confine\" does not exist"));
}

TEST(Isolation, IsReducedWhereNamespacesAreForbidden) {
  if (probe_isolation(kWorkerProgram).level == Isolation::kNone) GTEST_SKIP() << "No Landlock.";
  const std::string text = in_child([] {
    return forbid({"unshare", "mount"}) ? describe_machine() : std::string("no filter");
  });
  EXPECT_THAT(text, StartsWith("reduced: The isolation is reduced for want of bubblewrap ("));
  EXPECT_THAT(text, HasSubstr("new namespace"));  // in the words of bubblewrap
}

TEST(Isolation, IsNoneWhereLandlockIsForbidden) {
  const std::string text = in_child([] {
    return forbid({"landlock_create_ruleset"}) ? describe_machine() : std::string("no filter");
  });
  EXPECT_THAT(text, StartsWith("none: The isolation is none for want of landlock ("));
}

// Root loses its rights first; the same holds then for any user.
TEST(Isolation, NeedsNoRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "Every other test runs without root.";
  const IsolationReport& as_root = probe_isolation(kWorkerProgram);
  const HostFolder folder;  // The build may lie where only root reaches it.
  const std::string worker = folder.path() + "/halyard-worker";
  const std::string hostile = folder.path() + "/hostile";
  std::filesystem::copy(kWorkerProgram.substr(0, kWorkerProgram.rfind('/')) + "/halyard-confine",
                        folder.path() + "/halyard-confine");
  std::filesystem::copy(kHostileProgram, hostile);
  const std::string text = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return std::string("no other user");
    const IsolationReport& report = probe_isolation(worker);
    std::string found = std::string(isolation_name(report.level)) + ": " + report.shortfall();
    for (const Isolation isolation : {Isolation::kFull, Isolation::kReduced}) {
      SandboxDesc desc;
      desc.arguments = {hostile, "token", "fork"};
      desc.visible = {{hostile, hostile}};
      desc.limits.processes = 4;
      const auto exit = run_sandboxed(worker, isolation, desc);
      found += exit ? " " + std::to_string(exit->code) + exit->output : exit.error().message();
    }
    return found;
  });
  EXPECT_EQ(text, std::string(isolation_name(as_root.level)) + ": " + as_root.shortfall() + " 0 0");
}

}  // namespace
}  // namespace halyard::worker
