// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/reference.h"

#include "runtime/operators/tolerance.h"
#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace halyard::operators {
namespace {

using testing::contract;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HostLaunch;
using testing::kBf16;
using testing::kF16;
using testing::kF32;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RmsNormReference, HandComputed) {
  HostLaunch launch("rms_norm", kF32, {{"batch", 1}, {"hidden", 4}}, {{"epsilon", 0.25}});
  launch.set("x", {1, -1, 2, 3});
  launch.set("weight", {1, 2, 0.5, -1});
  const double factor = 1 / std::sqrt(15.0 / 4 + 0.25);
  EXPECT_THAT(launch.evaluate("y"), ElementsAre(factor, -2 * factor, factor, -3 * factor));
}

TEST(RmsNormReference, NanAndInfinityFollowTheRules) {
  HostLaunch launch("rms_norm", kF32, {{"batch", 2}, {"hidden", 2}});
  launch.set("x", {kNan, 1, kInf, 1});
  launch.set("weight", {1, 1});
  const std::vector<double> y = launch.evaluate("y");
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]) && std::isnan(y[2]));
  EXPECT_EQ(0, y[3]);
}

TEST(AddRmsNormReference, NormalisesTheRoundedSum) {
  HostLaunch launch("add_rms_norm", kBf16, {{"batch", 1}, {"hidden", 2}}, {{"epsilon", 1e-5}});
  launch.set("x", {256, 3});
  launch.set("residual", {1, 1});
  launch.set("weight", {1, 1});
  EXPECT_THAT(launch.evaluate("residual"), ElementsAre(256, 4));
  const double factor = 1 / std::sqrt((65536.0 + 16) / 2 + 1e-5);
  EXPECT_THAT(launch.evaluate("y"), ElementsAre(256 * factor, 4 * factor));
}

TEST(GemmReference, AgreesWithANaiveProduct) {
  HostLaunch launch("gemm", kBf16, {{"M", 5}, {"N", 7}, {"K", 33}}, {{"bias", std::int64_t{1}}});
  launch.fill(3);
  const std::vector<double> a = launch.get("A");
  const std::vector<double> b = launch.get("B");
  const std::vector<double> bias = launch.get("bias_vector");
  std::vector<double> magnitudes;
  const std::vector<double> c = launch.evaluate("C", &magnitudes);
  for (std::size_t m = 0; m < 5; ++m) {
    for (std::size_t n = 0; n < 7; ++n) {
      double sum = bias[n];
      double magnitude = std::abs(bias[n]);
      for (std::size_t k = 0; k < 33; ++k) {
        sum += a[m * 33 + k] * b[n * 33 + k];
        magnitude += std::abs(a[m * 33 + k] * b[n * 33 + k]);
      }
      EXPECT_NEAR(sum, c[m * 7 + n], 1e-12);
      EXPECT_NEAR(magnitude, magnitudes[m * 7 + n], 1e-12);
    }
  }
}

TEST(GemmReference, EmptyReductionGivesTheBias) {
  HostLaunch plain("gemm", kF32, {{"M", 2}, {"N", 2}, {"K", 0}});
  EXPECT_THAT(plain.evaluate("C"), ElementsAre(0, 0, 0, 0));
  HostLaunch biased("gemm", kF32, {{"M", 2}, {"N", 2}, {"K", 0}}, {{"bias", std::int64_t{1}}});
  biased.set("bias_vector", {3, -4});
  EXPECT_THAT(biased.evaluate("C"), ElementsAre(3, -4, 3, -4));
}

TEST(RopeReference, RotatesPairsOfEachStyle) {
  const std::vector<AxisValue> axes{{"tokens", 1},   {"max_positions", 2}, {"q_heads", 1},
                                    {"kv_heads", 0}, {"head_dim", 5},      {"rotary_dim", 4}};
  for (const std::string style : {"neox", "gptj"}) {
    HostLaunch launch("rope", kF32, axes, {{"style", style}});
    launch.set("q", {1, 2, 3, 4, 5});
    launch.set("cos_sin_cache", {0, 0, 0, 0, 0.5, 0, 1, -1});
    launch.set("positions", {1});
    if (style == "neox") {
      EXPECT_THAT(launch.evaluate("q_out"), ElementsAre(0.5 - 3, 4, 1.5 + 1, -2, 5));
    } else {
      EXPECT_THAT(launch.evaluate("q_out"), ElementsAre(0.5 - 2, 1 + 1, 4, -3, 5));
    }
    launch.set("positions", {2});
    EXPECT_THAT(launch.evaluate("q_out"), ElementsAre(1, 2, 3, 4, 5));
  }
}

