// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/access_history.h"
#include "backends/emulator/detect/release_log.h"
#include "backends/emulator/detect/wave_record.h"
#include "backends/emulator/observe/observer.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace halyard::emulator {

// What is kept of a workgroup to tell which accesses of its waves are ordered.
struct WorkgroupRaces {
  WorkgroupRaces();

  // By wave: accesses with a lower number come before what any wave of the workgroup does now.
  std::vector<std::uint64_t> ordered;
  std::vector<std::uint64_t> ordered_lds_writes;
  std::vector<std::uint64_t> finished_stores;
  std::vector<std::uint64_t> lds_acquired;  // by wave
  std::uint64_t acquired = 0;
  std::uint32_t first_wave = 0;  // of the launch
  bool has_new_stores = false;   // in finished_stores
  AccessHistory lds;
  ReleaseLog lds_releases;
};

// Finds accesses of two waves to one byte that nothing orders and one of which writes it: in the
// LDS between two barriers, in memory within a launch. Barriers order the waves of a workgroup, but
// for LDS writes that were not waited for; atomics order across workgroups what was waited for
// before them. Two stores of one value are no race. Of one launch.
class RaceDetector {
 public:
  explicit RaceDetector(std::size_t limit_bytes) : memory_(limit_bytes) {}

  // Gives the waves of a workgroup their numbers.
  void begin(const Workgroup& workgroup, WorkgroupRaces& races);
  void access(Wave& wave, WaveRecord& record, WorkgroupRaces& races, const Operation& operation,
              const OperationFacts& facts, const MemoryAccess& access);
  // After the instruction: whether stores of two waves to one place differ.
  void compare_stores(Wave& wave, const Operation& operation);
  bool has_stores_to_compare() const { return !compared_.empty(); }

  // A wave signals to the barrier; all have.
  static void signal(WaveRecord& record);
  static void barrier(WorkgroupRaces& races, std::span<const WaveRecord* const> waves,
                      std::uint64_t ended_waves);

 private:
  friend class AccessCheck;

  // A store to a place that another wave has stored to; a race unless it stores the same.
  struct ComparedStore {
    const std::byte* host = nullptr;
    std::uint32_t before = 0;
    unsigned bytes = 0;
    unsigned lane = 0;
    std::uint32_t other_wave = 0;
    MemorySegment segment = MemorySegment::kGlobal;
    std::uint64_t address = 0;
  };

  // Whether the launch may write what is accessed.
  bool may_be_written(const MemoryAccess& access) const;
  // Makes known what the wave, and what at its last barrier the others, had finished.
  void release(const WaveRecord& record, WorkgroupRaces& races);
  static void exchange_in_lds(const Wave& wave, const WaveRecord& record, WorkgroupRaces& races);

  AccessHistory memory_;
  ReleaseLog releases_;
  std::uint32_t next_wave_ = 1;
  std::vector<std::pair<const std::byte*, const std::byte*>> writable_;  // ascending
  std::vector<ComparedStore> compared_;
};

}  // namespace halyard::emulator
