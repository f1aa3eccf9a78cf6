// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/schedule.h"

#include <algorithm>
#include <bit>

namespace halyard::emulator {

WorkgroupOrder::WorkgroupOrder(std::uint64_t count, std::uint64_t seed)
    : count_(count),
      half_bits_((std::max<std::uint32_t>(
                      1, static_cast<std::uint32_t>(std::bit_width(count > 0 ? count - 1 : 0))) +
                  1) /
                 2),
      seed_(seed) {}

// A Feistel network permutes the numbers of an even number of bits; one that it takes beyond the
// count is taken further until it is within.
std::uint64_t WorkgroupOrder::operator()(std::uint64_t position) const {
  constexpr std::uint32_t kRounds = 4;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t number = position;
  do {
    std::uint64_t left = number >> half_bits_;
    std::uint64_t right = number & mask;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::uint64_t mixed = ScheduleRandom(seed_ ^ right << 8 ^ round).next() & mask;
      const std::uint64_t next = left ^ mixed;
      left = right;
      right = next;
    }
    number = left << half_bits_ | right;
  } while (number >= count_);
  return number;
}

}  // namespace halyard::emulator
