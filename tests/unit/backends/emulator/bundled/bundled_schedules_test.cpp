// SPDX-License-Identifier: Apache-2.0
// The bundled kernels for AMD hardware under all detectors, at schedules at random.
#include "backends/emulator/detect/detectors.h"
#include "tests/unit/backends/emulator/bundled/bundled_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::emulator {
namespace {

using testing::bundled_kernels;
using testing::BundledKernel;
using testing::golden_shapes;
using testing::launch_and_check;
using testing::launch_title;
using testing::LaunchShape;
using testing::LaunchVerdict;

constexpr std::uint64_t kSchedules = 20;

class BundledSchedules : public ::testing::TestWithParam<const char*> {};

// The two largest shapes of the golden vectors in turn, for one type.
TEST_P(BundledSchedules, RaiseNoReport) {
  for (const BundledKernel& kernel : bundled_kernels(GetParam())) {
    const std::vector<LaunchShape> shapes = golden_shapes(kernel);
    if (shapes.empty() || kernel.build.types != kernel.record.types.back()) continue;
    const std::size_t count = std::min<std::size_t>(2, shapes.size());
    for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
      const LaunchShape& shape = shapes[shapes.size() - 1 - seed % count];
      Detectors detectors;
      LaunchOptions options;
      options.schedule_seed = seed;
      options.observer = &detectors;
      const LaunchVerdict verdict = launch_and_check(kernel, shape, options);
      EXPECT_EQ(verdict.failure, "") << launch_title(kernel, shape) << " seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, BundledSchedules,
                         ::testing::Values("gfx1100", "gfx1201", "gfx942"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace halyard::emulator
