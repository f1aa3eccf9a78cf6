// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"

#include <string>
#include <vector>

namespace halyard::services {

// One line of what each operation computes and costs; below those that follow one another and lay
// their elements out alike, one line for each operand whose lane layout is known:
//   V_WMMA_F32_16X16X16_F16: D f32 16x16 = A f16 16x16 * B f16 16x16 + C, 32 lanes, 32 cycles
//     A: 16 items a lane; row lane % 16; column item
std::vector<std::string> matrix_lines(
    const std::vector<const descriptors::MatrixOperation*>& operations);

}  // namespace halyard::services
