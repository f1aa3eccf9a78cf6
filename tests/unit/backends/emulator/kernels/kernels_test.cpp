// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/kernel_expectations.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace halyard::emulator {

using testing::EmulatedKernelsTest;
using testing::KernelCase;

TEST_P(EmulatedKernelsTest, GiveWhatTheSameSourceGivesOnThisMachine) {
  std::uint64_t instructions = 0;
  const std::vector<KernelCase> cases = testing::cases_of(GetParam());
  for (const KernelCase& test : cases) {
    instructions += expect_native_result(test, testing::bounded(), native_result(test));
  }
  std::cout << cases.size() << " kernels, " << instructions << " instructions of waves\n";
}

TEST_P(EmulatedKernelsTest, GiveTheSameInEachOfTwentySchedules) {
  for (const KernelCase& test : testing::cases_in_schedules(GetParam())) {
    const testing::Memory expected = native_result(test);
    for (std::uint64_t seed = 1; seed <= testing::kSchedules && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      LaunchOptions options = testing::bounded();
      options.schedule_seed = seed;
      expect_native_result(test, options, expected);
    }
  }
}

TEST_P(EmulatedKernelsTest, LeaveTheDetectorsOfFullModeSilent) {
  for (const KernelCase& test : testing::cases_in_schedules(GetParam())) {
    if (!HasFailure()) expect_silence(test, {}, native_result(test));
  }
}

TEST_P(EmulatedKernelsTest, LeaveTheDetectorsOfFullModeSilentInEachOfTwentySchedules) {
  for (const KernelCase& test : testing::cases_in_schedules(GetParam())) {
    const testing::Memory expected = native_result(test);
    for (std::uint64_t seed = 1; seed <= testing::kSchedules && !HasFailure(); ++seed)
      expect_silence(test, seed, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, EmulatedKernelsTest, ::testing::ValuesIn(testing::variants()),
                         [](const auto& param) { return param.param.name; });

}  // namespace halyard::emulator
