// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"
#include "tests/unit/backends/emulator/kernels/kernel_comparison.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace halyard::emulator {

using testing::CaseArgument;
using testing::EmulatedKernels;
using testing::KernelCase;
using testing::Variant;
using Memory = std::vector<std::vector<std::byte>>;

namespace {

constexpr std::uint64_t kBudget = 20'000'000;
constexpr std::uint64_t kSchedules = 20;

LaunchOptions bounded() {
  LaunchOptions options;
  options.instruction_budget = kBudget;
  return options;
}

// The same kernel by another compiler target, once a case.
Memory native_result(const KernelCase& test, const Variant& variant) {
  return testing::run_natively(test, variant.native);
}

void expect_same(const KernelCase& test, const EmulatedKernels::Outcome& outcome,
                 const Memory& expected) {
  ASSERT_EQ(outcome.failure, "") << test.file << "/" << test.kernel;
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    if (!test.arguments[i].is_writable) continue;
    EXPECT_EQ(testing::difference(test.arguments[i], outcome.memory[i], expected[i]), "")
        << test.file << "/" << test.kernel << ", argument " << i;
  }
}

class EmulatedKernelsTest : public ::testing::TestWithParam<Variant> {
 protected:
  EmulatedKernels kernels_{GetParam()};
};

}  // namespace

TEST_P(EmulatedKernelsTest, GiveWhatTheSameSourceGivesOnThisMachine) {
  std::uint64_t instructions = 0;
  const std::vector<KernelCase> cases = testing::cases_of(GetParam());
  for (const KernelCase& test : cases) {
    const EmulatedKernels::Outcome outcome = kernels_.run(test, bounded());
    expect_same(test, outcome, native_result(test, GetParam()));
    instructions += outcome.instructions;
  }
  std::cout << cases.size() << " kernels, " << instructions << " instructions of waves\n";
}

TEST_P(EmulatedKernelsTest, GiveTheSameInEachOfTwentySchedules) {
  for (const KernelCase& test : testing::cases_of(GetParam())) {
    if (test.grid[0] > 16) continue;  // one wave as the other, many times
    const Memory expected = native_result(test, GetParam());
    for (std::uint64_t seed = 1; seed <= kSchedules && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      LaunchOptions options = bounded();
      options.schedule_seed = seed;
      expect_same(test, kernels_.run(test, options), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, EmulatedKernelsTest, ::testing::ValuesIn(testing::variants()),
                         [](const auto& param) { return param.param.name; });

}  // namespace halyard::emulator
