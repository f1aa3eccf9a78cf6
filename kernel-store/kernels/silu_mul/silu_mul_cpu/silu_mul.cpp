// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int64_t kColumns = 2048;  // Of one group; the grid of kernel.json divides by it too.

HALYARD_INLINE F32v silu(F32v gate) {
  // Below -200 the sigmoid is 0 in f32; the bound keeps minus infinity from meeting that 0.
  const F32v bounded = gate < -200.0f ? F32v(-200.0f) : gate;
  return bounded * sigmoid(bounded);
}

}  // namespace

// One group is a piece of a row: x holds `hidden` gates, then `hidden` ups.
HALYARD_ENTRY(silu_mul) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();

  const int64_t pieces = range->grid[0];
  for (uint64_t group = range->begin; group < range->end; ++group) {
    const int64_t row = static_cast<int64_t>(group) / pieces;
    const int64_t column = static_cast<int64_t>(group) % pieces * kColumns;
    const T* gate = x + row * x_stride + column;
    const T* up = gate + hidden;
    T* out = y + row * y_stride + column;
    for_each_vector(min(kColumns, hidden - column), [&](int64_t i, auto lanes) {
      store(out + i, silu(load(gate + i, lanes)) * load(up + i, lanes), lanes);
    });
  }
}
