// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_math.h"

// What lanes of a wave and waves of a workgroup tell one another. All lanes of the wave, or of the
// workgroup, have to call.

namespace halyard {

// `value` of lane `lane`, which may differ from lane to lane.
template <typename E>
HALYARD_DEVICE E shuffle(E value, int lane) {
  static_assert(sizeof(E) == 4);
  return __builtin_bit_cast(E,
                            __builtin_amdgcn_ds_bpermute(lane * 4, __builtin_bit_cast(int, value)));
}

// `value` of the lane whose number differs in the bit `Mask`.
template <int Mask>
HALYARD_DEVICE int shuffle_word_xor(int bits) {
  static_assert((Mask & (Mask - 1)) == 0 && Mask < kWaveLanes);
  int other = 0;
  if constexpr (Mask == 1) {
    other = __builtin_amdgcn_mov_dpp(bits, 0xb1, 0xf, 0xf, true);  // quad_perm:[1,0,3,2]
  } else if constexpr (Mask == 2) {
    other = __builtin_amdgcn_mov_dpp(bits, 0x4e, 0xf, 0xf, true);  // quad_perm:[2,3,0,1]
#if !defined(__GFX9__)
  } else if constexpr (Mask < 16) {
    other = __builtin_amdgcn_mov_dpp(bits, 0x160 | Mask, 0xf, 0xf, true);  // row_xmask
  } else if constexpr (Mask == 16) {
    other = __builtin_amdgcn_permlanex16(bits, bits, 0x76543210, 0xfedcba98, false, false);
    // Clang 19 would move the instruction into a branch that uses its result, where lanes that it
    // reads are switched off.
    __asm__ volatile("" : "+v"(other));
#else
  } else if constexpr (Mask < 32) {
    other = __builtin_amdgcn_ds_swizzle(bits, Mask << 10 | 0x1f);
#endif
  } else {
    other = __builtin_amdgcn_ds_bpermute((lane_index() ^ Mask) * 4, bits);
  }
  return other;
}

template <int Mask, typename E>
HALYARD_DEVICE E shuffle_xor(E value) {
  using Words = Vector<int, sizeof(E) / 4>;
  static_assert(sizeof(E) % 4 == 0);
  Words words = __builtin_bit_cast(Words, value);
#pragma unroll
  for (int i = 0; i < static_cast<int>(sizeof(E) / 4); ++i)
    words[i] = shuffle_word_xor<Mask>(words[i]);
  return __builtin_bit_cast(E, words);
}

// In every lane: all lanes' values, combined in pairs. `combine` does not depend on the order.
template <typename E, typename Combine>
HALYARD_DEVICE E wave_reduce(E value, Combine combine) {
  value = combine(value, shuffle_xor<1>(value));
  value = combine(value, shuffle_xor<2>(value));
  value = combine(value, shuffle_xor<4>(value));
  value = combine(value, shuffle_xor<8>(value));
  value = combine(value, shuffle_xor<16>(value));
  if constexpr (kWaveLanes == 64) value = combine(value, shuffle_xor<32>(value));
  return value;
}

HALYARD_DEVICE float wave_sum(float value) {
  return wave_reduce(value, [](float a, float b) { return a + b; });
}

// The largest value that is no NaN.
HALYARD_DEVICE float wave_max(float value) {
  return wave_reduce(value, [](float a, float b) { return larger(a, b); });
}

// In every lane of the workgroup: all lanes' values, combined in one order each time. It may be
// called again at once.
template <int Lanes, typename E, typename Combine>
HALYARD_DEVICE E group_reduce(E value, Combine combine) {
  constexpr int kWaves = Lanes / kWaveLanes;
  value = wave_reduce(value, combine);
  if constexpr (kWaves > 1) {
    HALYARD_SHARED static E parts[kWaves];
    if (lane_index() == 0) parts[wave_index()] = value;
    barrier();
    value = parts[0];
#pragma unroll
    for (int i = 1; i < kWaves; ++i)
      value = combine(value, parts[i]);
    barrier();
  }
  return value;
}

template <int Lanes>
HALYARD_DEVICE float group_sum(float value) {
  return group_reduce<Lanes>(value, [](float a, float b) { return a + b; });
}

template <int Lanes>
HALYARD_DEVICE float group_max(float value) {
  return group_reduce<Lanes>(value, [](float a, float b) { return larger(a, b); });
}

}  // namespace halyard
