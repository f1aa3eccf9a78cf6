// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/lane_addresses.h"

#include "backends/emulator/execute/memory/access_report.h"
#include "backends/emulator/memory/address_space.h"
#include "backends/emulator/state/workgroup.h"

#include <bit>
#include <optional>
#include <span>

namespace halyard::emulator {
namespace {

using Vector = std::uint64_t __attribute__((vector_size(32), may_alias));
using Mask = std::int64_t __attribute__((vector_size(32), may_alias));

// A stretch of addresses and the same bytes in this process; those of lane i + 1 lie `lane_step`
// bytes behind those of lane i.
struct Stretch {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uintptr_t host = 0;
  std::uint64_t lane_step = 0;
  bool is_writable = false;
};

std::uint32_t lowest(std::uint64_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

bool is_any(Mask mask) {
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

// Lanes that do not take part get the address of one that does, so that none need be left out.
void cover_inactive_lanes(const Wave& wave, LaneAddresses& at) {
  const std::uint64_t all = wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  const std::uint64_t some = at.address[lowest(at.lanes)];
  for (std::uint64_t rest = all & ~at.lanes; rest != 0; rest &= rest - 1)
    at.address[lowest(rest)] = some;
}

// Places all lanes in one stretch; false where some lane is outside or misaligned.
bool place(const Wave& wave, const AccessKind& kind, const Stretch& stretch, LaneAddresses& at) {
  if (kind.bytes > stretch.bytes) return false;
  const std::uint64_t limit = stretch.bytes - kind.bytes;
  const std::uint64_t first = at.address[0];
  const std::uint64_t step = kind.bytes;
  const std::uint64_t lane_step = stretch.lane_step;
  Vector in_order = {first, first + step, first + 2 * step, first + 3 * step};
  Vector host = {stretch.host, stretch.host + lane_step, stretch.host + 2 * lane_step,
                 stretch.host + 3 * lane_step};
  Mask outside = {};
  Mask scattered = {};
  Vector low_bits = {};
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const Vector address = *reinterpret_cast<const Vector*>(at.address + lane);
    const Vector offset = address - stretch.address;
    outside |= offset > limit;
    scattered |= address != in_order;
    low_bits |= address;
    *reinterpret_cast<Vector*>(at.host + lane) = host + offset;
    in_order += 4 * step;
    host += 4 * lane_step;
  }
  if (is_any(outside)) return false;
  if (((low_bits[0] | low_bits[1] | low_bits[2] | low_bits[3]) & (kind.alignment - 1)) != 0)
    return false;
  const std::uint64_t all = wave.lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  at.is_dense = at.lanes == all && lane_step == 0 && !is_any(scattered);
  return true;
}

Stretch stretch_of(const MemoryRegion& region) {
  return {region.address, region.size_bytes, reinterpret_cast<std::uintptr_t>(region.host), 0,
          region.is_writable};
}

// The stretch of a segment that is not memory.
Stretch private_stretch(const Wave& wave, MemorySegment segment) {
  if (segment == MemorySegment::kLds) {
    return {0, wave.workgroup->lds.size(),
            reinterpret_cast<std::uintptr_t>(wave.workgroup->lds.data()), 0, true};
  }
  return {0, wave.scratch_bytes, reinterpret_cast<std::uintptr_t>(wave.scratch), wave.scratch_bytes,
          true};
}

// A region where a lane's access is likely to be: the one of the last access, or its own.
const MemoryRegion* likely_region(Wave& wave, std::uint64_t address, std::uint32_t bytes) {
  Workgroup& workgroup = *wave.workgroup;
  const MemoryRegion* recent = workgroup.recent_region;
  if (recent != nullptr && address - recent->address < recent->size_bytes) return recent;
  if (workgroup.memory == nullptr) return nullptr;
  const MemoryRegion* found = workgroup.memory->find(address, bytes);
  if (found != nullptr) workgroup.recent_region = found;
  return found;
}

// One lane, wherever it is; 0 where the wave is stopped.
std::uintptr_t locate_lane(Wave& wave, const Operation& operation, const AccessKind& kind,
                           std::optional<std::uint32_t> lane, std::uint64_t address) {
  Stretch stretch;
  if (kind.segment == MemorySegment::kLds || kind.segment == MemorySegment::kScratch) {
    stretch = private_stretch(wave, kind.segment);
  } else if (wave.workgroup->memory != nullptr) {
    if (const MemoryRegion* region = wave.workgroup->memory->find(address, kind.bytes))
      stretch = stretch_of(*region);
  }
  const std::uint64_t offset = address - stretch.address;
  if (kind.bytes > stretch.bytes || offset > stretch.bytes - kind.bytes) {
    stop_out_of_bounds(wave, operation, kind, lane, address);
    return 0;
  }
  if ((address & (kind.alignment - 1)) != 0) {
    stop_misaligned(wave, operation, kind, lane, address);
    return 0;
  }
  if (kind.is_store && !stretch.is_writable) {
    stop_store_to_constant(wave, operation, kind, lane, address);
    return 0;
  }
  return stretch.host + stretch.lane_step * lane.value_or(0) + offset;
}

bool tell_observer(Wave& wave, const Operation& operation, const AccessKind& kind,
                   std::uint64_t lanes, const std::uint64_t* addresses,
                   const std::uintptr_t* host) {
  Observer* observer = wave.workgroup->observer;
  if (observer == nullptr) return true;
  std::byte* bytes[64];
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const bool is_active = (lanes >> lane & 1) != 0;
    bytes[lane] = is_active ? bytes_at(host[lane]) : nullptr;
  }
  MemoryAccess access;
  access.segment = kind.segment;
  access.bytes = kind.bytes;
  access.lanes = lanes;
  access.is_load = kind.is_load;
  access.is_store = kind.is_store;
  access.is_atomic = kind.is_atomic;
  access.addresses = std::span<const std::uint64_t>(addresses, 64);
  access.host = std::span<std::byte* const>(bytes, 64);
  observer->access(wave, operation, access);
  return wave.status == WaveStatus::kRunning;
}

// Lane after lane, for lanes in several regions and for those that may not.
bool locate_each(Wave& wave, const Operation& operation, const AccessKind& kind,
                 std::uint64_t lanes, LaneAddresses& at) {
  at.is_dense = false;
  for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    at.host[lane] = locate_lane(wave, operation, kind, lane, at.address[lane]);
    if (at.host[lane] == 0) return false;
  }
  return true;
}

// All lanes in one region of memory; false where they are not.
bool place_in_region(Wave& wave, const AccessKind& kind, LaneAddresses& at) {
  cover_inactive_lanes(wave, at);
  const MemoryRegion* region = likely_region(wave, at.address[0], kind.bytes);
  if (region == nullptr || (kind.is_store && !region->is_writable)) return false;
  return place(wave, kind, stretch_of(*region), at);
}

MemorySegment segment_of(std::uint64_t address) {
  const std::uint64_t high = address >> 32;
  if (high == kSharedAperture) return MemorySegment::kLds;
  if (high == kPrivateAperture) return MemorySegment::kScratch;
  return MemorySegment::kGlobal;
}

}  // namespace

