// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;
constexpr int kLoads = 4;  // Of 16 bytes, in flight in each lane.

using Four = Vector<float, 4>;

HALYARD_DEVICE float row_sum(const float* x, uint32_t columns) {
  const auto* fours = reinterpret_cast<const Four*>(x);
  const uint32_t count = columns / 4;
  Four totals[kLoads] = {};
  uint32_t i = static_cast<uint32_t>(thread_index());
  for (; i + (kLoads - 1) * kLanes < count; i += kLoads * kLanes) {
#pragma unroll
    for (int j = 0; j < kLoads; ++j)
      totals[j] += fours[i + j * kLanes];
  }
  for (; i < count; i += kLanes)
    totals[0] += fours[i];
  const Four total = (totals[0] + totals[1]) + (totals[2] + totals[3]);
  return (total[0] + total[1]) + (total[2] + total[3]);
}

HALYARD_DEVICE float row_sum_by_element(const float* x, uint32_t columns) {
  float total = 0.0f;
  for (uint32_t i = static_cast<uint32_t>(thread_index()); i < columns; i += kLanes)
    total += x[i];
  return total;
}

}  // namespace

// A workgroup sums one row, and those a whole grid further on.
HALYARD_ENTRY(probe_read, kLanes)(const float* x, float* y, uint32_t rows, uint32_t columns) {
  for (uint32_t row = group_x(); row < rows; row += group_count(0)) {
    const float* begin = x + uint64_t{row} * columns;
    const float own =
        columns % 4 == 0 ? row_sum(begin, columns) : row_sum_by_element(begin, columns);
    const float sum = group_sum<kLanes>(own);
    if (thread_index() == 0) y[row] = sum;
  }
}
