// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_types.h"

// Vectors of the target's natural width. Any 16-bit element is widened to f32 on load and rounded
// on store, so a kernel is written once for all of its types.

namespace halyard {

#if defined(__AVX512F__)
inline constexpr int kLanes = 16;
#elif defined(__AVX__)
inline constexpr int kLanes = 8;
#else
inline constexpr int kLanes = 4;
#endif

using F32v = float __attribute__((ext_vector_type(kLanes)));
using I32v = int32_t __attribute__((ext_vector_type(kLanes)));
using U32v = uint32_t __attribute__((ext_vector_type(kLanes)));
using U16v = uint16_t __attribute__((ext_vector_type(kLanes)));
using F32x8 = float __attribute__((ext_vector_type(8)));
using F32x4 = float __attribute__((ext_vector_type(4)));

// How many lanes of a load or a store exist: all, or the first `count`.
struct AllLanes {
  static constexpr int count = kLanes;
};
struct FirstLanes {
  int count;
};

// Calls body(i, lanes) for i = 0, kLanes, … below `count`; only the last call may be partial.
template <typename Body>
HALYARD_INLINE void for_each_vector(int64_t count, Body body) {
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    body(i, AllLanes{});
  if (i < count) body(i, FirstLanes{static_cast<int>(count - i)});
}

template <typename V, typename E>
HALYARD_INLINE V load_raw(const E* from) {
  typedef V Unaligned __attribute__((aligned(1), may_alias));
  return *reinterpret_cast<const Unaligned*>(from);
}

template <typename V, typename E>
HALYARD_INLINE void store_raw(E* to, const V& value) {
  typedef V Unaligned __attribute__((aligned(1), may_alias));
  *reinterpret_cast<Unaligned*>(to) = value;
}

// The lanes past the count are zero, and their memory is not touched.
template <typename V, typename E>
HALYARD_INLINE V load_raw(const E* from, FirstLanes lanes) {
  const uint32_t mask = (1u << lanes.count) - 1u;
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  if constexpr (sizeof(E) == 4) {
    typedef int32_t Wide __attribute__((vector_size(64)));
    return __builtin_bit_cast(
        V, __builtin_ia32_loaddqusi512_mask(reinterpret_cast<const int32_t*>(from), Wide{}, mask));
  } else {
    typedef int16_t Wide __attribute__((vector_size(32)));
    return __builtin_bit_cast(
        V, __builtin_ia32_loaddquhi256_mask(reinterpret_cast<const Wide*>(from), Wide{},
                                            static_cast<uint16_t>(mask)));
  }
#else
  (void)mask;
  E copy[kLanes] = {};
  for (int lane = 0; lane < lanes.count; ++lane)
    copy[lane] = from[lane];
  return load_raw<V>(copy);
#endif
}

template <typename V, typename E>
HALYARD_INLINE void store_raw(E* to, V value, FirstLanes lanes) {
  E copy[kLanes];
  store_raw(copy, value);
  for (int lane = 0; lane < lanes.count; ++lane)
    to[lane] = copy[lane];
}

template <typename V, typename E>
HALYARD_INLINE V load_raw(const E* from, AllLanes) {
  return load_raw<V>(from);
}

template <typename V, typename E>
HALYARD_INLINE void store_raw(E* to, V value, AllLanes) {
  store_raw(to, value);
}

HALYARD_INLINE U32v widen(U16v bits) {
  return __builtin_convertvector(bits, U32v);
}
HALYARD_INLINE U16v narrow(U32v bits) {
  return __builtin_convertvector(bits, U16v);
}

HALYARD_INLINE F32v f32_of_f16(U16v bits) {
#if defined(__F16C__)
  typedef _Float16 Halves __attribute__((ext_vector_type(kLanes)));
  F32v value = __builtin_convertvector(__builtin_bit_cast(Halves, bits), F32v);
  // Hides the origin of the value: the compiler would turn comparisons of converted vectors into
  // comparisons of halves, for which these targets take one element at a time.
  __asm__("" : "+v"(value));
  return value;
#else
  return f32_of_f16_bits<F32v, U32v>(widen(bits));
#endif
}

HALYARD_INLINE U16v f16_of_f32(F32v value) {
#if defined(__F16C__)
  typedef _Float16 Halves __attribute__((ext_vector_type(kLanes)));
  return __builtin_bit_cast(U16v, __builtin_convertvector(value, Halves));
#else
  return narrow(f16_bits<F32v, U32v>(value));
#endif
}

template <typename Lanes = AllLanes>
HALYARD_INLINE F32v load(const f32* from, Lanes lanes = {}) {
  return load_raw<F32v>(from, lanes);
}
template <typename Lanes = AllLanes>
HALYARD_INLINE F32v load(const bf16* from, Lanes lanes = {}) {
  return f32_of_bf16_bits<F32v, U32v>(widen(load_raw<U16v>(from, lanes)));
}
template <typename Lanes = AllLanes>
HALYARD_INLINE F32v load(const f16* from, Lanes lanes = {}) {
  return f32_of_f16(load_raw<U16v>(from, lanes));
}

template <typename Lanes = AllLanes>
HALYARD_INLINE void store(f32* to, F32v value, Lanes lanes = {}) {
  store_raw(to, value, lanes);
}
template <typename Lanes = AllLanes>
HALYARD_INLINE void store(bf16* to, F32v value, Lanes lanes = {}) {
  store_raw(to, narrow(bf16_bits<F32v, U32v>(value)), lanes);
}
template <typename Lanes = AllLanes>
HALYARD_INLINE void store(f16* to, F32v value, Lanes lanes = {}) {
  store_raw(to, f16_of_f32(value), lanes);
}

HALYARD_INLINE F32v fma(F32v a, F32v b, F32v c) {
#if defined(__FMA__)
  return __builtin_elementwise_fma(a, b, c);
#else
  return a * b + c;
#endif
}

HALYARD_INLINE F32v max(F32v a, F32v b) {
  return a > b ? a : b;
}

HALYARD_INLINE float reduce_add(F32x4 v) {
  return (v[0] + v[2]) + (v[1] + v[3]);
}
HALYARD_INLINE float reduce_add(F32x8 v) {
  return reduce_add(v.lo + v.hi);
}
#if defined(__AVX512F__)
HALYARD_INLINE float reduce_add(F32v v) {
  return reduce_add(v.lo + v.hi);
}
#endif

template <typename E, E... Values>
struct Sequence {};

// One level of reduce_rows: folds each group of Size lanes of a, then of b, to half its size.
template <int Size, int... Lane>
HALYARD_INLINE F32v fold_groups(F32v a, F32v b, Sequence<int, Lane...>) {
  constexpr int kHalf = Size / 2;
  return __builtin_shufflevector(a, b, (Lane / kHalf * Size + Lane % kHalf)...) +
         __builtin_shufflevector(a, b, (Lane / kHalf * Size + Lane % kHalf + kHalf)...);
}

template <int Size>
HALYARD_INLINE F32v reduce_rows_from(const F32v* rows) {
  if constexpr (Size == 1) {
    return rows[0];
  } else {
    return fold_groups<2 * kLanes / Size>(reduce_rows_from<Size / 2>(rows),
                                          reduce_rows_from<Size / 2>(rows + Size / 2),
                                          __make_integer_seq<Sequence, int, kLanes>{});
  }
}

// Lane i of the result is the sum of the lanes of rows[i]: three instructions for each row.
HALYARD_INLINE F32v reduce_rows(const F32v (&rows)[kLanes]) {
  return reduce_rows_from<kLanes>(rows);
}

HALYARD_INLINE float reduce_max(F32v v) {
  float result = v[0];
  for (int lane = 1; lane < kLanes; ++lane)
    result = v[lane] > result ? v[lane] : result;
  return result;
}

}  // namespace halyard
