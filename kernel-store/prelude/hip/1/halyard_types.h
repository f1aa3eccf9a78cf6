// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_kernel.h"

// Element types and their conversions. They round to nearest even, keep subnormal numbers, and
// turn a NaN into a quiet NaN.

namespace halyard {

using f32 = float;
using f16 = _Float16;
struct bf16 {
  uint16_t bits;
};

template <uint32_t Code>
struct ElementOf;
template <>
struct ElementOf<2> {
  using Type = f32;
};
template <>
struct ElementOf<3> {
  using Type = f16;
};
template <>
struct ElementOf<4> {
  using Type = bf16;
};
template <>
struct ElementOf<5> {
  using Type = int64_t;
};
template <>
struct ElementOf<6> {
  using Type = int32_t;
};
template <>
struct ElementOf<7> {
  using Type = int16_t;
};
template <>
struct ElementOf<8> {
  using Type = int8_t;
};
template <>
struct ElementOf<9> {
  using Type = uint32_t;
};
template <>
struct ElementOf<10> {
  using Type = uint8_t;
};
template <>
struct ElementOf<11> {
  using Type = uint64_t;
};

// The type a build is made for: `using T = halyard::Element<HALYARD_TYPE_T>;`.
template <uint32_t Code>
using Element = typename ElementOf<Code>::Type;

HALYARD_DEVICE uint32_t bits_of(float value) {
  return __builtin_bit_cast(uint32_t, value);
}
HALYARD_DEVICE float f32_of_bits(uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}

HALYARD_DEVICE float to_f32(f32 value) {
  return value;
}
HALYARD_DEVICE float to_f32(f16 value) {
  return static_cast<float>(value);
}
HALYARD_DEVICE float to_f32(bf16 value) {
  return f32_of_bits(uint32_t{value.bits} << 16);
}

template <typename E>
__attribute__((device)) E from_f32(float value);
template <>
__attribute__((device, always_inline)) inline f32 from_f32<f32>(float value) {
  return value;
}
template <>
__attribute__((device, always_inline)) inline f16 from_f32<f16>(float value) {
  return static_cast<f16>(value);
}
template <>
__attribute__((device, always_inline)) inline bf16 from_f32<bf16>(float value) {
  const uint32_t bits = bits_of(value);
  const uint32_t rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  const uint32_t chosen = value == value ? rounded : bits | 0x00400000u;
  return bf16{static_cast<uint16_t>(chosen >> 16)};
}

// `N` neighbouring elements, as they are loaded and stored at once from an address that is a
// multiple of their size, of 16 bytes at most.
template <typename E, int N>
struct __attribute__((may_alias)) alignas(sizeof(E) * N < 16 ? sizeof(E) * N : 16) Pack {
  E at[N];
};

// As many elements as 16 bytes hold.
template <typename E>
inline constexpr int kPackElements = 16 / static_cast<int>(sizeof(E));

template <int N, typename E>
HALYARD_DEVICE Pack<E, N> load_pack(const E* from) {
  return *reinterpret_cast<const Pack<E, N>*>(from);
}
template <int N, typename E>
HALYARD_DEVICE void store_pack(E* to, const Pack<E, N>& pack) {
  *reinterpret_cast<Pack<E, N>*>(to) = pack;
}

#if defined(__gfx942__) || defined(__GFX12__)
// Bytes of 8-bit floats: on gfx942 with one zero and one NaN, 0x80 (FNUZ), on gfx12 as the Open
// Compute Project defines them. The low byte of `bits` counts.
#define HALYARD_HAS_FP8 1
HALYARD_DEVICE float f32_of_fp8_e4m3(uint32_t bits) {
  return __builtin_amdgcn_cvt_f32_fp8(static_cast<int>(bits), 0);
}
HALYARD_DEVICE float f32_of_fp8_e5m2(uint32_t bits) {
  return __builtin_amdgcn_cvt_f32_bf8(static_cast<int>(bits), 0);
}
HALYARD_DEVICE uint32_t fp8_e4m3_of_f32(float value) {
  return static_cast<uint32_t>(__builtin_amdgcn_cvt_pk_fp8_f32(value, 0.0f, 0, false)) & 0xffu;
}
HALYARD_DEVICE uint32_t fp8_e5m2_of_f32(float value) {
  return static_cast<uint32_t>(__builtin_amdgcn_cvt_pk_bf8_f32(value, 0.0f, 0, false)) & 0xffu;
}
#endif

}  // namespace halyard
