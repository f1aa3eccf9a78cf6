// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/reference.h"

#include <cstdint>
#include <span>

namespace halyard::operators {

// The element `offset` elements from the start of the tensor's data.
double read_element(const ReferenceTensor& tensor, std::int64_t offset);

// The integer at `index` of a one-dimensional tensor, exact for 64 bits.
std::int64_t read_integer(const ReferenceTensor& tensor, std::int64_t index);

// Reads out.size() elements from `offset`, `stride` elements apart.
void read_elements(const ReferenceTensor& tensor, std::int64_t offset, std::int64_t stride,
                   std::span<double> out);

// Writes one element rounded to the tensor's type.
void write_element(const WritableTensor& tensor, std::int64_t offset, double value);

}  // namespace halyard::operators
