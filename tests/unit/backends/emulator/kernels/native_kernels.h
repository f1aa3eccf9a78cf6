// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/backends/emulator/kernels/kernel_case.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halyard::emulator::testing {

// What a target decides about the meaning of a kernel's source.
struct NativeTarget {
  std::uint32_t lanes = 32;
  bool has_negative_zero_fp8 = true;
};

// Runs the kernel of a case as it was compiled for this machine, one work-item after the other.
// Gives what each argument's memory then holds; a case without such a kernel fails the test.
std::vector<std::vector<std::byte>> run_natively(const KernelCase& test, NativeTarget target);

}  // namespace halyard::emulator::testing
