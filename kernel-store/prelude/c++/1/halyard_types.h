// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard_kernel.h"

// Element types and their conversions. They round to nearest even, keep subnormal numbers, and
// turn a NaN into a quiet NaN, whatever the target offers.

namespace halyard {

using f32 = float;
struct f16 {
  uint16_t bits;
};
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

// The bit algorithms serve one element (U = uint32_t, F = float) and a vector of them alike;
// each result has the 16 bits in the low half of a 32-bit lane.

template <typename F, typename U>
HALYARD_INLINE U bf16_bits(F value) {
  const U bits = __builtin_bit_cast(U, value);
  const U rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const U quiet = (bits >> 16) | 0x40u;
  return (bits & 0x7fffffffu) > U(0x7f800000u) ? quiet : rounded;
}

template <typename F, typename U>
HALYARD_INLINE F f32_of_bf16_bits(U bits) {
  return __builtin_bit_cast(F, bits << 16);
}

template <typename F, typename U>
HALYARD_INLINE U f16_bits(F value) {
  const U bits = __builtin_bit_cast(U, value);
  const U magnitude = bits & 0x7fffffffu;
  // Adding 0.5 moves the last bit of a subnormal half to the last bit of the sum: the addition
  // itself rounds.
  const F shifted = __builtin_bit_cast(F, magnitude) + F(0.5f);
  const U subnormal = __builtin_bit_cast(U, shifted) - U(0x3f000000u);
  const U normal = (magnitude - U(0x38000000u) + U(0xfffu) + ((magnitude >> 13) & 1u)) >> 13;
  const U nan = ((magnitude >> 13) & 0x3ffu) | 0x7e00u;
  U result = magnitude < U(0x38800000u) ? subnormal : normal;
  result = magnitude >= U(0x47800000u) ? U(0x7c00u) : result;
  result = magnitude > U(0x7f800000u) ? nan : result;
  return result | ((bits >> 16) & 0x8000u);
}

template <typename F, typename U>
HALYARD_INLINE F f32_of_f16_bits(U bits) {
  const U magnitude = (bits & 0x7fffu) << 13;
  const U normal = magnitude + U(0x38000000u);
  const U special = magnitude + U(0x70000000u);
  const F subnormal =
      __builtin_bit_cast(F, magnitude + U(0x38800000u)) - __builtin_bit_cast(F, U(0x38800000u));
  U result = magnitude < U(0x00800000u) ? __builtin_bit_cast(U, subnormal) : normal;
  result = magnitude >= U(0x0f800000u) ? special : result;
  result = magnitude > U(0x0f800000u) ? (result | 0x00400000u) : result;
  return __builtin_bit_cast(F, result | ((bits & 0x8000u) << 16));
}

HALYARD_INLINE float to_f32(float value) {
  return value;
}
HALYARD_INLINE float to_f32(bf16 value) {
  return f32_of_bf16_bits<float, uint32_t>(value.bits);
}
HALYARD_INLINE float to_f32(f16 value) {
#if defined(__F16C__)
  return static_cast<float>(__builtin_bit_cast(_Float16, value.bits));
#else
  return f32_of_f16_bits<float, uint32_t>(value.bits);
#endif
}

template <typename E>
E from_f32(float value);
template <>
__attribute__((always_inline, unused)) inline float from_f32<float>(float value) {
  return value;
}
template <>
__attribute__((always_inline, unused)) inline bf16 from_f32<bf16>(float value) {
  return bf16{static_cast<uint16_t>(bf16_bits<float, uint32_t>(value))};
}
template <>
__attribute__((always_inline, unused)) inline f16 from_f32<f16>(float value) {
  return f16{static_cast<uint16_t>(f16_bits<float, uint32_t>(value))};
}

}  // namespace halyard
