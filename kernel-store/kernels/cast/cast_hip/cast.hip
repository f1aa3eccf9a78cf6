// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

using S = Element<HALYARD_TYPE_S>;
using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;
constexpr int kPack = 8;

template <int N>
HALYARD_DEVICE void convert(const S* x, T* y) {
  const auto values = load_pack<N>(x);
  Pack<T, N> converted;
#pragma unroll
  for (int j = 0; j < N; ++j)
    converted.at[j] = from_f32<T>(to_f32(values.at[j]));
  store_pack<N>(y, converted);
}

}  // namespace

// A lane converts eight neighbours, and those a whole grid further on; the last ones one by one.
HALYARD_ENTRY(cast, kLanes)(const S* x, T* y, uint64_t n) {
  for (uint64_t i = uint64_t{grid_index<kLanes>()} * kPack; i < n;
       i += uint64_t{grid_size<kLanes>()} * kPack) {
    if (i + kPack <= n) {
      convert<kPack>(x + i, y + i);
    } else {
      for (uint64_t j = i; j < n; ++j)
        convert<1>(x + j, y + j);
    }
  }
}
