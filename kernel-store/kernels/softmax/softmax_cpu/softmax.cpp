// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr float kInfinity = __builtin_inff();

// Lanes past the end have minus infinity, which is never the greatest and whose exponential is 0.
template <typename Lanes>
HALYARD_INLINE F32v load_masked(const T* from, Lanes lanes) {
  F32v value = load(from, lanes);
  for (int lane = lanes.count; lane < kLanes; ++lane)
    value[lane] = -kInfinity;
  return value;
}

}  // namespace

// One group is one row. y may be x: exponentials are computed twice, and none is kept in T.
HALYARD_ENTRY(softmax) {
  Arguments next(arguments);
  const auto* x = next.pointer<const T>();
  auto* y = next.pointer<T>();
  const int64_t columns = next.integer();
  const int64_t x_stride = next.integer();
  const int64_t y_stride = next.integer();

  for (uint64_t row = range->begin; row < range->end; ++row) {
    const T* x_row = x + static_cast<int64_t>(row) * x_stride;
    T* y_row = y + static_cast<int64_t>(row) * y_stride;

    F32v greatest_of_lane = -kInfinity;
    for_each_vector(columns, [&](int64_t i, auto lanes) {
      greatest_of_lane = max(load_masked(x_row + i, lanes), greatest_of_lane);
    });
    const F32v greatest = reduce_max(greatest_of_lane);

    F32v sum = 0.0f;
    for_each_vector(columns, [&](int64_t i, auto lanes) {
      sum += exp(load_masked(x_row + i, lanes) - greatest);
    });
    const F32v factor = 1.0f / reduce_add(sum);

    for_each_vector(columns, [&](int64_t i, auto lanes) {
      store(y_row + i, exp(load(x_row + i, lanes) - greatest) * factor, lanes);
    });
  }
}
