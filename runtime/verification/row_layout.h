// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/problem.h"
#include "runtime/verification/runner.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace halyard::verification {

// Where the rows of a tensor lie.
struct RowLayout {
  std::int64_t row = 0;    // Elements of one.
  std::int64_t pitch = 0;  // Elements from the start of one to that of the next; 0: packed.
  std::int64_t count = 0;

  std::int64_t elements() const { return (count - 1) * pitch + row; }
};

// With rows apart: `number` is the tensor's place in the contract, so that tensors of one shape
// differ. Packed where the contract wants that, and where there is one row at most.
inline RowLayout rows_apart(const operators::ContractTensor& tensor,
                            const operators::TensorShape& shape, std::size_t number) {
  if (!shape.present || tensor.constant || tensor.strides == operators::StrideRule::kDense) {
    return {};
  }
  if (shape.rank < 2 || shape.element_count == 0) return {};
  const std::int64_t row = shape.sizes[shape.rank - 1];
  if (shape.element_count == row) return {};
  const auto size = static_cast<std::int64_t>(base::data_type_size_bytes(shape.type));
  const std::int64_t unit = std::max<std::int64_t>(tensor.alignment_bytes / size, 1);
  const auto units = static_cast<std::int64_t>(number % 3 + 1);
  return {row, row + unit * units, shape.element_count / row};
}

// The strides of the whole tensor whose rows lie `pitch` elements apart.
inline std::array<std::int64_t, operators::kMaxRank> strides_of_rows(
    const operators::TensorShape& shape, std::int64_t pitch) {
  std::array<std::int64_t, operators::kMaxRank> strides{};
  strides[shape.rank - 1] = 1;
  std::int64_t stride = pitch;
  for (std::uint32_t i = shape.rank - 1; i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(shape.sizes[i], 1);
  }
  return strides;
}

}  // namespace halyard::verification
