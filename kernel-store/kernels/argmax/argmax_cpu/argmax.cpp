// SPDX-License-Identifier: Apache-2.0
#include "halyard_vector.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int64_t kBlock = 1024;

HALYARD_INLINE bool any(I32v mask) {
  int32_t bits = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    bits |= mask[lane];
  return bits != 0;
}

// The index of the first NaN of row[begin, end), or -1.
int64_t first_nan(const T* row, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const float value = to_f32(row[i]);
    if (value != value) return i;
  }
  return -1;
}

// The scan is by blocks: the maximum of each tells whether it holds a new best element, and only
// the best block is searched for the index.
int64_t find(const T* row, int64_t vocab) {
  float best = -__builtin_inff();
  int64_t best_block = 0;
  for (int64_t block = 0; block < vocab; block += kBlock) {
    const int64_t count = min(kBlock, vocab - block);
    F32v maximum = -__builtin_inff();
    I32v nan = 0;
    // The lanes past the end of a partial vector are 0 and must not win; they take element 0.
    for_each_vector(count, [&](int64_t i, auto lanes) {
      F32v value = load(row + block + i, lanes);
      for (int lane = lanes.count; lane < kLanes; ++lane)
        value[lane] = value[0];
      nan |= value != value;
      maximum = value > maximum ? value : maximum;
    });
    if (any(nan)) return first_nan(row, block, block + count);
    const float block_best = reduce_max(maximum);
    if (block_best > best) {
      best = block_best;
      best_block = block;
    }
  }
  int64_t index = best_block;
  while (to_f32(row[index]) != best)
    ++index;
  return index;
}

}  // namespace

// One group is one row.
HALYARD_ENTRY(argmax) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* index = next.pointer<int32_t>();
  const int64_t vocab = next.integer();
  const int64_t x_stride = next.integer();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    index[row] = static_cast<int32_t>(find(x + static_cast<int64_t>(row) * x_stride, vocab));
  }
}
