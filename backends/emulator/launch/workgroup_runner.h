// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/launch/initial_registers.h"
#include "backends/emulator/launch/launch.h"
#include "backends/emulator/launch/launch_memory.h"
#include "backends/emulator/launch/schedule.h"
#include "backends/emulator/state/workgroup.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

namespace halyard::emulator {

// What the workgroups of one launch have in common. Borrowed by those who run them, at once.
struct LaunchState {
  const LoadedObject& object;
  const LoadedKernel& kernel;
  const LaunchDesc& desc;
  const LaunchMemory& memory;
  InitialRegisters registers;
  std::uint32_t waves = 0;  // of a workgroup
  std::uint32_t lds_bytes = 0;
  std::atomic<std::uint64_t> executed = 0;  // instructions
};

// Runs workgroups, one after another, in memory that it has once. One thread at a time.
class WorkgroupRunner {
 public:
  explicit WorkgroupRunner(LaunchState& state);
  WorkgroupRunner(const WorkgroupRunner&) = delete;
  WorkgroupRunner& operator=(const WorkgroupRunner&) = delete;

  // What ended the workgroup before its end.
  std::optional<Report> run(std::uint64_t flat_id);

 private:
  // Memory aligned as the registers are.
  struct AlignedDelete {
    void operator()(std::byte* bytes) const { ::operator delete (bytes, std::align_val_t{64}); }
  };
  using AlignedBytes = std::unique_ptr<std::byte, AlignedDelete>;

  static AlignedBytes allocate(std::size_t size_bytes);
  void reset(std::uint64_t flat_id);
  void reset(Wave& wave, std::uint32_t number);
  void run_in_order();
  void run_at_random(std::uint64_t seed);
  // At most `most` instructions, unless the wave stops or waits before.
  void run_wave(Wave& wave, std::uint64_t most);
  template <bool kIsObserved>
  std::uint64_t execute(Wave& wave, std::uint64_t most, const Operation*& last);
  bool is_stopped() const { return workgroup_.report.has_value(); }
  bool has_running_wave() const;
  // Completes the barrier that every wave has reached, and lets go who waited for it.
  void complete_barriers();
  // True where a wave can go on; stops the workgroup where waves wait in vain.
  bool prepare_turn();
  void report_waiting();
  void complete_report(const Operation* operation);

  LaunchState& state_;
  AlignedBytes vectors_;
  AlignedBytes lds_;
  AlignedBytes scratch_;
  std::size_t vector_bytes_ = 0;   // of one wave
  std::size_t scratch_bytes_ = 0;  // of one wave
  Workgroup workgroup_;
};

}  // namespace halyard::emulator
