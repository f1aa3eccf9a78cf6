// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/kernel_comparison.h"

#include "tests/unit/backends/emulator/kernels/case_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace halyard::emulator::testing {

namespace {

std::string difference_of(const std::vector<float>& found, const std::vector<float>& expected,
                          Comparison comparison, double tolerance) {
  const CaseArgument argument = output(expected.size() * sizeof(float), comparison, tolerance);
  return difference(argument, input(found).bytes, input(expected).bytes);
}

}  // namespace

TEST(KernelComparison, OneBitThatDiffersIsNamed) {
  EXPECT_EQ(difference_of({1, 2}, {1, std::nextafterf(2, 3)}, Comparison::kBits, 0),
            "item 1 is 0x40000000 and not 0x40000001; 1 of 2 differ.");
  EXPECT_EQ(difference_of({0.0F}, {-0.0F}, Comparison::kFloats, 0),
            "item 0 is 0x0 and not 0x80000000 (0, -0); 1 of 1 differ.");
}

TEST(KernelComparison, AnyNanStandsForANan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(difference_of({nan, -nan}, {nan, nan}, Comparison::kFloats, 0), "");
  EXPECT_NE(difference_of({nan}, {1}, Comparison::kFloats, 1), "");
}

TEST(KernelComparison, ToleranceIsRelativeAboveOne) {
  EXPECT_EQ(difference_of({1000.5F}, {1000}, Comparison::kFloats, 1e-3), "");
  EXPECT_NE(difference_of({1002}, {1000}, Comparison::kFloats, 1e-3), "");
  EXPECT_NE(difference_of({0.01F}, {0}, Comparison::kFloats, 1e-3), "");
}

TEST(KernelComparison, HalvesRoundToTheNearestAndTiesToEven) {
  EXPECT_EQ(half_bits(1), 0x3c00);
  EXPECT_EQ(half_bits(-0.0), 0x8000);
  EXPECT_EQ(half_bits(65519.9), 0x7bff);
  EXPECT_EQ(half_bits(65520), 0x7c00);
  EXPECT_EQ(half_bits(0x1p-25), 0);
  EXPECT_EQ(half_bits(0x3p-25), 2);
  EXPECT_EQ(half_bits(2049), 0x6800);
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
    ASSERT_EQ(half_bits(half_value(static_cast<std::uint16_t>(bits))), bits);
}

}  // namespace halyard::emulator::testing
