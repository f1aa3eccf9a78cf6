// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;

// Integers that order as the contract does: NaN above all, -0 as +0.
HALYARD_DEVICE uint32_t order_key(float value) {
  const uint32_t bits = bits_of(value);
  if (value != value) return 0xffffffffu;
  if (value == 0.0f) return 0x80000000u;
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

struct Best {
  uint32_t key;
  uint32_t index;
};

HALYARD_DEVICE void offer(Best& best, T element, uint32_t index) {
  const uint32_t key = order_key(to_f32(element));
  if (key > best.key) best = {key, index};
}

// A lane meets its elements in rising order, so that the first of equals stays.
template <int N>
HALYARD_DEVICE Best search(const T* x, uint32_t vocab) {
  Best best = {0, 0xffffffffu};
  for (uint32_t i = static_cast<uint32_t>(thread_index()) * N; i < vocab; i += kLanes * N) {
    const auto values = load_pack<N>(x + i);
#pragma unroll
    for (int j = 0; j < N; ++j)
      offer(best, values.at[j], i + j);
  }
  return best;
}

}  // namespace

// A workgroup searches one row, and those a whole grid further on.
HALYARD_ENTRY(argmax, kLanes)
(const T* x, int32_t* index, int64_t x_stride, uint32_t batch, uint32_t vocab) {
  constexpr int kPack = kPackElements<T>;
  const bool is_packed = (x_stride | vocab) % kPack == 0;
  for (uint32_t row = group_x(); row < batch; row += group_count(0)) {
    const T* x_row = x + row * x_stride;
    const Best own = is_packed ? search<kPack>(x_row, vocab) : search<1>(x_row, vocab);
    const Best best = group_reduce<kLanes>(own, [](Best a, Best b) {
      const bool is_better = b.key > a.key || (b.key == a.key && b.index < a.index);
      return is_better ? b : a;
    });
    if (thread_index() == 0) index[row] = static_cast<int32_t>(best.index);
  }
}
