// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/figure_text.h"

#include <gtest/gtest.h>

namespace halyard::command_line {
namespace {

TEST(FigureText, ThreeSignificantDigits) {
  EXPECT_EQ(significant(0), "0.000");
  EXPECT_EQ(significant(0.25), "0.250");
  EXPECT_EQ(significant(9.994), "9.99");
  EXPECT_EQ(significant(9.996), "10.0");
  EXPECT_EQ(significant(99.96), "100");
  EXPECT_EQ(significant(1234.5), "1234");
  EXPECT_EQ(significant(-12.34), "-12.3");
}

TEST(FigureText, SmallAndLargeFiguresHaveAnExponent) {
  EXPECT_EQ(significant(0.000025), "2.50e-05");
  EXPECT_EQ(significant(2.5e12), "2.50e+12");
}

TEST(FigureText, UnknownIsNoZero) {
  EXPECT_EQ(figure(std::nullopt), "-");
  EXPECT_EQ(duration(std::nullopt), "-");
  EXPECT_EQ(percent(std::nullopt), "-");
  EXPECT_EQ(rate(std::nullopt, 0.5), "-");
  EXPECT_EQ(rate(4.0, std::nullopt), "4.00");
}

TEST(FigureText, DurationsChooseTheirUnit) {
  EXPECT_EQ(duration(12), "12.0 ns");
  EXPECT_EQ(duration(1200), "1.20 us");
  EXPECT_EQ(duration(34.5e6), "34.5 ms");
  EXPECT_EQ(duration(2e9), "2.00 s");
}

TEST(FigureText, RateHasItsShareOfTheCeiling) {
  EXPECT_EQ(rate(41.2, 0.63), "41.2 (63 %)");
}

}  // namespace
}  // namespace halyard::command_line
