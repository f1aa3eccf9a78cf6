// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/output_check.h"

#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace halyard::operators {
namespace {

using testing::HostLaunch;
using testing::kF32;

std::vector<ExpectedOutput> expect(const HostLaunch& launch, const CheckLimits& limits) {
  const std::vector<ReferenceTensor> tensors(launch.tensors.begin(), launch.tensors.end());
  auto expected =
      expect_outputs({&launch.problem(), launch.launch_axes(), tensors, launch.scalars}, limits);
  EXPECT_TRUE(expected) << expected.error().message();
  return expected ? *expected : std::vector<ExpectedOutput>{};
}

TEST(OutputCheck, ExpectsEveryElementWithinTheLimit) {
  HostLaunch launch("gemm", kF32, {{"M", 3}, {"N", 5}, {"K", 7}});
  launch.fill(1);
  const std::vector<ExpectedOutput> expected = expect(launch, {});
  ASSERT_EQ(expected.size(), 1U);
  EXPECT_EQ(expected[0].tensor, launch.index("C"));
  EXPECT_EQ(expected[0].elements.size(), 15U);
  EXPECT_EQ(expected[0].values, launch.evaluate("C"));
  EXPECT_FALSE(expected[0].is_partial);
}

TEST(OutputCheck, ComparesAndTellsTheWorstElement) {
  HostLaunch launch("gemm", kF32, {{"M", 2}, {"N", 3}, {"K", 4}});
  launch.fill(1);
  const std::vector<ExpectedOutput> expected = expect(launch, {});
  std::vector<double> values = launch.evaluate("C");
  launch.set("C", values);
  EXPECT_EQ(compare_output(expected[0], launch.tensors[expected[0].tensor]).failures, 0U);
  values[4] += 1;
  launch.set("C", values);
  const WorstError worst = compare_output(expected[0], launch.tensors[expected[0].tensor]);
  EXPECT_EQ(worst.failures, 1U);
  EXPECT_EQ(worst.element, 4U);
  EXPECT_THAT(element_place(expected[0].shape, worst.element), ::testing::ElementsAre(1, 1));
}

TEST(OutputCheck, ChoosesRowEndsWhereAsked) {
  HostLaunch launch("gemm", kF32, {{"M", 10}, {"N", 100}, {"K", 8}});
  launch.fill(1);
  CheckLimits limits;
  limits.multiply_adds = 10 * 8;
  EXPECT_EQ(expect(launch, limits)[0].elements.size(), 10U);
  limits.with_edges = true;
  const std::vector<std::uint64_t> elements = expect(launch, limits)[0].elements;
  for (std::uint64_t row = 0; row < 10; ++row) {
    EXPECT_THAT(elements, ::testing::Contains(row * 100 + 99));
  }
  EXPECT_TRUE(std::is_sorted(elements.begin(), elements.end()));
}

TEST(SpreadChoice, RisesAndCoversBothEnds) {
  for (const std::uint64_t count : {2U, 3U, 10U, 1000U, 28672U}) {
    for (const std::uint64_t wanted : {2U, 3U, 7U, 999U}) {
      const std::vector<std::uint64_t> chosen = spread_choice(count, wanted, 1);
      ASSERT_EQ(chosen.size(), std::min(count, wanted));
      EXPECT_EQ(chosen.front(), 0U);
      EXPECT_EQ(chosen.back(), count - 1);
      EXPECT_EQ(std::adjacent_find(chosen.begin(), chosen.end(), std::greater_equal<>()),
                chosen.end());
    }
  }
  EXPECT_NE(spread_choice(1000, 10, 1), spread_choice(1000, 10, 2));
}

}  // namespace
}  // namespace halyard::operators
