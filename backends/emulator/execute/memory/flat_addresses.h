// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {

// The three families of instructions with an address in each lane.
enum class FlatFamily : std::uint8_t { kFlat, kGlobal, kScratch };

// Whether the operands of an address are such that flat_addresses() takes.
bool has_flat_address(FlatFamily family, const Operation& operation);

// Fills `at` with the lanes that take part and their addresses; false where there are none.
//   FLAT     VADDR (64 bits) + offset; the high dword may be that of an aperture
//   GLOBAL   VADDR (64 bits) + offset, or SADDR (64 bits) + VADDR (32 bits, unsigned) + offset
//   SCRATCH  VADDR (32 bits) + SADDR (32 bits) + offset, each where it is there; within the lane
bool flat_addresses(FlatFamily family, const Wave& wave, const Operation& operation,
                    LaneAddresses& at);

constexpr MemorySegment segment_of(FlatFamily family) {
  return family == FlatFamily::kScratch ? MemorySegment::kScratch : MemorySegment::kGlobal;
}

// Addresses and bytes of every lane; false where nothing is to be done.
inline bool locate_lanes(FlatFamily family, Wave& wave, const Operation& operation,
                         const AccessKind& kind, LaneAddresses& at) {
  if (!flat_addresses(family, wave, operation, at)) return false;
  return family == FlatFamily::kFlat ? locate_flat(wave, operation, kind, at)
                                     : locate(wave, operation, kind, at);
}

}  // namespace halyard::emulator
