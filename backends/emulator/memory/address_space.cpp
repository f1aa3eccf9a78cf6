// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/memory/address_space.h"

#include <algorithm>
#include <utility>

namespace halyard::emulator {
namespace {

constexpr std::uint64_t kPage = 4096;
// Above what add_at() takes, below what flat instructions take for LDS or scratch.
constexpr std::uint64_t kFirstAddress = std::uint64_t{1} << 46;
// Between regions: more than what an instruction's offset spans.
constexpr std::uint64_t kGap = std::uint64_t{16} << 20;

}  // namespace

std::uint64_t AddressSpace::add(MemoryRegion region) {
  std::uint64_t free = kFirstAddress;
  if (!regions_.empty())
    free = std::max(free, regions_.back().address + regions_.back().size_bytes + kGap);
  const auto host = reinterpret_cast<std::uintptr_t>(region.host);
  region.address = (free + kPage - 1) / kPage * kPage + host % kPage;
  regions_.push_back(std::move(region));
  return regions_.back().address;
}

void AddressSpace::add_at(MemoryRegion region) {
  const auto after = std::upper_bound(
      regions_.begin(), regions_.end(), region.address,
      [](std::uint64_t address, const MemoryRegion& other) { return address < other.address; });
  regions_.insert(after, std::move(region));
}

const MemoryRegion* AddressSpace::find(std::uint64_t address, std::uint64_t bytes) const noexcept {
  const auto after = std::upper_bound(
      regions_.begin(), regions_.end(), address,
      [](std::uint64_t wanted, const MemoryRegion& region) { return wanted < region.address; });
  if (after == regions_.begin()) return nullptr;
  const MemoryRegion& region = *std::prev(after);
  const std::uint64_t offset = address - region.address;
  const bool holds = offset <= region.size_bytes && bytes <= region.size_bytes - offset;
  return holds ? &region : nullptr;
}

std::optional<AddressSpace::Nearest> AddressSpace::nearest(std::uint64_t address,
                                                           std::uint64_t bytes) const {
  std::optional<Nearest> nearest;
  std::uint64_t least = UINT64_MAX;
  // Kernels choose the address: sums with it may leave 64 bits.
  constexpr std::uint64_t kFarthest = INT64_MAX;
  for (const MemoryRegion& region : regions_) {
    Nearest candidate{&region, 0};
    std::uint64_t distance = 0;
    if (address < region.address) {
      distance = std::min(region.address - address, kFarthest);
      candidate.distance_bytes = -static_cast<std::int64_t>(distance);
    } else {
      const std::uint64_t offset = address - region.address;
      if (offset > region.size_bytes || bytes > region.size_bytes - offset) {
        distance = std::min(kFarthest - bytes, offset) + bytes - region.size_bytes;
      }
      candidate.distance_bytes = static_cast<std::int64_t>(distance);
    }
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace halyard::emulator
