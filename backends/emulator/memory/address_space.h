// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::emulator {

// Where flat addresses mean LDS and scratch: the high dword of such an address.
inline constexpr std::uint32_t kSharedAperture = 0x00010000;
inline constexpr std::uint32_t kPrivateAperture = 0x00020000;
// The base address of the buffer resource that a kernel of gfx90a gets for its private segment.
inline constexpr std::uint64_t kPrivateBufferBase = std::uint64_t{2} << 32;

// A range of addresses that a launch may use.
struct MemoryRegion {
  std::string name;           // of the argument: "x"; "kernarg segment", "code object"
  std::uint64_t address = 0;  // as the kernel sees it
  std::uint64_t size_bytes = 0;
  std::byte* host = nullptr;  // the same bytes in this process
  bool is_writable = false;
};

// What a launch may read and write, by address. Regions do not overlap. Immutable during a launch;
// any number of threads.
class AddressSpace {
 public:
  // Gives `region` an address that no other one is near to and that is aligned as its host address
  // is, up to 4096 bytes, and adds it. Returns the address. An empty region has an address too.
  std::uint64_t add(MemoryRegion region);
  // Adds a region at the address it says, which lies in the first 2^46 bytes; add() gives others.
  void add_at(MemoryRegion region);

  // The region that holds all of the `bytes` from `address` on.
  const MemoryRegion* find(std::uint64_t address, std::uint64_t bytes) const noexcept;

  struct Nearest {
    const MemoryRegion* region = nullptr;
    // How far the access starts before the region (negative) or ends behind it; of what is farther
    // than 2^63 bytes, about that.
    std::int64_t distance_bytes = 0;
  };
  // For a report; nothing where there is no region.
  std::optional<Nearest> nearest(std::uint64_t address, std::uint64_t bytes) const;

  std::span<const MemoryRegion> regions() const { return regions_; }

 private:
  std::vector<MemoryRegion> regions_;  // by address
};

}  // namespace halyard::emulator
