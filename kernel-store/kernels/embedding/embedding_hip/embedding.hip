// SPDX-License-Identifier: Apache-2.0
#include "halyard_types.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// Zeros where `row` is null.
template <int N>
HALYARD_DEVICE void copy_row(const T* row, T* y, uint32_t hidden) {
  for (uint32_t i = grid_index<kLanes>() * N; i < hidden; i += grid_size<kLanes>() * N) {
    Pack<T, N> values = {};
    if (row != nullptr) values = load_pack<N>(row + i);
    store_pack<N>(y + i, values);
  }
}

}  // namespace

// The first dimension of the grid goes along a row, the second over tokens.
HALYARD_ENTRY(embedding, kLanes)
(const int32_t* ids, const T* table, T* y, int64_t y_stride, uint32_t tokens, uint32_t vocab,
 uint32_t hidden) {
  constexpr int kPack = kPackElements<T>;
  const bool is_packed = (y_stride | hidden) % kPack == 0;
  for (uint32_t token = group_y(); token < tokens; token += group_count(1)) {
    const auto id = static_cast<uint32_t>(ids[token]);  // one below 0 is not below vocab
    const T* row = id < vocab ? table + uint64_t{id} * hidden : nullptr;
    if (is_packed) {
      copy_row<kPack>(row, y + token * y_stride, hidden);
    } else {
      copy_row<1>(row, y + token * y_stride, hidden);
    }
  }
}
