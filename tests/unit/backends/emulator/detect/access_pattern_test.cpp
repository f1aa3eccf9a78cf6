// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/access_pattern.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace halyard::emulator {
namespace {

// Lane i at `stride` * i.
struct Strided {
  explicit Strided(std::uint64_t stride, std::uint32_t bytes = 4, unsigned lanes = 32) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      addresses.push_back(stride * lane);
    access.bytes = bytes;
    access.lanes = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
    access.addresses = addresses;
  }
  std::vector<std::uint64_t> addresses;
  MemoryAccess access;
};

}  // namespace

TEST(BankUse, IsOnePassForConsecutiveDwords) {
  const BankUse use = bank_use(Strided(4).access);
  EXPECT_EQ(use.passes, 1U);
  EXPECT_EQ(use.ideal, 1U);
}

TEST(BankUse, IsOnePassForLanesThatReadOneDword) {
  EXPECT_EQ(bank_use(Strided(0).access).passes, 1U);
}

TEST(BankUse, IsAPassForEachLaneInOneBank) {
  EXPECT_EQ(bank_use(Strided(128).access).passes, 32U);
}

TEST(BankUse, IsTwoPassesForEverySecondBank) {
  EXPECT_EQ(bank_use(Strided(8).access).passes, 2U);
}

TEST(BankUse, ServesEightLanesTogetherWithSixteenBytesEach) {
  const BankUse use = bank_use(Strided(16, 16).access);
  EXPECT_EQ(use.passes, 4U);
  EXPECT_EQ(use.ideal, 4U);
}

TEST(LineUse, IsOneLineForThirtyTwoConsecutiveDwords) {
  const LineUse use = line_use(Strided(4).access, 128);
  EXPECT_EQ(use.lines, 1U);
  EXPECT_EQ(use.ideal, 1U);
}

TEST(LineUse, IsALineForEachLaneThatIsFarFromTheOthers) {
  const LineUse use = line_use(Strided(512).access, 128);
  EXPECT_EQ(use.lines, 32U);
  EXPECT_EQ(use.ideal, 1U);
}

TEST(LineUse, CountsBytesThatLanesShareOnce) {
  const LineUse use = line_use(Strided(0, 16).access, 128);
  EXPECT_EQ(use.lines, 1U);
  EXPECT_EQ(use.ideal, 1U);
}

TEST(LineUse, OfNoLaneIsNothing) {
  Strided strided(4);
  strided.access.lanes = 0;
  EXPECT_EQ(line_use(strided.access, 128).lines, 0U);
}

}  // namespace halyard::emulator
