// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::services {
namespace {

using base::DataType;

Ceilings ceilings() {
  Ceilings ceilings;
  ceilings.bandwidth = Ceiling{20, "", "host", {}};
  ceilings.arithmetic[DataType::kF32] = Ceiling{100, "", "host", {}};
  ceilings.arithmetic[DataType::kBf16] = Ceiling{200, "", "host", {}};
  return ceilings;
}

TEST(Roofline, GivesRatesAndFractions) {
  const Roofline roofline = launch_roofline({1000, 4000}, 400, DataType::kF32, ceilings());
  EXPECT_DOUBLE_EQ(*roofline.gbps, 10);
  EXPECT_DOUBLE_EQ(*roofline.gflops, 2.5);
  EXPECT_DOUBLE_EQ(*roofline.bandwidth_fraction, 0.5);
  EXPECT_DOUBLE_EQ(*roofline.arithmetic_fraction, 0.025);
  EXPECT_EQ(roofline.bound, "bandwidth");
  EXPECT_DOUBLE_EQ(*roofline.fraction, 0.5);
  EXPECT_TRUE(roofline.notes.empty());
}

TEST(Roofline, TakesTheCeilingOfTheTypeElseThatOfF32) {
  EXPECT_DOUBLE_EQ(launch_bound({2000, 0}, DataType::kBf16, ceilings()).arithmetic_ns, 10);
  EXPECT_DOUBLE_EQ(launch_bound({2000, 0}, DataType::kF16, ceilings()).arithmetic_ns, 20);
}

TEST(Roofline, NotesFiguresAboveTheCeiling) {
  const Roofline roofline = launch_roofline({0, 4000}, 100, DataType::kF32, ceilings());
  EXPECT_DOUBLE_EQ(*roofline.bandwidth_fraction, 2);
  EXPECT_THAT(roofline.notes, ::testing::ElementsAre(::testing::HasSubstr("cached data")));
}

TEST(Roofline, AddsTheLeastTimesOfAChain) {
  const std::vector<Bound> bounds{{100, 10}, {10, 50}};
  const Roofline roofline = chain_roofline({100, 100}, 300, bounds);
  EXPECT_DOUBLE_EQ(*roofline.bound_ns, 150);
  EXPECT_DOUBLE_EQ(*roofline.fraction, 0.5);
  EXPECT_EQ(roofline.bound, "bandwidth");
}

TEST(Roofline, HasNoFigureWithoutCeilingOrTime) {
  const Roofline without = launch_roofline({1000, 4000}, 400, DataType::kF32, {});
  EXPECT_TRUE(without.gbps);
  EXPECT_FALSE(without.bandwidth_fraction);
  EXPECT_FALSE(without.fraction);
  EXPECT_EQ(without.bound, "");
  EXPECT_FALSE(launch_roofline({1000, 4000}, 0, DataType::kF32, ceilings()).gbps);
}

}  // namespace
}  // namespace halyard::services