TEST(RopeReference, RotationKeepsLengths) {
  HostLaunch launch("rope", kF32,
                    {{"tokens", 3},
                     {"max_positions", 50},
                     {"q_heads", 2},
                     {"kv_heads", 1},
                     {"head_dim", 16},
                     {"rotary_dim", 16}});
  launch.fill(5);
  const std::vector<double> before = launch.get("q");
  const std::vector<double> after = launch.evaluate("q_out");
  for (std::size_t head = 0; head < 6; ++head) {
    const auto length = [head](const std::vector<double>& values) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(head * 16);
      return std::inner_product(begin, begin + 16, begin, 0.0);
    };
    EXPECT_NEAR(length(before), length(after), 1e-5);
  }
}

TEST(KvAppendPagedReference, WritesOnlyItsSlots) {
  HostLaunch launch(
      "kv_append_paged", kF32,
      {{"tokens", 3}, {"num_pages", 2}, {"kv_heads", 1}, {"head_dim", 1}, {"page_size", 2}});
  launch.set("k", {1, 2, 3});
  launch.set("v", {4, 5, 6});
  launch.set("k_cache", {-1, -2, -3, -4});
  launch.set("slots", {2, -1, 4});
  EXPECT_THAT(launch.evaluate("k_cache"), ElementsAre(-1, -2, 1, -4));
  EXPECT_THAT(launch.evaluate("v_cache"), ElementsAre(0, 0, 4, 0));
  std::vector<std::uint64_t> written;
  EXPECT_TRUE(launch.reference()->written_elements(launch.index("k_cache"), written));
  EXPECT_THAT(written, ElementsAre(2));
}

TEST(SiluMulReference, FollowsItsDefinition) {
  HostLaunch launch("silu_mul", kF32, {{"tokens", 1}, {"hidden", 5}});
  launch.set("x", {0, 1, -1000, kInf, -kInf, 2, 2, 2, 2, 2});
  const std::vector<double> y = launch.evaluate("y");
  EXPECT_EQ(0, y[0]);
  EXPECT_DOUBLE_EQ(2 / (1 + std::exp(-1.0)), y[1]);
  EXPECT_EQ(0, y[2]);
  EXPECT_EQ(kInf, y[3]);
  EXPECT_EQ(0, y[4]);
}

TEST(SiluMulReference, VanishingResultsMayBeZero) {
  HostLaunch launch("silu_mul", kF32, {{"tokens", 1}, {"hidden", 2}});
  launch.set("x", {-89, -60, 1, 1});
  std::vector<double> magnitudes;
  const std::vector<double> y = launch.evaluate("y", &magnitudes);
  const ToleranceRule rule{ToleranceKind::kRelative, 8, 1, base::DataType::kF32,
                           base::DataType::kF32};
  EXPECT_LE(error_ratio(0, y[0], magnitudes[0], rule), 1);
  EXPECT_GT(error_ratio(0, y[1], magnitudes[1], rule), 1);
}

TEST(SoftmaxReference, FollowsItsDefinition) {
  HostLaunch launch("softmax", kF32, {{"batch", 2}, {"columns", 3}});
  launch.set("x", {1000, 1000, -kInf, 0, std::log(3.0F), -1e4});
  const std::vector<double> y = launch.evaluate("y");
  EXPECT_THAT(std::vector<double>(y.begin(), y.begin() + 3), ElementsAre(0.5, 0.5, 0));
  EXPECT_NEAR(0.25, y[3], 1e-7);
  EXPECT_NEAR(0.75, y[4], 1e-7);
  EXPECT_EQ(0, y[5]);
}

TEST(SoftmaxReference, RowsWithoutASumAreNan) {
  HostLaunch launch("softmax", kF32, {{"batch", 4}, {"columns", 2}});
  launch.set("x", {kInf, 0, -kInf, -kInf, std::nan(""), 0, 1, 1});
  const std::vector<double> y = launch.evaluate("y");
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_TRUE(std::isnan(y[i])) << i;
  EXPECT_EQ(0.5, y[6]);
}

TEST(SoftmaxReference, VanishingExponentialsMayBeZero) {
  HostLaunch launch("softmax", kF32, {{"batch", 1}, {"columns", 3}});
  launch.set("x", {0, -72, -60});
  std::vector<double> magnitudes;
  const std::vector<double> y = launch.evaluate("y", &magnitudes);
  const ToleranceRule rule{ToleranceKind::kRelative, 8, 3, base::DataType::kF32,
                           base::DataType::kF32};
  EXPECT_LE(error_ratio(0, y[1], magnitudes[1], rule), 1);
  EXPECT_GT(error_ratio(0, y[2], magnitudes[2], rule), 1);
}

