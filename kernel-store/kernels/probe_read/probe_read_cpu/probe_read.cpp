// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

namespace {

constexpr int kSums = 8;  // Enough to hide the latency of the addition.
constexpr int64_t kPrefetchBytes = 2048;

HALYARD_INLINE float row_sum(const f32* row, int64_t columns) {
  F32v sums[kSums] = {};
  int64_t i = 0;
  for (; i + kSums * kLanes <= columns; i += kSums * kLanes) {
#pragma unroll
    for (int j = 0; j < kSums; ++j) {
      __builtin_prefetch(reinterpret_cast<const char*>(row + i + j * kLanes) + kPrefetchBytes, 0,
                         3);
      sums[j] += load(row + i + j * kLanes);
    }
  }
  for_each_vector(columns - i, [&](int64_t j, auto lanes) { sums[0] += load(row + i + j, lanes); });
  for (int j = 1; j < kSums; ++j)
    sums[0] += sums[j];
  return reduce_add(sums[0]);
}

}  // namespace

// One group is one row.
HALYARD_ENTRY(probe_read) {
  Arguments next(arguments);
  const auto* x = next.pointer<const f32>();
  auto* y = next.pointer<f32>();
  const int64_t columns = next.integer();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    y[row] = row_sum(x + static_cast<int64_t>(row) * columns, columns);
  }
}
