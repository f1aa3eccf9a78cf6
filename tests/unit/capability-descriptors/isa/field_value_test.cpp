// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/field_value.h"

#include "tests/unit/capability-descriptors/isa/small_instruction_set.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::isa {
namespace {

using testing::field;

constexpr std::array<std::uint32_t, 2> kWords = {0x89abcdef, 0x01234567};

TEST(FieldValue, BitsAreTakenAcrossDwords) {
  EXPECT_EQ(raw_field_value(field("F", 0, 4), kWords), 0xfU);
  EXPECT_EQ(raw_field_value(field("F", 28, 8), kWords), 0x78U);
  EXPECT_EQ(raw_field_value(field("F", 0, 64), kWords), 0x0123456789abcdefU);
}

TEST(FieldValue, RangesAreJoinedFromTheLeastSignificant) {
  Field split = field("F", 4, 4);
  split.ranges.push_back({60, 4});
  split.ranges.push_back({0, 4});
  EXPECT_EQ(raw_field_value(split, kWords), 0xf0eU);
}

TEST(FieldValue, BitsBeyondTheWordsAreZero) {
  EXPECT_EQ(raw_field_value(field("F", 60, 8), kWords), 0U);
  EXPECT_EQ(raw_field_value(field("F", 200, 8), kWords), 0U);
  Field endless = field("F", 0, 65535);
  EXPECT_EQ(raw_field_value(endless, kWords), 0x0123456789abcdefU);
}

TEST(FieldValue, PaddingLiesBelowTheBits) {
  Encoding encoding;
  encoding.fields = {field("BASE", 0, 4)};
  encoding.fields[0].padding_bits = 2;
  encoding.fields[0].padding = 1;
  EXPECT_EQ(field_value(encoding, 0, kWords), 0x3dU);
}

TEST(FieldValue, LowBitMayBeTheInverseOfAnother) {
  Encoding encoding;
  encoding.fields = {field("X", 0, 8), field("Y", 8, 7)};
  encoding.fields[1].padding_bits = 1;
  encoding.fields[1].inverted_bit_of = 0;
  EXPECT_EQ(field_value(encoding, 1, std::array<std::uint32_t, 1>{0x0504}), 0x0bU);
  EXPECT_EQ(field_value(encoding, 1, std::array<std::uint32_t, 1>{0x0505}), 0x0aU);
}

}  // namespace
}  // namespace halyard::isa