TEST(EmbeddingReference, IdsOutOfRangeGiveZeros) {
  HostLaunch launch("embedding", kF16, {{"tokens", 4}, {"vocab", 2}, {"hidden", 2}});
  launch.set("table", {1, 2, 3, 4});
  launch.set("ids", {1, -1, 2, 0});
  EXPECT_THAT(launch.evaluate("y"), ElementsAre(3, 4, 0, 0, 0, 0, 1, 2));
}

TEST(ArgmaxReference, LowestIndexAndFirstNanWin) {
  HostLaunch launch("argmax", kF32, {{"batch", 4}, {"vocab", 3}});
  launch.set("x", {1, 5, 5, 9, kNan, kNan, -kInf, -kInf, -kInf, -0.0, 0.0, -1});
  EXPECT_THAT(launch.evaluate("index"), ElementsAre(1, 1, 0, 0));
}

TEST(CopyStridedReference, ReadsThroughStrides) {
  HostLaunch launch("copy_strided", kF32, {{"d0", 1}, {"d1", 1}, {"d2", 2}, {"d3", 3}});
  launch.set("x", {0, 1, 2, 3, 4, 5});
  launch.tensors[0].strides = {6, 6, 1, 2};
  EXPECT_THAT(launch.evaluate("y"), ElementsAre(0, 2, 4, 1, 3, 5));
}

TEST(CastReference, RoundsToNearestEven) {
  HostLaunch launch("cast", {{"S", base::DataType::kF32}, {"T", base::DataType::kF16}}, {{"n", 5}});
  launch.set("x", {2049, 2051, 70000, kNan, 0x1p-24});
  const std::vector<double> y = launch.evaluate("y");
  EXPECT_EQ(2048, y[0]);
  EXPECT_EQ(2052, y[1]);
  EXPECT_EQ(kInf, y[2]);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(0x1p-24, y[4]);
}

TEST(Reference, RefusesWhatDoesNotFit) {
  HostLaunch launch("gemm", kF32, {{"M", 2}, {"N", 2}, {"K", 2}});
  std::vector<ReferenceTensor> tensors(launch.tensors.begin(), launch.tensors.end());
  const auto create = [&] {
    return Reference::create({&launch.problem(), launch.launch_axes(), tensors, {}});
  };
  tensors[0].shape[1] = 3;
  EXPECT_THAT(create().error().message(), HasSubstr("\"A\" has shape [2, 3], not [2, 2]"));
  tensors[0].shape[1] = 2;
  tensors[1].type = base::DataType::kF16;
  EXPECT_THAT(create().error().message(), HasSubstr("\"B\" has type f16, not f32"));
  tensors[1] = launch.tensors[1];
  tensors[1].data = nullptr;
  EXPECT_THAT(create().error().message(), HasSubstr("no data, and it has 4 elements"));
  tensors.pop_back();
  EXPECT_THAT(create().error().message(), HasSubstr("has 4 tensors, and 3 are given"));
}

TEST(Reference, RefusesElementsPastTheEnd) {
  HostLaunch launch("gemm", kF32, {{"M", 2}, {"N", 2}, {"K", 2}});
  std::vector<double> one(1);
  const std::vector<std::uint64_t> past{4};
  EXPECT_THAT(launch.reference()->evaluate(3, past, one, one).error().message(),
              HasSubstr("Element 4 is past the end of tensor \"C\" (4 elements)"));
  EXPECT_THAT(launch.reference()->evaluate(0, past, one, one).error().message(),
              HasSubstr("is no output"));
}

TEST(RunReference, WritesRoundedOutputsInPlace) {
  HostLaunch launch("rms_norm", kBf16, {{"batch", 2}, {"hidden", 8}});
  launch.fill(6);
  const std::vector<double> expected = launch.evaluate("y");
  launch.tensors[launch.index("y")] = launch.tensors[launch.index("x")];
  const base::Status done =
      run_reference(launch.problem(), launch.launch_axes(), launch.tensors, launch.scalars);
  ASSERT_TRUE(done) << done.error().message();
  const std::vector<double> y = launch.get("x");
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(expected[i], y[i], std::abs(expected[i]) / 256);
  }
}

TEST(RunReference, AppendLeavesOtherSlots) {
  HostLaunch launch(
      "kv_append_paged", kF32,
      {{"tokens", 1}, {"num_pages", 2}, {"kv_heads", 1}, {"head_dim", 1}, {"page_size", 1}});
  launch.set("k", {7});
  launch.set("k_cache", {-1, -2});
  launch.set("slots", {1});
  ASSERT_TRUE(run_reference(launch.problem(), launch.launch_axes(), launch.tensors, {}));
  EXPECT_THAT(launch.get("k_cache"), ElementsAre(-1, 7));
}

}  // namespace
}  // namespace halyard::operators
