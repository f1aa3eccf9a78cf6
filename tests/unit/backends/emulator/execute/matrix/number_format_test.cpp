// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/number_format.h"

#include <gtest/gtest.h>

#include <cmath>

namespace halyard::emulator {
namespace {

TEST(NumberFormat, FnuzHasOneNanAndNoInfinity) {
  for (const auto& values : {kByteFloats<Number::kE4m3Fnuz>, kByteFloats<Number::kE5m2Fnuz>}) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      EXPECT_EQ(std::isnan(values[byte]), byte == 0x80) << byte;
      EXPECT_FALSE(std::isinf(values[byte])) << byte;
    }
  }
}

TEST(NumberFormat, ExtremesOfFnuz) {
  EXPECT_EQ(kByteFloats<Number::kE4m3Fnuz>[0x7f], 240.0F);
  EXPECT_EQ(kByteFloats<Number::kE4m3Fnuz>[0x40], 1.0F);
  EXPECT_EQ(kByteFloats<Number::kE4m3Fnuz>[0x01], 0x1p-10F);
  EXPECT_EQ(kByteFloats<Number::kE5m2Fnuz>[0x7f], 57344.0F);
  EXPECT_EQ(kByteFloats<Number::kE5m2Fnuz>[0x40], 1.0F);
  EXPECT_EQ(kByteFloats<Number::kE5m2Fnuz>[0x01], 0x1p-17F);
}

TEST(NumberFormat, ExtremesOfOcp) {
  EXPECT_EQ(kByteFloats<Number::kE4m3>[0x7e], 448.0F);
  EXPECT_TRUE(std::isnan(kByteFloats<Number::kE4m3>[0x7f]));
  EXPECT_TRUE(std::isnan(kByteFloats<Number::kE4m3>[0xff]));
  EXPECT_EQ(kByteFloats<Number::kE4m3>[0x38], 1.0F);
  EXPECT_EQ(kByteFloats<Number::kE4m3>[0x01], 0x1p-9F);
  EXPECT_EQ(kByteFloats<Number::kE5m2>[0x7b], 57344.0F);
  EXPECT_EQ(kByteFloats<Number::kE5m2>[0x7c], INFINITY);
  EXPECT_EQ(kByteFloats<Number::kE5m2>[0xfc], -INFINITY);
  EXPECT_TRUE(std::isnan(kByteFloats<Number::kE5m2>[0x7d]));
  EXPECT_EQ(kByteFloats<Number::kE5m2>[0x3c], 1.0F);
  EXPECT_EQ(kByteFloats<Number::kE5m2>[0x01], 0x1p-16F);
  EXPECT_TRUE(std::signbit(kByteFloats<Number::kE5m2>[0x80]));
}

TEST(NumberFormat, FnuzIsHalfOfOcpWhereBothAreNormal) {
  for (std::size_t byte = 8; byte < 0x78; ++byte) {
    EXPECT_EQ(2 * kByteFloats<Number::kE4m3Fnuz>[byte], kByteFloats<Number::kE4m3>[byte]);
    EXPECT_EQ(2 * kByteFloats<Number::kE5m2Fnuz>[byte], kByteFloats<Number::kE5m2>[byte]);
  }
}

}  // namespace
}  // namespace halyard::emulator
