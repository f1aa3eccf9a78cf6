// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/stability.h"

#include "tests/unit/runtime/verification/verification_fixture.h"

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

// Sums each row from another element on with each launch, as atomics do.
HostRunner::Function wandering_sum(int& launches) {
  return [&launches](const HostLaunch& launch) {
    const View x(launch, "x");
    const View y(launch, "y");
    ++launches;
    for (std::int64_t row = 0; row < y.count(); ++row) {
      float sum = 0;
      for (std::int64_t i = 0; i < x.size(1); ++i)
        sum += static_cast<float>(x[row * x.size(1) + (i + launches * 7) % x.size(1)]);
      y.set(row, static_cast<double>(sum));
    }
  };
}

TEST(Stability, AcceptsAnyOrderWhereTheContractHasATolerance) {  // F03
  int launches = 0;
  const StabilityResult result = check_stability(wandering_sum(launches), "probe_read", kF32);
  expect_accepted(result.finding);
  EXPECT_GE(result.launches, 20U * 8U);
}

TEST(Stability, RefusesLastBitsWhereTheContractIsBitwise) {  // F03
  int launches = 0;
  const auto kernel = [&launches](const HostLaunch& launch) {
    run_reference(launch);
    const View y(launch, "y");
    if (++launches % 40 == 39 && y.count() > 0) {
      y.set(0, y[0] * (1 + 0x1p-23));
    }
  };
  const StabilityResult result = check_stability(kernel, "rms_norm", kF32);
  expect_finding(result.finding, VerdictClass::kNondet,
                 "Tensor \"y\" differs between launches with the same inputs, at [0, 0]: ");
  EXPECT_NE(result.finding->counter_example->got, result.finding->counter_example->expected);
}

TEST(Stability, RefusesARaceBeyondTheTolerance) {  // F01
  int launches = 0;
  const auto kernel = [&launches](const HostLaunch& launch) {
    run_reference(launch);
    if (++launches == 90 && View(launch, "C").count() > 0) View(launch, "C").set(0, 1e6);
  };
  expect_finding(check_stability(kernel, "gemm", kF32).finding, VerdictClass::kNondet,
                 "The same launch was right before. ");
}

TEST(Stability, RefusesWhatAnEarlierLaunchLeft) {  // E06
  // Reads memory of its own that the launch before has written.
  std::vector<double> scratch(1, 0.0);
  const auto kernel = [&scratch](const HostLaunch& launch) {
    run_reference(launch);
    const View y(launch, "y");
    if (y.count() == 0) return;
    const double kept = scratch[0];
    scratch[0] = y[0];
    if (kept > 0) y.set(0, y[0] * (1 + 0x1p-23));
  };
  const StabilityResult result = check_stability(kernel, "rms_norm", kF32);
  ASSERT_TRUE(result.finding);
  EXPECT_EQ(result.finding->verdict, VerdictClass::kNondet) << result.finding->sentence;
}

TEST(Stability, IsUndecidedPastItsDeadline) {
  HostRunner runner(run_reference);
  StabilityDesc desc;
  desc.shapes = small_plan("gemm", kF32);
  desc.deadline = std::chrono::steady_clock::now();
  const auto result = run_stability(runner, desc);
  ASSERT_TRUE(result);
  expect_finding(result->finding, VerdictClass::kUndecided,
                 "The deadline passes after 0 of 20 repeats.");
}

}  // namespace
}  // namespace halyard::verification
