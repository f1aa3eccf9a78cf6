// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/observe/observer.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

// Addresses in this process are sums that are computed in vectors.
inline std::byte* bytes_at(std::uintptr_t host) {
  return reinterpret_cast<std::byte*>(host);  // NOLINT(performance-no-int-to-ptr): as said above
}

// The lanes of one access. A family of instructions fills `lanes` and the addresses of all lanes of
// the wave; locate() the rest.
struct LaneAddresses {
  alignas(64) std::uint64_t address[64];  // of the launch, in the LDS, or in the lane's scratch
  alignas(64) std::uintptr_t host[64];    // where the bytes are in this process
  std::uint64_t lanes = 0;                // that take part
  bool is_dense = false;  // all lanes do, and the bytes of each follow those of the one before

  std::byte* bytes(std::uint32_t lane) const { return bytes_at(host[lane]); }
};

// What is done with the bytes of each lane.
struct AccessKind {
  MemorySegment segment = MemorySegment::kGlobal;
  std::uint32_t bytes = 4;
  std::uint32_t alignment = 4;  // a power of two
  bool is_load = false;
  bool is_store = false;
  bool is_atomic = false;
};

constexpr AccessKind load_of(MemorySegment segment, std::uint32_t bytes) {
  return {segment, bytes, bytes < 4 ? bytes : 4, true, false, false};
}
constexpr AccessKind store_of(MemorySegment segment, std::uint32_t bytes) {
  return {segment, bytes, bytes < 4 ? bytes : 4, false, true, false};
}
// The hardware wants atomics aligned to all of their bytes.
constexpr AccessKind atomic_of(MemorySegment segment, std::uint32_t bytes) {
  return {segment, bytes, bytes, true, true, true};
}

// Finds the bytes of every lane and tells the observer. False where a lane may not reach them, or
// the observer objects: the wave is stopped, with a report for the lowest such lane, and nothing is
// read or written. At least one lane takes part.
bool locate(Wave& wave, const Operation& operation, const AccessKind& kind, LaneAddresses& at);

// The same for addresses that mean LDS and scratch too, by their high dword.
bool locate_flat(Wave& wave, const Operation& operation, const AccessKind& kind, LaneAddresses& at);

// The bytes of a scalar access at an address of the launch; null where the wave is stopped.
std::byte* locate_scalar(Wave& wave, const Operation& operation, const AccessKind& kind,
                         std::uint64_t address);

}  // namespace halyard::emulator
