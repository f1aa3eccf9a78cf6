// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/backends/emulator/kernels/kernel_case.h"

#include <cstddef>
#include <span>
#include <string>

namespace halyard::emulator::testing {

// One sentence on the first item of an argument that differs and how many do; "" where none does.
std::string difference(const CaseArgument& argument, std::span<const std::byte> found,
                       std::span<const std::byte> expected);

}  // namespace halyard::emulator::testing
