// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/access_pattern.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace halyard::emulator {
namespace {

constexpr unsigned kBanks = 32;
// Lanes with 16 bytes each.
constexpr std::size_t kMostDwords = std::size_t{64} * 4;

// Calls visit(lane) for each lane that takes part.
template <typename Visit>
void each_lane(const MemoryAccess& access, const Visit& visit) {
  for (std::uint64_t left = access.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(left));
    if (lane < access.addresses.size()) visit(lane);
  }
}

// Passes for the distinct dwords of lanes that are served together.
std::uint32_t passes_for(std::array<std::uint64_t, kMostDwords>& dwords, std::size_t count) {
  std::sort(dwords.begin(), dwords.begin() + static_cast<std::ptrdiff_t>(count));
  std::array<std::uint32_t, kBanks> in_bank{};
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || dwords[i] != dwords[i - 1]) ++in_bank[dwords[i] % kBanks];
  return *std::max_element(in_bank.begin(), in_bank.end());
}

}  // namespace

BankUse bank_use(const MemoryAccess& access) {
  const unsigned width = std::clamp((access.bytes + 3) / 4, 1U, 4U);
  const std::size_t together = kBanks / std::bit_ceil(width);
  BankUse use;
  std::array<std::uint64_t, kMostDwords> dwords{};
  std::size_t count = 0;
  std::size_t group = 0;
  const auto finish = [&] {
    if (count == 0) return;
    use.passes += passes_for(dwords, count);
    ++use.ideal;
    count = 0;
  };
  each_lane(access, [&](std::size_t lane) {
    if (lane / together != group) {
      finish();
      group = lane / together;
    }
    for (unsigned i = 0; i < width; ++i)
      dwords[count++] = access.addresses[lane] / 4 + i;
  });
  finish();
  return use;
}

LineUse line_use(const MemoryAccess& access, std::uint32_t line_bytes) {
  std::array<std::pair<std::uint64_t, std::uint64_t>, 64> ranges;
  std::size_t count = 0;
  each_lane(access, [&](std::size_t lane) {
    if (count < ranges.size())
      ranges[count++] = {access.addresses[lane], access.addresses[lane] + access.bytes};
  });
  std::sort(ranges.begin(), ranges.begin() + static_cast<std::ptrdiff_t>(count));
  LineUse use;
  std::uint64_t bytes = 0;
  std::uint64_t covered = 0;    // up to here
  std::uint64_t next_line = 0;  // the first one that is not counted
  for (std::size_t i = 0; i < count; ++i) {
    const auto [begin, end] = ranges[i];
    bytes += end - std::min(end, std::max(begin, covered));
    covered = std::max(covered, end);
    const std::uint64_t first = std::max(begin / line_bytes, next_line);
    const std::uint64_t behind = (end - 1) / line_bytes + 1;
    if (behind <= first) continue;
    use.lines += static_cast<std::uint32_t>(behind - first);
    next_line = behind;
  }
  use.ideal = static_cast<std::uint32_t>((bytes + line_bytes - 1) / line_bytes);
  return use;
}

}  // namespace halyard::emulator
