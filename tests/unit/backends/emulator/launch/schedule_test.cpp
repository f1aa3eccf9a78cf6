// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/schedule.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace halyard::emulator {
namespace {

TEST(WorkgroupOrder, HasEveryWorkgroupOnce) {
  for (const std::uint64_t count : {1, 2, 3, 7, 64, 1000}) {
    const WorkgroupOrder order(count, 42);
    std::set<std::uint64_t> seen;
    for (std::uint64_t position = 0; position < count; ++position) {
      EXPECT_LT(order(position), count);
      seen.insert(order(position));
    }
    EXPECT_EQ(seen.size(), count);
  }
}

TEST(WorkgroupOrder, IsToldByTheSeed) {
  const auto order_of = [](std::uint64_t seed) {
    const WorkgroupOrder order(100, seed);
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t position = 0; position < 100; ++position)
      numbers.push_back(order(position));
    return numbers;
  };
  EXPECT_EQ(order_of(1), order_of(1));
  EXPECT_NE(order_of(1), order_of(2));
}

}  // namespace
}  // namespace halyard::emulator
