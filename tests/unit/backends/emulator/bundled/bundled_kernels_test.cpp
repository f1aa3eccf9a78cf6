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

INSTANTIATE_TEST_SUITE_P(Processors, BundledKernels,
                         ::testing::Values("gfx1100", "gfx1201", "gfx942"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace halyard::emulator
