// SPDX-License-Identifier: Apache-2.0
// What a confined process cannot reach.
#include "tests/unit/runtime/worker/sandbox_fixture.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <random>

namespace halyard::worker {
namespace {

using testing::HasSubstr;
using testing::Not;
using Kind = SandboxExit::Kind;

constexpr auto kWorker = SyscallProfile::kWorker;

class SandboxReachTest : public SandboxTest {
 protected:
  // Of no use to a process that finds it in its arguments.
  static std::string flipped_hex(const std::string& key) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char byte : key) {
      const auto flipped = static_cast<unsigned char>(~byte);
      hex.push_back(kDigits[flipped >> 4]);
      hex.push_back(kDigits[flipped & 15]);
    }
    return hex;
  }

  static std::string random_key() {
    std::random_device device;
    std::string key;
    for (int i = 0; i < 32; ++i)
      key.push_back(static_cast<char>('a' + device() % 26));
    return key;
  }

  void expect_refused(std::vector<std::string> attempt,
                      SyscallProfile profile = SyscallProfile::kCompile) {
    const std::string name = attempt[0] + " " + (attempt.size() > 1 ? attempt[1] : "");
    EXPECT_THAT(run(std::move(attempt), profile), EndsWithKind(Kind::kExited, kRefusedExit))
        << name;
  }
  void expect_violation(std::vector<std::string> attempt,
                        SyscallProfile profile = SyscallProfile::kCompile) {
    const std::string name = attempt[0] + " " + (attempt.size() > 1 ? attempt[1] : "");
    EXPECT_THAT(run(std::move(attempt), profile), EndsWithKind(Kind::kViolation, SIGSYS)) << name;
  }
};

TEST_P(SandboxReachTest, FilesOfTheHostCannotBeRead) {
  const HostFolder home;
  const std::string key = random_key();
  const std::string canary = home.write("key", key);
  const std::string parent = "/proc/" + std::to_string(::getpid());
  for (const std::string& path :
       {canary, std::string("/etc/passwd"), std::string("/etc/shadow"), parent + "/environ",
        parent + "/cmdline", parent + "/maps", parent + "/mem", std::string("/proc/self/environ"),
        parent + "/root" + canary, parent + "/cwd", std::string("/dev/mem"),
        std::string("/sys/kernel/uevent_seqnum"), kWorkerProgram}) {
    for (const SyscallProfile profile : {SyscallProfile::kCompile, kWorker}) {
      const SandboxExit exit = run({"read", path}, profile);
      EXPECT_THAT(exit, EndsWithKind(Kind::kExited, kRefusedExit)) << path;
      EXPECT_THAT(exit.output, Not(HasSubstr(key)));
    }
  }
  for (const char* const folder : {"/", "/tmp", "/home", "/etc", "/proc", "/usr"}) {
    if (is_full() && std::string_view(folder) == "/tmp") continue;  // its own
    expect_refused({"list", folder});
  }
}

TEST_P(SandboxReachTest, FilesOfTheHostCannotBeChanged) {
  const HostFolder home;
  const std::string canary = home.write("key", "as it was");
  std::filesystem::permissions(canary, std::filesystem::perms(0666));
  for (const char* const attempt : {"write", "truncate", "chmod"}) {
    expect_refused({attempt, canary});
    expect_refused({attempt, canary}, kWorker);
  }
  EXPECT_EQ(read_host_file(canary), "as it was");
  EXPECT_EQ(std::filesystem::status(canary).permissions(), std::filesystem::perms(0666));
}

TEST_P(SandboxReachTest, TheProgramCannotBeChanged) {
  const std::string program = is_full() ? "/hostile" : kHostileProgram;
  expect_refused({"write", program});
  expect_refused({"chmod", program});
}

TEST_P(SandboxReachTest, TheNetworkCannotBeReached) {
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
    expect_violation({"socket", std::to_string(family)});
    expect_violation({"socket", std::to_string(family)}, kWorker);
  }
  expect_refused({"socket", std::to_string(AF_UNIX)});
  for (const long call : {SYS_connect, SYS_bind, SYS_listen, SYS_accept4}) {
    expect_violation({"call", std::to_string(call)}, kWorker);
  }
}

TEST_P(SandboxReachTest, OtherProcessesCannotBeReached) {
  const std::string parent = std::to_string(::getpid());
  static const std::string secret = "0123456789abcdef";
  const std::string address = std::to_string(reinterpret_cast<std::uintptr_t>(secret.data()));
  expect_violation({"trace", parent});
  expect_violation({"read-memory", parent, address});
  for (const SyscallProfile profile : {SyscallProfile::kCompile, kWorker}) {
    expect_refused({"signal", parent, "0"}, profile);
    expect_refused({"signal", parent, std::to_string(SIGKILL)}, profile);
    expect_refused({"limit-other", parent}, profile);
  }
}

