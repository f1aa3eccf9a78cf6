// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/launch.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kGroups = 64;
constexpr std::uint32_t kItems = 96;

std::unique_ptr<const LoadedObject> load() {
  return testing::load_object("gfx1100",
                              std::string(HALYARD_TEST_OBJECTS) + "/launched.gfx1100.hsaco");
}

LaunchDesc launch_of(std::vector<std::uint32_t>& out) {
  LaunchDesc desc;
  desc.grid = {kGroups, 1, 1};
  desc.block = {kItems, 1, 1};
  desc.arguments = {testing::memory("out", out), testing::number("groups_x", kGroups),
                    testing::number("groups_y", 1)};
  desc.options.threads = 8;
  return desc;
}

TEST(LaunchThreads, ShareTheWorkgroups) {
  const auto object = load();
  std::vector<std::uint32_t> out(kGroups * kItems);
  const LaunchOutcome outcome = testing::run(*object, "ids", launch_of(out));
  ASSERT_FALSE(outcome.report) << report_text(*outcome.report);
  for (std::uint32_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], (i / kItems) << 24 | i % kItems);
}

TEST(LaunchThreads, ReportTheFirstWorkgroupThatStops) {
  const auto object = load();
  constexpr std::uint32_t kWhole = 40;
  for (int round = 0; round < 5; ++round) {
    std::vector<std::uint32_t> out(kWhole * kItems);
    const LaunchOutcome outcome = testing::run(*object, "ids", launch_of(out));
    ASSERT_TRUE(outcome.report);
    EXPECT_EQ(outcome.report->workgroup[0], kWhole);
  }
}

TEST(LaunchThreads, KeepOneBudget) {
  const auto object = load();
  std::vector<std::uint32_t> out(kGroups * kItems);
  LaunchDesc desc = launch_of(out);
  const std::uint64_t whole = testing::run(*object, "ids", desc).instructions;
  desc.options.instruction_budget = whole;
  EXPECT_FALSE(testing::run(*object, "ids", desc).report);
  desc.options.instruction_budget = whole - 1;
  const LaunchOutcome outcome = testing::run(*object, "ids", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->kind, ReportKind::kBudgetExceeded);
}

TEST(LaunchThreads, LaunchKernelsOfOneObjectAtOnce) {
  const auto object = load();
  std::vector<std::vector<std::uint32_t>> outs(4, std::vector<std::uint32_t>(kGroups * kItems));
  std::vector<std::thread> threads;
  for (auto& out : outs)
    threads.emplace_back([&] { testing::run(*object, "ids", launch_of(out)); });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& out : outs)
    EXPECT_EQ(out, outs.front());
  EXPECT_EQ(outs.front().back(), (kGroups - 1) << 24 | (kItems - 1));
}

}  // namespace
}  // namespace halyard::emulator
