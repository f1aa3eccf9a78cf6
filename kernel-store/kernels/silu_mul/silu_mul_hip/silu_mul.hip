// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

HALYARD_DEVICE float silu(float gate) {
  return gate == -kInfinity ? 0.0f : gate / (1.0f + exp(-gate));
}

// Each row of x holds the gates, then as many ups.
template <int N>
HALYARD_DEVICE void compute_row(const T* x, T* y, uint32_t hidden) {
  for (uint32_t i = grid_index<kLanes>() * N; i < hidden; i += grid_size<kLanes>() * N) {
    auto values = load_pack<N>(x + i);
    const auto ups = load_pack<N>(x + hidden + i);
#pragma unroll
    for (int j = 0; j < N; ++j)
      values.at[j] = from_f32<T>(silu(to_f32(values.at[j])) * to_f32(ups.at[j]));
    store_pack<N>(y + i, values);
  }
}

}  // namespace

// The first dimension of the grid goes along a row, the second over rows.
HALYARD_ENTRY(silu_mul, kLanes)
(const T* x, T* y, int64_t x_stride, int64_t y_stride, uint32_t tokens, uint32_t hidden) {
  constexpr int kPack = kPackElements<T>;
  const bool is_packed = (x_stride | y_stride | hidden) % kPack == 0;
  for (uint32_t token = group_y(); token < tokens; token += group_count(1)) {
    if (is_packed) {
      compute_row<kPack>(x + token * x_stride, y + token * y_stride, hidden);
    } else {
      compute_row<1>(x + token * x_stride, y + token * y_stride, hidden);
    }
  }
}