bool locate(Wave& wave, const Operation& operation, const AccessKind& kind, LaneAddresses& at) {
  bool is_placed = false;
  if (kind.segment == MemorySegment::kLds || kind.segment == MemorySegment::kScratch) {
    cover_inactive_lanes(wave, at);
    is_placed = place(wave, kind, private_stretch(wave, kind.segment), at);
  } else {
    is_placed = place_in_region(wave, kind, at);
  }
  if (!is_placed && !locate_each(wave, operation, kind, at.lanes, at)) return false;
  return tell_observer(wave, operation, kind, at.lanes, at.address, at.host);
}

bool locate_flat(Wave& wave, const Operation& operation, const AccessKind& kind,
                 LaneAddresses& at) {
  if (place_in_region(wave, kind, at))
    return tell_observer(wave, operation, kind, at.lanes, at.address, at.host);
  std::uint64_t by_segment[4] = {};
  for (std::uint64_t rest = at.lanes; rest != 0; rest &= rest - 1) {
    const MemorySegment segment = segment_of(at.address[lowest(rest)]);
    by_segment[static_cast<std::size_t>(segment)] |= rest & -rest;
    if (segment != MemorySegment::kGlobal) at.address[lowest(rest)] &= 0xffffffffu;
  }
  AccessKind part = kind;
  for (std::size_t segment = 0; segment < 4; ++segment) {
    part.segment = static_cast<MemorySegment>(segment);
    if (!locate_each(wave, operation, part, by_segment[segment], at)) return false;
  }
  for (std::size_t segment = 0; segment < 4; ++segment) {
    part.segment = static_cast<MemorySegment>(segment);
    if (by_segment[segment] != 0 &&
        !tell_observer(wave, operation, part, by_segment[segment], at.address, at.host))
      return false;
  }
  return true;
}

std::byte* locate_scalar(Wave& wave, const Operation& operation, const AccessKind& kind,
                         std::uint64_t address) {
  const std::uintptr_t host = locate_lane(wave, operation, kind, std::nullopt, address);
  if (host == 0) return nullptr;
  if (wave.workgroup->observer != nullptr) {
    const std::uint64_t addresses[64] = {address};
    const std::uintptr_t hosts[64] = {host};
    if (!tell_observer(wave, operation, kind, 1, addresses, hosts)) return nullptr;
  }
  return bytes_at(host);
}

}  // namespace halyard::emulator
