// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// A lane's largest element so far, and the sum of its exponentials relative to that one.
struct Sum {
  float largest;
  float sum;
};

HALYARD_DEVICE Sum add(Sum a, Sum b) {
  const float largest = larger(a.largest, b.largest);
  // Where both are minus infinity there is nothing to scale; a NaN stays in its sum.
  const float scale_a = a.largest == largest ? 1.0f : exp(a.largest - largest);
  const float scale_b = b.largest == largest ? 1.0f : exp(b.largest - largest);
  return {largest, a.sum * scale_a + b.sum * scale_b};
}

// y may be x: a lane reads each element before it writes it.
template <int N>
HALYARD_DEVICE void compute_row(const T* x, T* y, uint32_t columns) {
  const uint32_t first = static_cast<uint32_t>(thread_index()) * N;
  float largest = -kInfinity;
  for (uint32_t i = first; i < columns; i += kLanes * N) {
    const auto values = load_pack<N>(x + i);
#pragma unroll
    for (int j = 0; j < N; ++j)
      largest = larger(largest, to_f32(values.at[j]));
  }
  Sum own = {largest, 0.0f};
  for (uint32_t i = first; i < columns; i += kLanes * N) {
    const auto values = load_pack<N>(x + i);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const float value = to_f32(values.at[j]);
      own.sum += value == -kInfinity ? 0.0f : exp(value - largest);
    }
  }
  const Sum all = group_reduce<kLanes>(own, add);
  // A row of nothing but minus infinity has the sum 0, and 0 / 0 is the NaN that it asks for.
  for (uint32_t i = first; i < columns; i += kLanes * N) {
    auto values = load_pack<N>(x + i);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const float value = to_f32(values.at[j]);
      const float power = value == -kInfinity ? 0.0f : exp(value - all.largest);
      values.at[j] = from_f32<T>(power / all.sum);
    }
    store_pack<N>(y + i, values);
  }
}

}  // namespace

// A workgroup computes one row, and those a whole grid further on.
HALYARD_ENTRY(softmax, kLanes)
(const T* x, T* y, int64_t x_stride, int64_t y_stride, uint32_t batch, uint32_t columns) {
  constexpr int kPack = kPackElements<T>;
  const bool is_packed = (x_stride | y_stride | columns) % kPack == 0;
  for (uint32_t row = group_x(); row < batch; row += group_count(0)) {
    if (is_packed) {
      compute_row<kPack>(x + row * x_stride, y + row * y_stride, columns);
    } else {
      compute_row<1>(x + row * x_stride, y + row * y_stride, columns);
    }
  }
}
