// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/launch_arena.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::worker {
namespace {

TEST(LaunchArena, SlotsStandBetweenFences) {
  const std::array<std::uint64_t, 3> capacities = {1, 0, 2 * kPageBytes};
  const ArenaPlan plan = plan_arena(capacities);
  ASSERT_EQ(plan.slots.size(), 3U);
  EXPECT_EQ(plan.slots[0].offset_bytes, kControlBytes + kPageBytes);
  EXPECT_EQ(plan.slots[0].capacity_bytes, kPageBytes);
  EXPECT_EQ(plan.slots[1].capacity_bytes, 0U);
  // The fence after the first, the fence before the third.
  EXPECT_EQ(plan.slots[2].offset_bytes, plan.slots[0].offset_bytes + kPageBytes + 2 * kPageBytes);
  EXPECT_EQ(plan.size_bytes, plan.slots[2].offset_bytes + 3 * kPageBytes);
  EXPECT_EQ(plan.size_bytes % kPageBytes, 0U);
}

}  // namespace
}  // namespace halyard::worker
