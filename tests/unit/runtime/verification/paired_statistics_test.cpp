// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/paired_statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace halyard::verification {
namespace {

TEST(PairedStatistics, MedianIsOfRatios) {
  EXPECT_DOUBLE_EQ(median_speedup({}), 1);
  const std::vector<TimePair> pairs = {{100, 50}, {300, 100}, {50, 100}};
  EXPECT_DOUBLE_EQ(median_speedup(pairs), 2);
}

TEST(PairedStatistics, SignTestCountsWins) {
  EXPECT_DOUBLE_EQ(sign_test({}), 1);
  const std::vector<TimePair> all(7, {2, 1});
  EXPECT_NEAR(sign_test(all), 1.0 / 128, 1e-12);
  std::vector<TimePair> most = all;
  most.push_back({1, 2});
  EXPECT_NEAR(sign_test(most), 9.0 / 256, 1e-12);
  const std::vector<TimePair> ties(5, {1, 1});
  EXPECT_DOUBLE_EQ(sign_test(ties), 1);
}

TEST(PairedStatistics, ManyPairsDoNotUnderflow) {
  const std::vector<TimePair> pairs(4000, {2, 1});
  EXPECT_GE(sign_test(pairs), 0);
  EXPECT_LT(sign_test(pairs), 1e-100);
}

TEST(PairedStatistics, NoiseIsNearTheLargestDeviation) {
  EXPECT_DOUBLE_EQ(noise_of({}), 0);
  std::vector<TimePair> pairs(10, {100, 100});
  EXPECT_DOUBLE_EQ(noise_of(pairs), 0);
  for (TimePair& pair : pairs)
    pair.incumbent_ns = 105;
  EXPECT_NEAR(noise_of(pairs), 0.05, 1e-12);
}

}  // namespace
}  // namespace halyard::verification
