// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/comparison.h"

#include "runtime/verification/checked_launch.h"
#include "tests/unit/runtime/verification/verification_fixture.h"

#include <cmath>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

TEST(Poison, IsKnownAgainAndDiffersFromLaunchToLaunch) {
  std::vector<std::byte> bytes(64);
  const Poison poison(1, "y");
  for (const base::DataType type :
       {base::DataType::kF32, base::DataType::kBf16, base::DataType::kI8, base::DataType::kF64}) {
    poison.fill(type, bytes);
    const std::size_t size_bytes = base::data_type_size_bytes(type);
    for (std::size_t i = 0; i < bytes.size() / size_bytes; ++i)
      EXPECT_TRUE(poison.holds(type, i, bytes.data() + i * size_bytes));
  }
  poison.fill(base::DataType::kF32, bytes);
  EXPECT_FALSE(Poison(2, "y").holds(base::DataType::kF32, 0, bytes.data()));
  EXPECT_FALSE(Poison(1, "z").holds(base::DataType::kF32, 0, bytes.data()));
}

TEST(Poison, HasNansThatNoKernelWrites) {
  std::vector<std::byte> bytes(4000);
  Poison(1, "y").fill(base::DataType::kBf16, bytes);
  int nans = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, sizeof(bits));
    if (std::isnan(base::bf16_to_double(bits))) ++nans;
    EXPECT_NE(bits, 0x7fc0U);
  }
  EXPECT_GT(nans, 700);
}

// One launch of a product placed in host memory.
class PlacedLaunch {
 public:
  PlacedLaunch() : runner_([this](const HostLaunch& launch) { kernel(launch); }) {
    auto shape = ShapeMaker(contract("gemm"), kF32, {})
                     .make({{"M", 2}, {"N", 3}, {"K", 4}}, {}, {1000, 1000});
    shape_.push_back(std::move(*shape));
  }

  std::optional<Mismatch> run(InputCase input = {}) {
    auto launch = CheckedLaunch::create(shape_[0], input, 1, {});
    EXPECT_TRUE(launch);
    auto memory = runner_.place({&shape_[0].problem, shape_[0].launch_axes, launch->scalars(), {}});
    EXPECT_TRUE(memory);
    launch->arm(*memory, 5);
    EXPECT_TRUE(runner_.launch());
    auto mismatch = launch->check(*memory);
    EXPECT_TRUE(mismatch) << mismatch.error().message();
    return mismatch ? *mismatch : std::nullopt;
  }

  HostRunner::Function kernel = run_reference;

 private:
  HostRunner runner_;
  std::vector<PlannedShape> shape_;
};

TEST(Comparison, PassesARightLaunch) {
  EXPECT_FALSE(PlacedLaunch().run());
}

TEST(Comparison, TellsTheWorstElement) {
  PlacedLaunch launch;
  launch.kernel = [](const HostLaunch& each) {
    run_reference(each);
    View(each, "C").set(4, 100);
  };
  const std::optional<Mismatch> mismatch = launch.run();
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->verdict, VerdictClass::kNumeric);
  EXPECT_EQ(mismatch->tensor, "C");
  EXPECT_THAT(mismatch->index, ::testing::ElementsAre(1, 1));
  EXPECT_EQ(mismatch->got, "100");
  EXPECT_THAT(mismatch->sentence, ::testing::StartsWith("Tensor \"C\" is wrong at [1, 1]: 100"));
  EXPECT_THAT(mismatch->sentence,
              ::testing::EndsWith("1 of 6 compared elements are out of bounds."));
}

TEST(Comparison, CountsWhatIsNotWritten) {
  PlacedLaunch launch;
  launch.kernel = [](const HostLaunch&) {};
  const std::optional<Mismatch> mismatch = launch.run();
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->sentence,
            "Tensor \"C\" is not written: 6 of 6 compared elements still hold what was there "
            "before the launch, the first at [0, 0].");
}

TEST(Comparison, GuardsComeBeforeValues) {
  PlacedLaunch launch;
  launch.kernel = [](const HostLaunch& each) { View(each, "C").set(7, 1); };
  const std::optional<Mismatch> mismatch = launch.run();
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->verdict, VerdictClass::kBounds);
  EXPECT_EQ(mismatch->sentence,
            "The launch writes 2 elements past the end of tensor \"C\" (6 elements).");
}

TEST(Comparison, IntegerSumsAreExact) {
  PlacedLaunch launch;
  launch.kernel = [](const HostLaunch& each) {
    run_reference(each);
    const View c(each, "C");
    for (std::int64_t i = 0; i < c.count(); ++i)
      c.set(i, c[i] * (1 + 0x1p-23));
  };
  EXPECT_FALSE(launch.run());
  EXPECT_TRUE(launch.run({InputFamily::kIntegers, 0}));
}

TEST(Comparison, OutcomesHaveTheirClasses) {
  using Kind = LaunchOutcome::Kind;
  const auto verdict = [](Kind kind) {
    return outcome_mismatch({kind, "message.", std::chrono::milliseconds(20)})->verdict;
  };
  EXPECT_FALSE(outcome_mismatch({}));
  EXPECT_EQ(verdict(Kind::kRefused), VerdictClass::kStatic);
  EXPECT_EQ(verdict(Kind::kFault), VerdictClass::kBounds);
  EXPECT_EQ(verdict(Kind::kCrash), VerdictClass::kNumeric);
  EXPECT_EQ(verdict(Kind::kViolation), VerdictClass::kCheat);
  EXPECT_EQ(verdict(Kind::kHang), VerdictClass::kHang);
  EXPECT_EQ(outcome_mismatch({Kind::kHang, "killed.", std::chrono::milliseconds(20)})->sentence,
            "The launch hangs: killed.");
}

}  // namespace
}  // namespace halyard::verification
