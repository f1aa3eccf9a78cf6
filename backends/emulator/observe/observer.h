// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/workgroup.h"

#include <cstdint>
#include <span>

namespace halyard::emulator {

enum class MemorySegment : std::uint8_t { kGlobal, kConstant /* scalar loads */, kLds, kScratch };

// One access of a wave, before it happens; every byte of it is within the segment.
struct MemoryAccess {
  MemorySegment segment = MemorySegment::kGlobal;
  std::uint32_t bytes = 4;  // of each lane, contiguous
  std::uint64_t lanes = 0;  // that take part; bit 0 alone for a scalar access
  bool is_load = false;
  bool is_store = false;
  bool is_atomic = false;
  // By lane: an address of the launch, an offset in the LDS, or an offset in the lane's scratch.
  std::span<const std::uint64_t> addresses;
  // By lane, where the bytes are in this process; the same memory behind two arguments has the
  // same ones.
  std::span<std::byte* const> host;
};

// Sees each instruction of the workgroups of a launch, one thread at a time. It may stop the wave
// with Wave::stop. Detectors and statistics derive from it.
class Observer {
 public:
  virtual ~Observer() = default;

  // Before the first instruction of a workgroup: its waves have their initial registers.
  virtual void begin(Workgroup& workgroup) = 0;
  // Around each instruction. When `before` stops the wave, the instruction is not executed.
  virtual void before(Wave& wave, const Operation& operation) = 0;
  virtual void after(Wave& wave, const Operation& operation) = 0;
  // From handlers of memory instructions, between before() and after().
  virtual void access(Wave& wave, const Operation& operation, const MemoryAccess& access) = 0;
  // All waves that have not ended are at the barrier.
  virtual void barrier(Workgroup& workgroup) = 0;
  virtual void end(Workgroup& workgroup) = 0;
};

}  // namespace halyard::emulator
