// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/data_type.h"

#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(DataType, EveryNameLeadsBackToItsType) {
  for (std::uint32_t number = 1; number <= 13; ++number) {
    const auto type = static_cast<DataType>(number);
    EXPECT_EQ(data_type_from_name(data_type_name(type)), type);
    EXPECT_GT(data_type_size_bytes(type), 0U);
  }
}

TEST(DataType, UnknownNameGivesNothing) {
  EXPECT_EQ(data_type_from_name("f17"), std::nullopt);
  EXPECT_EQ(data_type_from_name("unknown"), std::nullopt);
}

TEST(DataType, UnknownValueHasNoSize) {
  EXPECT_EQ(data_type_name(static_cast<DataType>(99)), "unknown");
  EXPECT_EQ(data_type_size_bytes(static_cast<DataType>(0)), 0U);
}

TEST(DataType, RoundoffCountsTheHiddenBit) {
  EXPECT_EQ(data_type_unit_roundoff(DataType::kF64), 0x1p-53);
  EXPECT_EQ(data_type_unit_roundoff(DataType::kF32), 0x1p-24);
  EXPECT_EQ(data_type_unit_roundoff(DataType::kF16), 0x1p-11);
  EXPECT_EQ(data_type_unit_roundoff(DataType::kBf16), 0x1p-8);
  EXPECT_EQ(data_type_unit_roundoff(DataType::kI32), 0.0);
}

TEST(DataType, OnlyFloatsAreFloats) {
  EXPECT_TRUE(data_type_is_float(DataType::kFp8E4m3));
  EXPECT_FALSE(data_type_is_float(DataType::kU64));
}

}  // namespace
}  // namespace halyard::base