TEST_P(SandboxReachTest, AWorkerStartsNoProgramAndNoProcess) {
  const std::string program = is_full() ? "/hostile" : kHostileProgram;
  expect_violation({"execute", program}, kWorker);
  expect_violation({"fork"}, kWorker);
  expect_refused({"execute", "/bin/true"});
  EXPECT_THAT(run({"execute", program}), EndsWithKind(Kind::kExited, 0));
  EXPECT_THAT(run({"fork"}), EndsWithKind(Kind::kExited, 0));
}

TEST_P(SandboxReachTest, CallsThatNoKernelNeedsKill) {
  for (const long call : {SYS_ptrace,
                          SYS_process_vm_readv,
                          SYS_process_vm_writev,
                          SYS_mount,
                          SYS_umount2,
                          SYS_pivot_root,
                          SYS_bpf,
                          SYS_io_uring_setup,
                          SYS_io_uring_enter,
                          SYS_userfaultfd,
                          SYS_keyctl,
                          SYS_add_key,
                          SYS_request_key,
                          SYS_perf_event_open,
                          SYS_unshare,
                          SYS_setns,
                          SYS_kexec_load,
                          SYS_init_module,
                          SYS_reboot,
                          SYS_swapon,
                          SYS_open_by_handle_at,
                          SYS_name_to_handle_at,
                          SYS_fsopen,
                          SYS_move_mount,
                          SYS_pidfd_getfd,
                          SYS_socket,
                          SYS_syslog,
                          SYS_sethostname,
                          SYS_acct,
                          SYS_fanotify_init}) {
    for (const SyscallProfile profile : {SyscallProfile::kCompile, kWorker}) {
      expect_violation({"call", std::to_string(call)}, profile);
    }
  }
}

#ifdef __x86_64__
TEST_P(SandboxReachTest, ForeignAbisKill) {
  expect_violation({"call-i386"});
  expect_violation({"call", std::to_string(0x40000000 + SYS_getpid)});
  expect_violation({"call-i386"}, kWorker);
}
#endif

TEST_P(SandboxReachTest, AKeyOfTheParentIsNowhere) {
  static std::string key;
  key = random_key();
  ::setenv("HALYARD_TEST_KEY", key.c_str(), 1);
  SandboxDesc desc = describe({"scan", flipped_hex(key),
                               std::to_string(reinterpret_cast<std::uintptr_t>(key.data())),
                               std::to_string(::getpid())});
  desc.limits.wall = std::chrono::milliseconds{60'000};
  const SandboxExit without = run(desc);
  desc.environment = {"LEAK=" + key};
  const SandboxExit with = run(desc);
  ::unsetenv("HALYARD_TEST_KEY");
  EXPECT_THAT(without, EndsWithKind(Kind::kExited, kRefusedExit));
  EXPECT_THAT(with, EndsWithKind(Kind::kExited, 0)) << "The scan finds nothing at all.";
}

TEST_P(SandboxReachTest, ADeviceProfileReachesItsNodesOnly) {
  SandboxDesc desc = describe({"read", "/dev/random"});
  desc.profile = SyscallProfile::kDevice;
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, kRefusedExit));
  desc.device_nodes = {"/dev/random"};
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, 0));
  desc.arguments[3] = "/dev/full";
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, kRefusedExit));
  desc.arguments[2] = "fork";
  EXPECT_THAT(run(desc), EndsWithKind(Kind::kExited, kRefusedExit));
  expect_violation({"execute", is_full() ? "/hostile" : kHostileProgram}, SyscallProfile::kDevice);
  expect_violation({"socket", std::to_string(AF_INET)}, SyscallProfile::kDevice);
  // A driver looks at itself; the namespace holds nobody else.
  EXPECT_THAT(run({"read", "/proc/self/status"}, SyscallProfile::kDevice),
              EndsWithKind(Kind::kExited, is_full() ? 0 : kRefusedExit));
  expect_refused({"read", "/proc/" + std::to_string(::getpid()) + "/environ"},
                 SyscallProfile::kDevice);
}

// The same attempts succeed where nothing stands in the way.
TEST(SandboxReach, IsUnlimitedWithoutIsolation) {
  const HostFolder home;
  const std::string canary = home.write("key", "canary");
  SandboxDesc desc;
  desc.arguments = {kHostileProgram, "token", "read", canary};
  const auto exit = run_sandboxed(kWorkerProgram, Isolation::kNone, desc);
  ASSERT_TRUE(exit) << exit.error().message();
  EXPECT_THAT(*exit, EndsWithKind(Kind::kExited, 0));
  EXPECT_EQ(exit->output, "canary");
}

INSTANTIATE_TEST_SUITE_P(Levels, SandboxReachTest,
                         testing::Values(Isolation::kFull, Isolation::kReduced), level_name);

}  // namespace
}  // namespace halyard::worker
