// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation.h"

#include <cstdint>

namespace halyard::emulator {

// Additions and multiplications of one instruction: of a matrix, or of each lane. Of integers too
// where dot products and matrices are of them.
struct ArithmeticWork {
  std::uint32_t of_matrix = 0;
  std::uint32_t of_lane = 0;
};
ArithmeticWork arithmetic_work(const Operation& operation);

}  // namespace halyard::emulator
