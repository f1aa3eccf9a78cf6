// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"
#include "tests/unit/kernel-store/crash_operations.h"
#include "tests/unit/kernel-store/fault_vfs.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// The crash bar: each call that writes, of each operation, fails or is the last one.
namespace halyard::store {
namespace {

using testing::CallClass;
using testing::CrashOperation;
using testing::Fault;
using testing::FaultDisk;
using testing::FaultKind;
using testing::FaultVfs;
using testing::Remains;

constexpr auto kAllRemains = {Remains::kAll, Remains::kNone, Remains::kTorn512, Remains::kTorn4096,
                              Remains::kSome};
constexpr auto kErrors = {FaultKind::kNoSpace, FaultKind::kIoError, FaultKind::kShortWrite,
                          FaultKind::kSyncFailure};

// What went wrong at how many of the points.
struct Tally {
  std::uint64_t points = 0;
  std::uint64_t damaged = 0;
  std::uint64_t lost = 0;          // Acknowledged, and gone.
  std::uint64_t half_visible = 0;  // Neither before nor after the operation.
  std::uint64_t orphans = 0;
  std::uint64_t wrong_errors = 0;  // Not kIoError.
  std::uint64_t unusable = 0;      // Fails though the fault is over.

  std::uint64_t wrong() const {
    return damaged + lost + half_visible + orphans + wrong_errors + unusable;
  }
};

// Every how many points one is tried.
struct Strides {
  std::uint64_t kills = 1;
  std::uint64_t errors = 1;
  std::uint64_t recoveries = 1;
  std::uint64_t collections = 1;
};

class CrashHarness {
 public:
  CrashHarness(FaultVfs& vfs, const CrashOperation& operation, bool has_shared_memory,
               const Strides& strides)
      : vfs_(vfs),
        operation_(operation),
        strides_(strides) {
    begin_ = operation.begin(vfs, path_, has_shared_memory);
    FaultDisk disk = begin_;
    vfs_.mount(&disk);
    before_ = testing::contents_of(path_);
    disk = begin_;
    EXPECT_TRUE(run_whole(disk)) << operation.name;
    calls_ = disk.calls();
    after_ = testing::contents_of(path_);
    EXPECT_NE(before_, after_) << operation.name;
    EXPECT_EQ(after_.find("damaged:"), std::string::npos) << after_;
  }

  void lose_syncs() { begin_.has_syncs = false; }

  void run(Tally& tally) {
    for (std::uint64_t call = 0; call < calls_.size(); ++call) {
      for (const Remains remains : kAllRemains) {
        if (number_++ % strides_.kills == 0) kill(tally, call, remains);
      }
      for (const FaultKind kind : kErrors) {
        if (!applies_to(kind, calls_[call])) continue;
        for (const bool persistent : {false, true}) {
          if (number_++ % strides_.errors == 0) fail(tally, {kind, call, persistent, {}});
        }
      }
    }
  }

 private:
  std::unique_ptr<KernelStore> open() { return *open_store("sqlite:" + path_); }

  // Opens, runs and closes; what the operation said. The store is opened by the operation.
  base::Status run_whole(FaultDisk& disk, const Fault& fault = {}) {
    vfs_.mount(&disk);
    const auto store = open();
    disk.arm(fault);
    return operation_.run(*store);
  }

  void kill(Tally& tally, std::uint64_t call, Remains remains) {
    FaultDisk disk = begin_;
    const bool acknowledged = run_whole(disk, {FaultKind::kKill, call, false, remains}).has_value();
    const FaultDisk crashed = disk.after_crash(remains, call + 1);
    const std::string label = operation_.name + ", killed at call " + std::to_string(call) +
                              ", leaves " + std::string(remains_name(remains));
    check(tally, crashed, acknowledged, label);
    hit_recovery(tally, crashed, acknowledged, label);
  }

  // Hits the next process too while it brings the store back.
  void hit_recovery(Tally& tally, const FaultDisk& crashed, bool acknowledged,
                    const std::string& label) {
    FaultDisk whole = crashed;
    recover(tally, whole, {}, label);
    const std::vector<CallClass> calls = whole.calls();
    for (std::uint64_t call = 0; call < calls.size(); ++call) {
      const std::string again = label + ", again at call " + std::to_string(call) + ": ";
      for (const Remains remains : {Remains::kNone, Remains::kTorn512, Remains::kSome}) {
        if (recovery_++ % strides_.recoveries != 0) continue;
        FaultDisk disk = crashed;
        recover(tally, disk, {FaultKind::kKill, call, false, remains}, label);
        check(tally, disk.after_crash(remains, call + 1), acknowledged,
              again + std::string(remains_name(remains)));
      }
      for (const FaultKind kind : kErrors) {
        if (!applies_to(kind, calls[call]) || recovery_++ % strides_.recoveries != 0) continue;
        FaultDisk disk = crashed;
        recover(tally, disk, {kind, call, call % 2 == 0, {}}, label);
        check(tally, disk.after_crash(Remains::kNone, 1), acknowledged,
              again + std::string(fault_name(kind)));
      }
    }
  }

