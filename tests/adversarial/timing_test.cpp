// SPDX-License-Identifier: Apache-2.0
// Times that cannot be trusted.
#include "runtime/verification/timing.h"

#include "runtime/verification/checked_launch.h"
#include "tests/adversarial/candidate_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace halyard::adversarial {
namespace {

using verification::CheckedLaunch;
using verification::Finding;
using verification::ShapeTiming;
using verification::SupervisedRunner;
using verification::TensorMemory;
using verification::TimedShape;
using verification::TimingDesc;
using verification::VerdictClass;

class Timing : public CandidateFixture {
 protected:
  base::Result<ShapeTiming> time(SupervisedRunner& candidate, SupervisedRunner* incumbent,
                                 double floor_cold_ns, double floor_warm_ns) {
    verification::PlannedShape planned{problem(), {}, {64}};
    HALYARD_TRY_ASSIGN(CheckedLaunch checked,
                       CheckedLaunch::create(planned, {}, 7, {1'000'000, 7}));
    TimedShape shape;
    shape.problem = &planned.problem;
    shape.launch_axes = planned.launch_axes;
    shape.scalars = checked.scalars();
    shape.bucket = "batch = 64";
    shape.floor_cold_ns = floor_cold_ns;
    shape.floor_warm_ns = floor_warm_ns;
    TimingDesc desc;
    desc.candidate = &candidate;
    desc.incumbent = incumbent;
    desc.rules.rounds = 2;
    desc.deadline = deadline_;
    desc.rules.cold_bytes = 1 << 20;
    desc.rules.least_batch = std::chrono::microseconds(300);
    desc.fill = [&](std::span<const TensorMemory> tensors) { checked.arm(tensors, 7); };
    desc.reset = [](std::span<const TensorMemory> tensors) {
      std::fill(tensors[2].data.begin(), tensors[2].data.end(), std::byte{0xff});
    };
    desc.check =
        [&](std::span<const TensorMemory> tensors) -> base::Result<std::optional<Finding>> {
      HALYARD_TRY_ASSIGN(const auto mismatch, checked.check(tensors));
      if (!mismatch) return std::optional<Finding>();
      return std::optional(Finding{verification::Stage::kTiming, VerdictClass::kCheat,
                                   mismatch->sentence, std::nullopt});
    };
    return verification::time_shape(desc, shape);
  }

  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();

  void expect_finding(const base::Result<ShapeTiming>& timing, VerdictClass verdict) {
    ASSERT_TRUE(timing) << timing.error().message();
    ASSERT_TRUE(timing->finding);
    EXPECT_EQ(timing->finding->verdict, verdict) << timing->finding->sentence;
  }
};

TEST_F(Timing, HonestKernelIsTimedBesideTheIncumbent) {
  auto candidate = runner_of("");
  auto incumbent = runner_of("");
  ASSERT_TRUE(candidate && incumbent);
  const auto timing = time(*candidate, &*incumbent, 0, 0);
  ASSERT_TRUE(timing) << timing.error().message();
  EXPECT_FALSE(timing->finding) << timing->finding->sentence;
  EXPECT_EQ(timing->cold.size(), 4U);
  EXPECT_EQ(timing->warm.size(), 4U);
  EXPECT_EQ(timing->noise.size(), 4U);
  for (const verification::TimePair& pair : timing->warm) {
    EXPECT_GT(pair.incumbent_ns, 0);
    EXPECT_GT(pair.candidate_ns, 0);
  }
}

TEST_F(Timing, NothingIsSaidPastTheDeadline) {
  auto candidate = runner_of("");
  ASSERT_TRUE(candidate);
  deadline_ = std::chrono::steady_clock::now();
  const auto timing = time(*candidate, nullptr, 0, 0);
  ASSERT_TRUE(timing) << timing.error().message();
  ASSERT_TRUE(timing->finding);
  EXPECT_EQ(timing->finding->verdict, VerdictClass::kUndecided);
  EXPECT_EQ(timing->finding->sentence, "The deadline passes in batch = 64 after 0 of 2 rounds.");
  EXPECT_TRUE(timing->cold.empty());
}

TEST_F(Timing, FasterThanPhysicsIsRefused) {
  auto candidate = runner_of("");
  ASSERT_TRUE(candidate);
  expect_finding(time(*candidate, nullptr, 1e9, 0), VerdictClass::kTiming);
  expect_finding(time(*candidate, nullptr, 0, 1e9), VerdictClass::kTiming);
}

TEST_F(Timing, KernelThatDoesNothingWhileItIsTimedCheats) {
  auto candidate = runner_of("return;\n");
  ASSERT_TRUE(candidate);
  expect_finding(time(*candidate, nullptr, 0, 0), VerdictClass::kCheat);
}

// It computes into outputs that hold nothing, and leaves alone what is there already.
TEST_F(Timing, ColdLaunchesFindNoWorkDone) {
  auto lazy = runner_of(
      "{ Arguments peek(arguments); peek.pointer<const float>(); peek.pointer<const float>();\n"
      "const auto* y = peek.pointer<float>();\n"
      "if (y[range->begin * 64] == y[range->begin * 64]) return; }\n");
  auto honest = runner_of("");
  ASSERT_TRUE(lazy && honest);
  const auto timing = time(*lazy, &*honest, 0, 0);
  ASSERT_TRUE(timing) << timing.error().message();
  EXPECT_FALSE(timing->finding) << timing->finding->sentence;
  // What it leaves out shows warm, and wins nothing cold.
  EXPECT_LT(verification::median_speedup(timing->cold), 3);
}

TEST_F(Timing, KernelThatHangsWhileItIsTimedIsRefused) {
  auto candidate =
      runner_of("while (range->begin < range->end) { asm volatile(\"pause\"); }\n", kShortPatience);
  ASSERT_TRUE(candidate);
  expect_finding(time(*candidate, nullptr, 0, 0), VerdictClass::kHang);
}

}  // namespace
}  // namespace halyard::adversarial
