// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/lane_source.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace halyard::emulator {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::optional<unsigned> source(std::uint16_t control, unsigned lane, std::uint64_t exec = kAll) {
  LanePermutation permutation;
  permutation.control = control;
  return permuted_lane(permutation, lane, 64, exec);
}

}  // namespace

TEST(LaneSource, PermutesWithinFourLanes) {
  EXPECT_EQ(source(0x1b, 5), 6U);  // 3, 2, 1, 0
}

TEST(LaneSource, ShiftsLeaveTheRowWithoutASource) {
  EXPECT_EQ(source(0x111, 17), 16U);
  EXPECT_EQ(source(0x111, 16), std::nullopt);
  EXPECT_EQ(source(0x101, 15), std::nullopt);
}

TEST(LaneSource, RotationStaysInTheRow) {
  EXPECT_EQ(source(0x121, 16), 31U);
}

TEST(LaneSource, MirrorsReverseRows) {
  EXPECT_EQ(source(0x140, 16), 31U);
  EXPECT_EQ(source(0x141, 16), 23U);
}

TEST(LaneSource, BroadcastsGoToTheNextRow) {
  EXPECT_EQ(source(0x142, 20), 15U);
  EXPECT_EQ(source(0x142, 3), std::nullopt);
  EXPECT_EQ(source(0x143, 40), 31U);
}

TEST(LaneSource, LanesThatExecLeavesOutAreNone) {
  EXPECT_EQ(source(0x1b, 5, kAll & ~(std::uint64_t{1} << 6)), std::nullopt);
}

TEST(LaneSource, MasksLeaveOutRowsAndBanks) {
  LanePermutation permutation;
  permutation.row_mask = 0b1101;
  EXPECT_TRUE(writes_lane(permutation, 3));
  EXPECT_FALSE(writes_lane(permutation, 17));
  permutation.bank_mask = 0b1110;
  EXPECT_FALSE(writes_lane(permutation, 3));
}

}  // namespace halyard::emulator