  void recover(Tally& tally, FaultDisk& disk, const Fault& fault, const std::string& label) {
    vfs_.mount(&disk);
    disk.arm(fault);
    const auto generation = open()->generation();
    if (!generation && fault.kind != FaultKind::kKill &&
        generation.error().code() != base::ErrorCode::kIoError) {
      note(tally.wrong_errors, label, generation.error().message());
    }
  }

  // The call fails; then the fault is over, and the store goes on.
  void fail(Tally& tally, const Fault& fault) {
    FaultDisk disk = begin_;
    const std::string label = operation_.name + ", " + std::string(fault_name(fault.kind)) +
                              (fault.persistent ? " from" : " at") + " call " +
                              std::to_string(fault.call);
    vfs_.mount(&disk);
    bool acknowledged = false;
    {
      const auto store = open();
      disk.arm(fault);
      const base::Status first = operation_.run(*store);
      acknowledged = first.has_value();
      if (!first && first.error().code() != base::ErrorCode::kIoError) {
        note(tally.wrong_errors, label, first.error().message());
      }
      if (disk.has_fired()) {
        disk.disarm();
        const base::Status again = acknowledged ? base::ok() : operation_.run(*store);
        if (!again) note(tally.unusable, label, again.error().message());
        check(tally, disk.after_crash(Remains::kNone, 1), again.has_value(), label);
        vfs_.mount(&disk);
        return;
      }
    }  // It fires while the store closes.
    check(tally, disk.after_crash(Remains::kNone, 1), acknowledged, label);
  }

  // What the next process finds.
  void check(Tally& tally, FaultDisk disk, bool acknowledged, const std::string& label) {
    ++tally.points;
    vfs_.mount(&disk);
    disk.disarm();
    {
      const auto store = open();
      const auto generation = store->generation();
      if (!generation) return note(tally.damaged, label, generation.error().message());
    }
    const std::string found = testing::contents_of(path_);
    if (found.find("damaged:") != std::string::npos) return note(tally.damaged, label, found);
    if (found != before_ && found != after_) return note(tally.half_visible, label, "");
    if (acknowledged && found != after_) return note(tally.lost, label, "");
    if (tally.points % strides_.collections != 0) return;
    static_cast<void>(open()->upkeep().collect_garbage({}));
    if (testing::orphans_in(path_) != 0) note(tally.orphans, label, "");
  }

  static void note(std::uint64_t& count, const std::string& label, const std::string& what) {
    ++count;
    static int printed = 0;
    if (printed++ < 20) std::printf("%s: %s\n", label.c_str(), what.substr(0, 300).c_str());
  }

  const testing::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "store.sqlite";
  FaultVfs& vfs_;
  const CrashOperation& operation_;
  const Strides strides_;
  FaultDisk begin_;
  std::vector<CallClass> calls_;
  std::string before_;
  std::string after_;
  std::uint64_t number_ = 0;
  std::uint64_t recovery_ = 0;
};

Tally run_all(const Strides& strides, bool has_syncs) {
  FaultVfs vfs;
  Tally tally;
  for (const CrashOperation& operation : testing::crash_operations()) {
    for (const bool has_shared_memory : {true, false}) {
      CrashHarness harness(vfs, operation, has_shared_memory, strides);
      if (!has_syncs) harness.lose_syncs();
      harness.run(tally);
    }
    if (strides.kills == 1) {
      std::printf("%s: %" PRIu64 " points so far\n", operation.name.c_str(), tally.points);
      std::fflush(stdout);
    }
  }
  std::printf("%" PRIu64 " points: %" PRIu64 " damaged, %" PRIu64 " acknowledged lost, %" PRIu64
              " half visible, %" PRIu64 " with orphans, %" PRIu64
              " errors of another kind, %" PRIu64 " unusable afterwards\n",
              tally.points, tally.damaged, tally.lost, tally.half_visible, tally.orphans,
              tally.wrong_errors, tally.unusable);
  return tally;
}

bool is_long() {
  const char* const value = std::getenv("HALYARD_TEST_LONG");
  return value != nullptr && *value != '\0';
}

TEST(SqliteCrash, NoFaultLosesDamagesOrHalvesARecord) {
  const Strides strides = is_long() ? Strides{1, 1, 1, 4} : Strides{5, 5, 50, 8};
  const Tally tally = run_all(strides, true);
  EXPECT_EQ(tally.wrong(), 0U);
  EXPECT_GE(tally.points, is_long() ? 100'000U : 3'000U);
}

// What finds nothing here would find nothing there.
TEST(SqliteCrash, DiskThatDoesNotSyncIsFoundOut) {
  const Tally tally = run_all({40, 40, 400, 8}, false);
  EXPECT_GT(tally.lost, 0U);
}

}  // namespace
}  // namespace halyard::store
