// SPDX-License-Identifier: Apache-2.0
#include "backends/vulkan/vulkan_free_list.h"

#include <gtest/gtest.h>

namespace halyard::vulkan {
namespace {

TEST(FreeList, TakesTheSmallestRangeThatFits) {
  FreeList list(1000);
  EXPECT_EQ(list.take(100, 1), 0U);
  EXPECT_EQ(list.take(300, 1), 100U);
  EXPECT_EQ(list.take(50, 1), 400U);
  list.give_back(0, 100);
  EXPECT_EQ(list.take(80, 1), 0U);
  EXPECT_EQ(list.take(30, 1), 450U);
}

TEST(FreeList, AlignmentLeavesTheGapFree) {
  FreeList list(1024);
  EXPECT_EQ(list.take(10, 1), 0U);
  EXPECT_EQ(list.take(256, 256), 256U);
  EXPECT_EQ(list.take(200, 1), 10U);
  EXPECT_EQ(list.free_bytes(), 1024U - 466U);
}

TEST(FreeList, NeighboursAreJoined) {
  FreeList list(300);
  for (std::uint64_t at = 0; at < 300; at += 100)
    EXPECT_EQ(list.take(100, 1), at);
  EXPECT_EQ(list.take(1, 1), std::nullopt);
  list.give_back(0, 100);
  list.give_back(200, 100);
  EXPECT_EQ(list.take(200, 1), std::nullopt);
  list.give_back(100, 100);
  EXPECT_TRUE(list.is_all_free());
  EXPECT_EQ(list.take(300, 1), 0U);
}

}  // namespace
}  // namespace halyard::vulkan
