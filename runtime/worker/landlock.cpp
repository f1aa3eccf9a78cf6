// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

// The kernel's interface by number: the headers of the build may be older than the kernel that the
// program runs on.
namespace halyard::worker {
namespace {

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr std::uint32_t kVersionFlag = 1;
constexpr int kPathBeneath = 1;

struct RulesetAttributes {
  std::uint64_t files = 0;
  std::uint64_t network = 0;  // from ABI 4
  std::uint64_t scoped = 0;   // from ABI 6
};

struct __attribute__((packed)) PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};

constexpr std::uint64_t kExecute = 1U << 0;
constexpr std::uint64_t kWriteFile = 1U << 1;
constexpr std::uint64_t kReadFile = 1U << 2;
constexpr std::uint64_t kReadFolder = 1U << 3;
constexpr std::uint64_t kRemoveFolder = 1U << 4;
constexpr std::uint64_t kRemoveFile = 1U << 5;
constexpr std::uint64_t kMakeFolder = 1U << 7;
constexpr std::uint64_t kMakeRegular = 1U << 8;
constexpr std::uint64_t kMakeLink = 1U << 12;
constexpr std::uint64_t kRefer = 1U << 13;
constexpr std::uint64_t kTruncate = 1U << 14;
constexpr std::uint64_t kIoctlDevice = 1U << 15;
constexpr std::uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;
constexpr std::uint64_t kBindAndConnect = 3;
constexpr std::uint64_t kAbstractSocketsAndSignals = 3;

std::uint64_t handled_files(int abi) {
  constexpr std::uint64_t kFirst = (1U << 13) - 1;
  if (abi >= 5) return kFirst | kRefer | kTruncate | kIoctlDevice;
  if (abi >= 3) return kFirst | kRefer | kTruncate;
  return abi >= 2 ? kFirst | kRefer : kFirst;
}

std::uint64_t file_access(std::uint32_t rights) {
  std::uint64_t access = 0;
  if ((rights & kReadPath) != 0) access |= kReadFile | kReadFolder;
  if ((rights & kExecutePath) != 0) access |= kExecute;
  if ((rights & kWritePath) != 0) {
    access |= kWriteFile | kRemoveFolder | kRemoveFile | kMakeFolder | kMakeRegular | kMakeLink |
              kRefer | kTruncate;
  }
  if ((rights & kDevicePath) != 0) access |= kIoctlDevice;
  return access;
}

}  // namespace

int landlock_abi() {
  const long version = ::syscall(kCreateRuleset, nullptr, std::size_t{0}, kVersionFlag);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::optional<SetupFailure> LandlockRules::create() {
  abi_ = landlock_abi();
  RulesetAttributes attributes;
  attributes.files = handled_files(abi_);
  std::size_t size_bytes = offsetof(RulesetAttributes, network);
  if (abi_ >= 4) {
    attributes.network = kBindAndConnect;
    size_bytes = offsetof(RulesetAttributes, scoped);
  }
  if (abi_ >= kLandlockAbiOfSignals) {
    attributes.scoped = kAbstractSocketsAndSignals;
    size_bytes = sizeof attributes;
  }
  rules_.reset(static_cast<int>(::syscall(kCreateRuleset, &attributes, size_bytes, 0U)));
  if (!rules_) return SetupFailure{"make a Landlock ruleset", errno};
  return std::nullopt;
}

std::optional<SetupFailure> LandlockRules::allow(const PathRule& rule) {
  const base::FileDescriptor file(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return SetupFailure{"open \"" + rule.path + "\" for Landlock", errno};
  }
  PathBeneath beneath;
  beneath.parent = file.get();
  beneath.allowed = file_access(rule.rights) & handled_files(abi_);
  if (!S_ISDIR(status.st_mode)) beneath.allowed &= kOfFiles;
  if (::syscall(kAddRule, rules_.get(), kPathBeneath, &beneath, 0U) != 0) {
    return SetupFailure{"allow \"" + rule.path + "\" in Landlock", errno};
  }
  return std::nullopt;
}

std::optional<SetupFailure> LandlockRules::restrict_self() const {
  if (::syscall(kRestrictSelf, rules_.get(), 0U) == 0) return std::nullopt;
  return SetupFailure{"enter Landlock", errno};
}

}  // namespace halyard::worker
