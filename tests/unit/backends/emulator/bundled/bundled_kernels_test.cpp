// SPDX-License-Identifier: Apache-2.0
// The bundled kernels for AMD hardware, which have never run on it, against the f64 references of
// their contracts: all shapes of the golden vectors, also with gaps of an odd number of elements
// between rows.
#include "tests/unit/backends/emulator/bundled/bundled_launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

namespace halyard::emulator {
namespace {

using testing::bundled_kernels;
using testing::BundledKernel;
using testing::golden_shapes;
using testing::launch_and_check;
using testing::launch_title;
using testing::LaunchShape;
using testing::LaunchVerdict;

// Beyond one tile, one step of a loop over rows, or one step of positions.
std::vector<LaunchShape> larger_shapes(const BundledKernel& kernel) {
  struct Larger {
    std::string_view contract;
    std::vector<operators::AxisValue> axes;
  };
  static const std::vector<Larger> kShapes = {
      {"gemm", {{"M", 150}, {"N", 200}, {"K", 176}}},
      {"gemm", {{"M", 12}, {"N", 131}, {"K", 333}}},
      {"rms_norm", {{"batch", 2}, {"hidden", 5000}}},
      {"add_rms_norm", {{"batch", 2}, {"hidden", 5000}}},
      {"softmax", {{"batch", 2}, {"columns", 5000}}},
      {"argmax", {{"batch", 2}, {"vocab", 5003}}},
      {"silu_mul", {{"tokens", 2}, {"hidden", 5000}}},
      {"attention_decode_paged",
       {{"batch", 2},
        {"num_pages", 40},
        {"num_indices", 26},
        {"kv_length", 200},
        {"q_heads", 20},
        {"kv_heads", 2},
        {"head_dim", 128},
        {"page_size", 16}}},
      {"attention_decode_paged",
       {{"batch", 1},
        {"num_pages", 9},
        {"num_indices", 7},
        {"kv_length", 100},
        {"q_heads", 3},
        {"kv_heads", 1},
        {"head_dim", 256},
        {"page_size", 16}}},
  };
  std::vector<LaunchShape> shapes;
  for (const Larger& each : kShapes) {
    LaunchShape shape;
    shape.axes = each.axes;
    if (each.contract == kernel.record.contract && testing::is_served(kernel, shape))
      shapes.push_back(std::move(shape));
  }
  return shapes;
}

class BundledKernels : public ::testing::TestWithParam<const char*> {};

TEST_P(BundledKernels, GivesWhatTheReferencesGive) {
  std::size_t launches = 0;
  double worst = 0;
  for (const BundledKernel& kernel : bundled_kernels(GetParam())) {
    for (LaunchShape shape : golden_shapes(kernel)) {
      for (const std::int64_t padding : {0, 3}) {
        shape.row_padding = padding;
        const LaunchVerdict verdict = launch_and_check(kernel, shape, {});
        EXPECT_EQ(verdict.failure, "") << launch_title(kernel, shape);
        worst = std::max(worst, verdict.worst_ratio);
        ++launches;
      }
    }
  }
  EXPECT_GT(launches, 0U);
  std::cout << launches << " launches, worst error " << worst << " of the allowed\n";
}

TEST_P(BundledKernels, GivesWhatTheReferencesGiveBeyondOneTile) {
  for (const BundledKernel& kernel : bundled_kernels(GetParam())) {
    for (LaunchShape shape : larger_shapes(kernel)) {
      for (shape.row_padding = 0; shape.row_padding < 16; shape.row_padding += 9)
        EXPECT_EQ(launch_and_check(kernel, shape, {}).failure, "") << launch_title(kernel, shape);
    }
  }
}

TEST_P(BundledKernels, KeepsTheRulesOfNanInfinityAndSubnormalNumbers) {
  // On gfx90a the products of bf16 take subnormal numbers as 0, so that infinity makes them NaN.
  const std::string_view left_out =
      std::string_view(GetParam()) == "gfx90a" ? "gemm_matrix_hip" : "";
  for (const BundledKernel& kernel : bundled_kernels(GetParam())) {
    const bool is_bf16 = kernel.build.types.begin()->second == base::DataType::kBf16;
    if (kernel.record.name == left_out && is_bf16) continue;
    for (LaunchShape shape : golden_shapes(kernel)) {
      shape.has_specials = true;
      for (shape.seed = 1; shape.seed <= 2; ++shape.seed)
        EXPECT_EQ(launch_and_check(kernel, shape, {}).failure, "") << launch_title(kernel, shape);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, BundledKernels,
                         ::testing::Values("gfx90a", "gfx942", "gfx1100", "gfx1201"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace halyard::emulator
