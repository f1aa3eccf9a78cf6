// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/detectors.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace halyard::emulator {
namespace {

// A line of the list that broken_kernels.py writes.
struct ListedKernel {
  std::string name;
  std::string kind;  // of the report, or "good"
  std::uint32_t block = 0;
  std::vector<std::uint32_t> instructions;  // where the report may come
};

std::vector<ListedKernel> listed_kernels(const std::string& processor) {
  std::ifstream stream(std::string(HALYARD_BROKEN_KERNELS) + "/broken." + processor + ".txt");
  std::vector<ListedKernel> kernels;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    ListedKernel kernel;
    words >> kernel.name >> kernel.kind >> kernel.block;
    for (std::uint32_t number = 0; words >> number;)
      kernel.instructions.push_back(number);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

class BrokenKernels : public ::testing::TestWithParam<std::string> {
 protected:
  BrokenKernels()
      : object_(testing::load_object(
            GetParam(), std::string(HALYARD_BROKEN_KERNELS) + "/broken." + GetParam() + ".hsaco")),
        kernels_(listed_kernels(GetParam())) {}

  std::optional<Report> run(const ListedKernel& kernel, std::optional<std::uint64_t> seed) const {
    std::vector<float> x(256, 3);
    std::vector<std::uint32_t> y(256, 0);
    std::vector<std::uint32_t> z(16, 0);
    Detectors detectors;
    LaunchDesc desc;
    desc.grid = {2, 1, 1};
    desc.block = {kernel.block, 1, 1};
    desc.arguments = {testing::constant_memory("x", x), testing::memory("y", y),
                      testing::memory("z", z)};
    desc.options.instruction_budget = 20000;
    desc.options.schedule_seed = seed;
    desc.options.observer = &detectors;
    return testing::run(*object_, kernel.name, desc).report;
  }

  // The offset in the code of instruction `number` of a kernel.
  std::uint32_t address_of(const ListedKernel& kernel, std::uint32_t number) const {
    const auto loaded = object_->kernel(kernel.name);
    if (!loaded) return ~0U;
    return (*loaded)->entry[number].address;
  }

  std::unique_ptr<const LoadedObject> object_;
  std::vector<ListedKernel> kernels_;
};

}  // namespace

TEST_P(BrokenKernels, AreEachCaughtAtTheBrokenInstruction) {
  std::map<std::string, int> caught;
  for (const ListedKernel& kernel : kernels_) {
    if (kernel.kind == "good") continue;
    const std::optional<Report> report = run(kernel, std::nullopt);
    if (!report) {
      ADD_FAILURE() << kernel.name << ": no report";
      continue;
    }
    const std::vector<std::uint32_t>& expected = kernel.instructions;
    const bool is_there = std::any_of(expected.begin(), expected.end(), [&](std::uint32_t number) {
      return report->address == address_of(kernel, number);
    });
    EXPECT_EQ(report_kind_name(report->kind), kernel.kind) << kernel.name << "\n"
                                                           << report_text(*report);
    EXPECT_TRUE(is_there) << kernel.name << "\n" << report_text(*report);
    EXPECT_EQ(report->kernel, kernel.name);
    ++caught[kernel.kind];
  }
  constexpr int kLeastOfAKind = 6;
  for (const auto& [kind, count] : caught) {
    EXPECT_GE(count, kLeastOfAKind) << kind;
    std::cout << kind << ": " << count << "\n";
  }
  EXPECT_EQ(caught.size(), 9U);
}

TEST_P(BrokenKernels, AreGoodBeforeTheirEditInTwentySchedules) {
  constexpr std::uint64_t kSchedules = 20;
  int good = 0;
  for (const ListedKernel& kernel : kernels_) {
    if (kernel.kind != "good") continue;
    ++good;
    for (std::uint64_t seed = 0; seed <= kSchedules; ++seed) {
      const std::optional<Report> report =
          run(kernel, seed == 0 ? std::nullopt : std::optional<std::uint64_t>(seed));
      EXPECT_FALSE(report) << kernel.name << ", seed " << seed << "\n" << report_text(*report);
    }
  }
  EXPECT_GE(good, 9);
}

INSTANTIATE_TEST_SUITE_P(Targets, BrokenKernels, ::testing::Values("gfx1100", "gfx1201", "gfx942"),
                         [](const auto& param) { return param.param; });

}  // namespace halyard::emulator
