// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/constant_text.h"

#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

constexpr NumberKind kInteger = {32, false, false};
constexpr NumberKind kFloat = {32, true, false};
constexpr NumberKind kShort = {16, false, false};
constexpr NumberKind kHalf = {16, true, false};
constexpr NumberKind kDouble = {64, true, false};
constexpr NumberKind kPair = {16, true, true};

TEST(ConstantText, CodesStandForSmallIntegersAndSomeFloats) {
  EXPECT_EQ(inline_constant_text(128, kInteger), "0");
  EXPECT_EQ(inline_constant_text(192, kInteger), "64");
  EXPECT_EQ(inline_constant_text(193, kInteger), "-1");
  EXPECT_EQ(inline_constant_text(208, kInteger), "-16");
  EXPECT_EQ(inline_constant_text(240, kFloat), "0.5");
  EXPECT_EQ(inline_constant_text(247, kHalf), "-4.0");
  EXPECT_EQ(inline_constant_text(248, kFloat), "0.15915494");
  EXPECT_EQ(inline_constant_text(248, kDouble), "0.15915494309189532");
  EXPECT_EQ(inline_constant_text(242, kShort), "0x3c00");
  EXPECT_EQ(inline_constant_text(127, kInteger), std::nullopt);
  EXPECT_EQ(inline_constant_text(209, kInteger), std::nullopt);
  EXPECT_EQ(inline_constant_text(249, kInteger), std::nullopt);
}

TEST(ConstantText, LiteralsWithAShortFormAreWrittenSo) {
  EXPECT_EQ(literal_text(64, kInteger), "64");
  EXPECT_EQ(literal_text(0xfffffff0, kInteger), "-16");
  EXPECT_EQ(literal_text(65, kInteger), "0x41");
  EXPECT_EQ(literal_text(0x3f800000, kInteger), "1.0");
  EXPECT_EQ(literal_text(0x12345678, kFloat), "0x12345678");
}

TEST(ConstantText, LiteralsOfHalvesAndDoublesHaveTheirOwnBits) {
  EXPECT_EQ(literal_text(0x12343c00, kHalf), "1.0");
  EXPECT_EQ(literal_text(0x12343c00, kShort), "0x3c00");
  EXPECT_EQ(literal_text(0x3ff00000, kDouble), "1.0");
  EXPECT_EQ(literal_text(64, kDouble), "0x40");
  EXPECT_EQ(literal_text(1, kPair), "0x1");
}

TEST(ConstantText, KindFollowsTheComponentsOfTheFormat) {
  DataFormat format;
  format.type = "float";
  format.bits = 32;
  format.components = 2;
  const NumberKind pair = number_kind(&format, 32);
  EXPECT_EQ(pair.bits, 16U);
  EXPECT_TRUE(pair.is_float);
  EXPECT_TRUE(pair.is_pair);
  EXPECT_EQ(number_kind(nullptr, 64).bits, 64U);
  EXPECT_EQ(number_kind(nullptr, 128).bits, 32U);
}

TEST(ConstantText, NumbersAreShortOrHexadecimal) {
  EXPECT_EQ(short_or_hex_text(31), "31");
  EXPECT_EQ(short_or_hex_text(65), "0x41");
  EXPECT_EQ(hex_text(0), "0x0");
  EXPECT_EQ(hex_text(~0ULL), "0xffffffffffffffff");
}

}  // namespace
}  // namespace halyard::isa
