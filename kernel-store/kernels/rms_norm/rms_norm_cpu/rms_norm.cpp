// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// One group is one row. y may be x: each element is read before it is written.
HALYARD_ENTRY(rms_norm) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  const auto* weight = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();
  const float epsilon = next.f32();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    const T* x_row = x + static_cast<int64_t>(row) * x_stride;
    T* y_row = y + static_cast<int64_t>(row) * y_stride;

    // Two sums hide the latency of the multiply-add.
    F32v even = 0.0f;
    F32v odd = 0.0f;
    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      const F32v value = load(x_row + i, lanes);
      F32v& sum = (i / kLanes) % 2 == 0 ? even : odd;
      sum = fma(value, value, sum);
    });
    const float mean_square = reduce_add(even + odd) / static_cast<float>(hidden);
    const F32v scale = rsqrt(mean_square + epsilon);

    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      store(y_row + i, load(x_row + i, lanes) * scale * load(weight + i, lanes), lanes);
    });
  }
}
