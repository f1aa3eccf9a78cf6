// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "runtime/base/result.h"

#include <cstdint>

namespace halyard::descriptors {

// A matrix of one block, as it lies in registers.
struct MatrixShape {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t blocks = 1;
};

// The shapes of A, B and D of an operation. A that is 2:4 sparse has half of its columns.
MatrixShape shape_of_a(const MatrixOperation& operation);
MatrixShape shape_of_b(const MatrixOperation& operation);
MatrixShape shape_of_d(const MatrixOperation& operation);

// Whether the texts of a layout are expressions over `lane` and `item`.
// Errors: kInvalidArgument.
base::Status check_lane_expressions(const LaneLayout& layout);

// Whether the items of all lanes cover the matrix, each element as often as every other. A layout
// without expressions is not looked at.
// Errors: kInvalidArgument, one sentence with the lane, the item and where it lies.
base::Status check_lane_layout(const LaneLayout& layout, const MatrixShape& shape,
                               std::uint32_t lanes);

// Whether the layouts of every matrix operation fit; slower than parse_descriptor, which looks at
// the expressions only.
// Errors: kCorruptData, naming the operation and the matrix.
base::Status check_lane_layouts(const Descriptor& descriptor);

}  // namespace halyard::descriptors
