// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace halyard::services {
namespace {

TEST(Statistics, InterpolatesBetweenSamples) {
  const std::vector<double> samples{40, 10, 30, 20, 50};
  EXPECT_DOUBLE_EQ(quantile(samples, 0), 10);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.5), 30);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.1), 14);
  EXPECT_DOUBLE_EQ(quantile(samples, 0.9), 46);
  EXPECT_DOUBLE_EQ(quantile(samples, 1), 50);
}

TEST(Statistics, TakesTheMiddleOfAnEvenCount) {
  EXPECT_DOUBLE_EQ(quantile(std::vector<double>{4, 1, 3, 2}, 0.5), 2.5);
}

TEST(Statistics, IgnoresOutliersInTheMedianAndShowsThemInTheSpread) {
  std::vector<double> samples(9, 100);
  samples.push_back(100000);
  const Spread spread = spread_of(samples);
  EXPECT_DOUBLE_EQ(spread.median, 100);
  EXPECT_DOUBLE_EQ(spread.p10, 100);
  EXPECT_GT(spread.p90, 100);
}

TEST(Statistics, HandlesOneSampleAndNone) {
  EXPECT_DOUBLE_EQ(spread_of(std::vector<double>{7}).p90, 7);
  EXPECT_DOUBLE_EQ(spread_of({}).median, 0);
}

}  // namespace
}  // namespace halyard::services
