// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/kernel_expectations.h"

#include "backends/emulator/detect/detectors.h"
#include "tests/unit/backends/emulator/kernels/kernel_comparison.h"
#include "tests/unit/backends/emulator/kernels/native_kernels.h"

#include <string>
#include <utility>

namespace halyard::emulator::testing {

namespace {

constexpr std::uint64_t kBudget = 20'000'000;
constexpr std::uint32_t kMostBlocks = 16;

}  // namespace

LaunchOptions bounded() {
  LaunchOptions options;
  options.instruction_budget = kBudget;
  return options;
}

std::vector<KernelCase> cases_in_schedules(const Variant& variant) {
  std::vector<KernelCase> cases = cases_of(variant);
  std::erase_if(cases, [](const KernelCase& test) { return test.grid[0] > kMostBlocks; });
  return cases;
}

Memory EmulatedKernelsTest::native_result(const KernelCase& test) const {
  return run_natively(test, GetParam().native);
}

std::uint64_t EmulatedKernelsTest::expect_native_result(const KernelCase& test,
                                                        const LaunchOptions& options,
                                                        const Memory& expected) {
  const EmulatedKernels::Outcome outcome = kernels_.run(test, options);
  const std::string name = test.file + "/" + test.kernel;
  EXPECT_EQ(outcome.failure, "") << name;
  if (!outcome.failure.empty()) return outcome.instructions;
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    if (!test.arguments[i].is_writable) continue;
    EXPECT_EQ(difference(test.arguments[i], outcome.memory[i], expected[i]), "")
        << name << ", argument " << i;
  }
  return outcome.instructions;
}

void EmulatedKernelsTest::expect_silence(const KernelCase& test,
                                         std::optional<std::uint64_t> schedule_seed,
                                         const Memory& expected) {
  SCOPED_TRACE(schedule_seed ? "seed " + std::to_string(*schedule_seed) : "in order");
  Detectors detectors;
  LaunchOptions options = bounded();
  options.observer = &detectors;
  options.schedule_seed = schedule_seed;
  expect_native_result(test, options, expected);
}

}  // namespace halyard::emulator::testing
