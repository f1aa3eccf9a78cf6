// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/statistics.h"

#include "backends/emulator/detect/detectors.h"
#include "backends/emulator/detect/observer_pair.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::emulator {
namespace {

// The good kernels of broken/, by name, on gfx1100.
LaunchStatistics statistics_of(const std::string& name) {
  const auto object = testing::load_object(
      "gfx1100", std::string(HALYARD_BROKEN_KERNELS) + "/broken.gfx1100.hsaco");
  const auto kernel = object->kernel(name);
  if (!kernel) return {};
  std::vector<float> x(256, 3);
  std::vector<std::uint32_t> y(256, 0);
  std::vector<std::uint32_t> z(16, 0);
  Statistics statistics(*object, **kernel);
  Detectors detectors;
  ObserverPair both(detectors, statistics);
  LaunchDesc desc;
  desc.grid = {2, 1, 1};
  desc.block = {128, 1, 1};
  desc.arguments = {testing::constant_memory("x", x), testing::memory("y", y),
                    testing::memory("z", z)};
  desc.options.observer = &both;
  EXPECT_FALSE(testing::run(*object, name, desc).report);
  return statistics.summary();
}

std::uint64_t count_of(const std::vector<std::pair<std::string, std::uint64_t>>& counts,
                       const std::string& name) {
  const auto found = std::find_if(counts.begin(), counts.end(),
                                  [&](const auto& count) { return count.first == name; });
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

TEST(Statistics, CountInstructionsByNameAndFamily) {
  const LaunchStatistics statistics = statistics_of("copy");
  EXPECT_EQ(statistics.workgroups, 2U);
  EXPECT_EQ(statistics.waves, 8U);
  EXPECT_EQ(statistics.instructions, 8U * 11);
  EXPECT_EQ(count_of(statistics.by_name, "V_ADD_F32"), 8U);
  EXPECT_EQ(count_of(statistics.by_family, "global"), 16U);
  EXPECT_EQ(statistics.vector_operations, 256U);
  EXPECT_EQ(statistics.matrix_operations, 0U);
}

TEST(Statistics, CountCacheLines) {
  const LaunchStatistics statistics = statistics_of("copy");
  EXPECT_EQ(statistics.memory_accesses, 16U);
  EXPECT_EQ(statistics.memory_ideal_lines, 16U);
  EXPECT_GE(statistics.memory_lines, 16U);
}

TEST(Statistics, CountPassesOfTheLds) {
  const LaunchStatistics statistics = statistics_of("exchange");
  EXPECT_EQ(statistics.lds_accesses, 8U * 3);
  EXPECT_EQ(statistics.lds_passes, statistics.lds_ideal_passes);
  EXPECT_EQ(statistics.barriers, 4U);
}

TEST(Statistics, CountRegistersThatHoldAValue) {
  const LaunchStatistics statistics = statistics_of("pair");
  // v1 with v2 and v3 behind the loads; v5 has been read by then.
  EXPECT_EQ(statistics.live_vector_registers, 3U);
  EXPECT_GE(statistics.vector_registers, 16U);
  EXPECT_EQ(statistics.occupancy.waves_per_simd, 16U);
}

TEST(Statistics, HaveALineForEachWave) {
  const LaunchStatistics statistics = statistics_of("lanes");
  EXPECT_EQ(std::count(statistics.timeline.begin(), statistics.timeline.end(), '\n'), 8);
  EXPECT_NE(statistics.timeline.find("workgroup 1 wave 3: 11 instructions (1 memory, 0 waits) | "
                                     "3 instructions (1 memory, 1 waits)"),
            std::string::npos)
      << statistics.timeline;
}

TEST(Statistics, AreADocumentAndText) {
  const LaunchStatistics statistics = statistics_of("copy");
  const std::string document = boost::json::serialize(statistics_document(statistics));
  EXPECT_NE(document.find("\"V_ADD_F32\":8"), std::string::npos) << document;
  EXPECT_NE(document.find("\"waves_per_simd\":16"), std::string::npos) << document;
  const std::string text = statistics_text(statistics);
  EXPECT_NE(text.find("88 instructions of 8 waves in 2 workgroups"), std::string::npos) << text;
  const std::string line = statistics_line(statistics);
  EXPECT_LE(line.size(), 800U);
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

}  // namespace halyard::emulator
