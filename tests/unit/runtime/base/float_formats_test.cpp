// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/float_formats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace halyard::base {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(FloatFormats, EveryF16ValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = f16_to_double(half);
    if (std::isnan(value)) {
      EXPECT_EQ(f16_from_double(value), half | 0x200) << bits;
      EXPECT_TRUE(std::isnan(f16_to_float(half)));
    } else {
      ASSERT_EQ(f16_from_double(value), half) << bits;
      ASSERT_EQ(f16_from_float(f16_to_float(half)), half) << bits;
    }
  }
}

TEST(FloatFormats, EveryBf16ValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = bf16_to_double(half);
    if (std::isnan(value)) {
      EXPECT_EQ(bf16_from_double(value), half | 0x40) << bits;
      EXPECT_TRUE(std::isnan(bf16_to_float(half)));
    } else {
      ASSERT_EQ(bf16_from_double(value), half) << bits;
      ASSERT_EQ(bf16_from_float(bf16_to_float(half)), half) << bits;
    }
  }
}

TEST(FloatFormats, EveryFp8ValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits <= 0xff; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    if (const double value = fp8_e4m3_to_double(byte); !std::isnan(value)) {
      ASSERT_EQ(fp8_e4m3_from_double(value), byte) << bits;
    } else {
      ASSERT_EQ(byte & 0x7f, 0x7f);
    }
    if (const double value = fp8_e5m2_to_double(byte); !std::isnan(value)) {
      ASSERT_EQ(fp8_e5m2_from_double(value), byte) << bits;
    }
  }
}

TEST(FloatFormats, EveryF16MidpointRoundsToTheEvenNeighbour) {
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = f16_to_double(static_cast<std::uint16_t>(bits));
    const double high = f16_to_double(static_cast<std::uint16_t>(bits + 1));
    const double middle = (low + high) / 2;
    ASSERT_EQ(f16_from_double(middle), (bits + 1) & ~1U) << bits;
    ASSERT_EQ(f16_from_double(std::nextafter(middle, 0.0)), bits) << bits;
    ASSERT_EQ(f16_from_double(std::nextafter(middle, kInfinity)), bits + 1) << bits;
  }
}

TEST(FloatFormats, KnownF16ValuesAreRight) {
  EXPECT_EQ(f16_from_double(1.0), 0x3c00);
  EXPECT_EQ(f16_from_double(-2.0), 0xc000);
  EXPECT_EQ(f16_from_double(65504.0), 0x7bff);
  EXPECT_EQ(f16_from_double(-0.0), 0x8000);
  EXPECT_EQ(f16_from_double(0x1p-24), 0x0001);
  EXPECT_EQ(f16_from_double(0x1p-25), 0x0000);
  EXPECT_EQ(f16_from_double(0x1.8p-25), 0x0001);
  EXPECT_EQ(f16_from_double(std::numeric_limits<double>::denorm_min()), 0x0000);
}

TEST(FloatFormats, OverflowBecomesInfinity) {
  EXPECT_EQ(f16_from_double(65519.999), 0x7bff);
  EXPECT_EQ(f16_from_double(65520.0), 0x7c00);
  EXPECT_EQ(f16_from_double(-kInfinity), 0xfc00);
  EXPECT_EQ(bf16_from_float(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(bf16_from_double(1e300), 0x7f80);
  EXPECT_EQ(fp8_e5m2_from_double(61440.0), 0x7c);
}

TEST(FloatFormats, E4m3WithoutInfinityOverflowsToNan) {
  EXPECT_EQ(fp8_e4m3_from_double(448.0), 0x7e);
  EXPECT_EQ(fp8_e4m3_from_double(463.9), 0x7e);
  EXPECT_EQ(fp8_e4m3_from_double(464.0), 0x7e);
  EXPECT_EQ(fp8_e4m3_from_double(465.0), 0x7f);
  EXPECT_EQ(fp8_e4m3_from_double(-kInfinity), 0xff);
}

TEST(FloatFormats, NanStaysNanEvenWhenItsPayloadLiesInDroppedBits) {
  const double low_payload = std::bit_cast<double>(std::uint64_t{0x7ff0000000000001});
  EXPECT_EQ(f16_from_double(low_payload), 0x7e00);
  EXPECT_EQ(bf16_from_double(low_payload), 0x7fc0);
  EXPECT_EQ(bf16_from_float(std::bit_cast<float>(0x7f800001U)), 0x7fc0);
  EXPECT_EQ(f16_from_double(-kNan), 0xfe00);
}

TEST(FloatFormats, DoublesRoundOnceNotThroughFloat) {
  // Through a float this lies exactly between two bf16 values and would go down to even.
  const double value = 1.0 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(bf16_from_double(value), 0x3f81);
  EXPECT_EQ(bf16_from_float(static_cast<float>(value)), 0x3f80);
}

TEST(FloatFormats, IntegersSaturateAndRoundToEven) {
  std::int8_t small = 0;
  store_from_double(DataType::kI8, 300.0, &small);
  EXPECT_EQ(small, 127);
  store_from_double(DataType::kI8, -300.0, &small);
  EXPECT_EQ(small, -128);
  store_from_double(DataType::kI8, 2.5, &small);
  EXPECT_EQ(small, 2);
  store_from_double(DataType::kI8, kNan, &small);
  EXPECT_EQ(small, 0);
  std::int64_t wide = 0;
  store_from_double(DataType::kI64, 1e30, &wide);
  EXPECT_EQ(wide, std::numeric_limits<std::int64_t>::max());
  std::uint64_t positive = 1;
  store_from_double(DataType::kU64, -1.0, &positive);
  EXPECT_EQ(positive, 0U);
}

TEST(FloatFormats, EveryTypeLoadsWhatItStored) {
  for (std::uint32_t number = 1; number <= 13; ++number) {
    const auto type = static_cast<DataType>(number);
    alignas(8) unsigned char bytes[9] = {};
    store_from_double(type, 7.0, bytes + 1);
    EXPECT_EQ(load_as_double(type, bytes + 1), 7.0) << data_type_name(type);
  }
}

}  // namespace
}  // namespace halyard::base
