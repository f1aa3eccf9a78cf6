// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halyard::operators {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr ToleranceRule kF32Rule{ToleranceKind::kRelative, 4, 100, base::DataType::kF32,
                                 base::DataType::kF32};
constexpr ToleranceRule kF16Rule{ToleranceKind::kRelative, 4, 1, base::DataType::kF16,
                                 base::DataType::kF32};
constexpr ToleranceRule kExactRule{ToleranceKind::kExact, 0, 1, base::DataType::kF16,
                                   base::DataType::kF32};

TEST(Tolerance, FollowsTheFormula) {
  const double u = std::ldexp(1.0, -24);
  const double allowed = u * 2 + 4 * u * 10 * 5 + std::ldexp(1.0, -150);
  EXPECT_DOUBLE_EQ(1.0, error_ratio(2 + allowed, 2, 5, kF32Rule));
  EXPECT_EQ(0, error_ratio(2, 2, 5, kF32Rule));
  EXPECT_GT(error_ratio(2 - 1.01 * allowed, 2, 5, kF32Rule), 1);
}

TEST(Tolerance, NanMatchesNanOnly) {
  EXPECT_EQ(0, error_ratio(kNan, kNan, 1, kF32Rule));
  EXPECT_EQ(kInf, error_ratio(kNan, 1, 1, kF32Rule));
  EXPECT_EQ(kInf, error_ratio(1, kNan, 1, kF32Rule));
}

TEST(Tolerance, InfinityMatchesItsSign) {
  EXPECT_EQ(0, error_ratio(kInf, kInf, kInf, kF32Rule));
  EXPECT_EQ(kInf, error_ratio(-kInf, kInf, kInf, kF32Rule));
  EXPECT_EQ(kInf, error_ratio(1e30, kInf, kInf, kF32Rule));
  EXPECT_EQ(kInf, error_ratio(kInf, 1e30, 1, kF32Rule));
}

TEST(Tolerance, OverflowOfTheOutputTypeIsAccepted) {
  EXPECT_EQ(0, error_ratio(kInf, 65520, 1, kF16Rule));
  EXPECT_EQ(0, error_ratio(-kInf, -70000, 1, kF16Rule));
  EXPECT_EQ(kInf, error_ratio(kInf, 65000, 1, kF16Rule));
  EXPECT_EQ(kInf, error_ratio(-kInf, 70000, 1, kF16Rule));
}

TEST(Tolerance, SubnormalsMayRound) {
  EXPECT_LE(error_ratio(0, std::ldexp(1.0, -25), 0, kF16Rule), 1);
  EXPECT_GT(error_ratio(0, std::ldexp(1.0, -23), 0, kF16Rule), 1);
}

TEST(Tolerance, ExactRulesCompare) {
  EXPECT_EQ(0, error_ratio(-0.0, 0.0, 0, kExactRule));
  EXPECT_EQ(kInf, error_ratio(1, 1.0009765625, 0, kExactRule));
  const ToleranceRule integers{ToleranceKind::kRelative, 4, 1, base::DataType::kI32,
                               base::DataType::kF32};
  EXPECT_EQ(kInf, error_ratio(7, 8, 100, integers));
}

TEST(ErrorTally, KeepsTheWorst) {
  ErrorTally tally(kF32Rule);
  tally.add(0, 1, 1, 1);
  tally.add(5, 2, 1, 1);
  tally.add(6, 1.5, 1, 1);
  EXPECT_EQ(5U, tally.worst().element);
  EXPECT_EQ(2U, tally.worst().failures);
  EXPECT_EQ(3U, tally.worst().compared);
  EXPECT_FALSE(tally.passed());
}

}  // namespace
}  // namespace halyard::operators
