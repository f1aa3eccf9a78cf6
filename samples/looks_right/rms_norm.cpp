// SPDX-License-Identifier: Apache-2.0
// A kernel that looks right: it leaves epsilon out, which no input of ordinary size shows.
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

HALYARD_ENTRY(rms_norm) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  const auto* weight = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t hidden = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    const T* x_row = x + static_cast<int64_t>(row) * x_stride;
    T* y_row = y + static_cast<int64_t>(row) * y_stride;
    F32v sum = 0.0f;
    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      const F32v value = load(x_row + i, lanes);
      sum = fma(value, value, sum);
    });
    const F32v scale = rsqrt(reduce_add(sum) / static_cast<float>(hidden) + 1e-30f);
    for_each_vector(hidden, [&](int64_t i, auto lanes) {
      store(y_row + i, load(x_row + i, lanes) * scale * load(weight + i, lanes), lanes);
    });
  }
}
