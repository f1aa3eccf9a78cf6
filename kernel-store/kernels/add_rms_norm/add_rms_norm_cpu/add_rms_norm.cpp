// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

// One group is one row. y may be x: the second pass reads only the residual.
HALYARD_ENTRY(add_rms_norm) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* residual = next.pointer<T>();
  const auto* weight = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t residual_stride = next.integer();
  const int64_t y_stride = next.integer();
  const float epsilon = next.f32();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    const T* x_row = x + static_cast<int64_t>(row) * x_stride;
    T* residual_row = residual + static_cast<int64_t>(row) * residual_stride;
    T* y_row = y + static_cast<int64_t>(row) * y_stride;

    F32v squares = 0.0f;
    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      store(residual_row + i, load(x_row + i, lanes) + load(residual_row + i, lanes), lanes);
      // The norm is that of the sum as it was rounded to T.
      const F32v sum = load(residual_row + i, lanes);
      squares = fma(sum, sum, squares);
    });
    const float mean_square = reduce_add(squares) / static_cast<float>(hidden);
    const F32v scale = rsqrt(mean_square + epsilon);

    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      store(y_row + i, load(residual_row + i, lanes) * scale * load(weight + i, lanes), lanes);
    });
  }
}
