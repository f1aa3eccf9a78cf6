// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// A lane reads back only sums that it has written itself. y may be x.
template <int N>
HALYARD_DEVICE void add_and_normalise(const T* x, T* residual, const T* weight, T* y,
                                      uint32_t hidden, float epsilon) {
  const uint32_t first = static_cast<uint32_t>(thread_index()) * N;
  float squares = 0.0f;
  for (uint32_t i = first; i < hidden; i += kLanes * N) {
    const auto addends = load_pack<N>(x + i);
    auto sums = load_pack<N>(residual + i);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      sums.at[j] = from_f32<T>(to_f32(addends.at[j]) + to_f32(sums.at[j]));
      const float value = to_f32(sums.at[j]);
      squares = fma(value, value, squares);
    }
    store_pack<N>(residual + i, sums);
  }
  const float scale = rsqrt(group_sum<kLanes>(squares) / static_cast<float>(hidden) + epsilon);
  for (uint32_t i = first; i < hidden; i += kLanes * N) {
    auto values = load_pack<N>(residual + i);
    const auto factors = load_pack<N>(weight + i);
#pragma unroll
    for (int j = 0; j < N; ++j)
      values.at[j] = from_f32<T>(to_f32(values.at[j]) * scale * to_f32(factors.at[j]));
    store_pack<N>(y + i, values);
  }
}

}  // namespace

// A workgroup adds and normalises one row, and those a whole grid further on.
HALYARD_ENTRY(add_rms_norm, kLanes)
(const T* x, T* residual, const T* weight, T* y, int64_t x_stride, int64_t residual_stride,
 int64_t y_stride, uint32_t batch, uint32_t hidden, float epsilon) {
  constexpr int kPack = kPackElements<T>;
  const bool is_packed = (x_stride | residual_stride | y_stride | hidden) % kPack == 0;
  for (uint32_t row = group_x(); row < batch; row += group_count(0)) {
    const T* x_row = x + row * x_stride;
    T* residual_row = residual + row * residual_stride;
    T* y_row = y + row * y_stride;
    if (is_packed) {
      add_and_normalise<kPack>(x_row, residual_row, weight, y_row, hidden, epsilon);
    } else {
      add_and_normalise<1>(x_row, residual_row, weight, y_row, hidden, epsilon);
    }
  }
}
