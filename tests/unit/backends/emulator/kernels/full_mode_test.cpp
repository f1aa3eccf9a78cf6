// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/kernel_expectations.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace halyard::emulator {

using testing::EmulatedKernelsTest;
using testing::KernelCase;

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
