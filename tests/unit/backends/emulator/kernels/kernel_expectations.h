// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/backends/emulator/kernels/emulated_kernels.h"
#include "tests/unit/backends/emulator/kernels/kernel_case.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace halyard::emulator::testing {

using Memory = std::vector<std::vector<std::byte>>;

inline constexpr std::uint64_t kSchedules = 20;

// Bounds mode, with more instructions than any of the kernels takes.
LaunchOptions bounded();
// Those of cases_of() without the ones that are many times the same wave.
std::vector<KernelCase> cases_in_schedules(const Variant& variant);

// Expects of the kernels of one variant.
class EmulatedKernelsTest : public ::testing::TestWithParam<Variant> {
 protected:
  Memory native_result(const KernelCase& test) const;
  // The launch ends well and leaves what is expected. Gives the instructions it took.
  std::uint64_t expect_native_result(const KernelCase& test, const LaunchOptions& options,
                                     const Memory& expected);
  // The same in full mode.
  void expect_silence(const KernelCase& test, std::optional<std::uint64_t> schedule_seed,
                      const Memory& expected);

 private:
  EmulatedKernels kernels_{GetParam()};
};

}  // namespace halyard::emulator::testing
