// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/lane_vectors.h"

#include <bit>
#include <cstdint>

// What the vector instructions on integers compute.
namespace halyard::emulator::lanes {

inline U32 min_u(U32 a, U32 b) {
  return (U32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}
inline U32 max_u(U32 a, U32 b) {
  return (U32)_mm256_max_epu32((__m256i)a, (__m256i)b);
}
inline U32 min_i(U32 a, U32 b) {
  return (U32)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
inline U32 max_i(U32 a, U32 b) {
  return (U32)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
template <auto kMin, auto kMax>
inline constexpr auto median =
    [](U32 a, U32 b, U32 c) { return kMax(kMin(a, b), kMin(kMax(a, b), c)); };

// Of the low half as a signed number.
inline U32 sign16(U32 x) {
  return (U32)((I32)(x << 16) >> 16);
}
inline U32 sign24(U32 x) {
  return (U32)((I32)(x << 8) >> 8);
}
inline U32 low24(U32 x) {
  return x & 0xffffffu;
}

// Numbers of 16 bits in the low halves, as they saturate.
inline U32 saturate_i16(U32 x) {
  return max_i(min_i(x, fill(0x7fffu)), fill(0xffff8000u));
}
inline U32 saturate_u16(U32 x) {  // of a signed number
  return max_i(min_i(x, fill(0xffffu)), fill(0u));
}

inline U32 add_saturated_u(U32 a, U32 b) {
  const U32 sum = a + b;
  return sum | (U32)(sum < a);
}
inline U32 sub_saturated_u(U32 a, U32 b) {
  return (a - b) & (U32)(a >= b);
}
inline U32 signed_limit(U32 a) {  // the most or the least, as the sign of `a` is
  return (U32)((I32)a >> 31) ^ 0x7fffffffu;
}
inline U32 add_saturated_i(U32 a, U32 b) {
  const U32 sum = a + b;
  const U32 overflow = (U32)((I32)(~(a ^ b) & (a ^ sum)) >> 31);
  return select(overflow, signed_limit(a), sum);
}
inline U32 sub_saturated_i(U32 a, U32 b) {
  const U32 difference = a - b;
  const U32 overflow = (U32)((I32)((a ^ b) & (a ^ difference)) >> 31);
  return select(overflow, signed_limit(a), difference);
}

inline U32 mul_high_u(U32 a, U32 b) {
  const __m256i even = _mm256_mul_epu32((__m256i)a, (__m256i)b);
  const __m256i odd =
      _mm256_mul_epu32(_mm256_srli_epi64((__m256i)a, 32), _mm256_srli_epi64((__m256i)b, 32));
  return (U32)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}
inline U32 mul_high_i(U32 a, U32 b) {
  const __m256i even = _mm256_mul_epi32((__m256i)a, (__m256i)b);
  const __m256i odd =
      _mm256_mul_epi32(_mm256_srli_epi64((__m256i)a, 32), _mm256_srli_epi64((__m256i)b, 32));
  return (U32)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
}

inline U32 shift_left(U32 value, U32 count) {
  return value << (count & 31u);
}
inline U32 shift_right(U32 value, U32 count) {
  return value >> (count & 31u);
}
inline U32 shift_right_signed(U32 value, U32 count) {
  return (U32)((I32)value >> (I32)(count & 31u));
}
// `width` low bits; none for a width that is a multiple of 32.
inline U32 bit_field_mask(U32 width) {
  return (fill(1u) << (width & 31u)) - 1u;
}
inline U32 extract_u(U32 value, U32 offset, U32 width) {
  return shift_right(value, offset) & bit_field_mask(width);
}
inline U32 extract_i(U32 value, U32 offset, U32 width) {
  const U32 field = shift_right_signed(value, offset) & bit_field_mask(width);
  const U32 sign = (bit_field_mask(width) + 1u) >> 1 & (U32)((width & 31u) != 0u);
  return (field ^ sign) - sign;
}

// The low dword of both, shifted right; a count of 32 clears.
inline U32 align(U32 high, U32 low, U32 count) {
  return (U32)_mm256_srlv_epi32((__m256i)low, (__m256i)count) |
         (U32)_mm256_sllv_epi32((__m256i)high, (__m256i)(32u - count));
}

inline std::uint32_t leading_zeros(std::uint32_t x) {
  return x == 0 ? ~0u : static_cast<std::uint32_t>(std::countl_zero(x));
}
inline std::uint32_t trailing_zeros(std::uint32_t x) {
  return x == 0 ? ~0u : static_cast<std::uint32_t>(std::countr_zero(x));
}
// How many bits from the top are alike; all ones where all of them are.
inline std::uint32_t leading_signs(std::uint32_t x) {
  const std::uint32_t differing = x ^ (static_cast<std::int32_t>(x) < 0 ? ~0u : 0u);
  return leading_zeros(differing);
}
inline std::uint32_t reverse_bits(std::uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}

inline std::uint32_t byte_of(std::uint32_t x, int index) {
  return x >> (8 * index) & 0xff;
}
inline std::uint32_t difference(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}

// V_PERM: a byte of the selectors picks one of eight bytes, the sign of an odd one, 0 or all ones.
inline U32 permute_bytes(U32 high, U32 low, U32 selectors) {
  const __m256i each = (__m256i)selectors;
  const __m256i lanes = _mm256_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 0, 0,
                                         0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const __m256i is_sign =
      _mm256_cmpgt_epi8(_mm256_max_epu8(each, _mm256_set1_epi8(7)), _mm256_set1_epi8(7));
  const __m256i is_large =
      _mm256_or_si256(is_sign, _mm256_cmpgt_epi8(_mm256_setzero_si256(), each));
  // Selectors of signs, 8 to 11, are those of bytes 1, 3, 5 and 7.
  const __m256i odd = _mm256_add_epi8(_mm256_add_epi8(each, each), _mm256_set1_epi8(1));
  const __m256i byte =
      _mm256_and_si256(_mm256_blendv_epi8(each, odd, is_large), _mm256_set1_epi8(7));
  const __m256i index = _mm256_or_si256(_mm256_and_si256(byte, _mm256_set1_epi8(3)), lanes);
  const __m256i picked = _mm256_blendv_epi8(_mm256_shuffle_epi8((__m256i)low, index),
                                            _mm256_shuffle_epi8((__m256i)high, index),
                                            _mm256_cmpgt_epi8(byte, _mm256_set1_epi8(3)));
  const __m256i sign = _mm256_cmpgt_epi8(_mm256_setzero_si256(), picked);
  __m256i result = _mm256_blendv_epi8(picked, sign, is_large);
  const __m256i is_constant = _mm256_cmpeq_epi8(_mm256_max_epu8(each, _mm256_set1_epi8(12)), each);
  const __m256i is_zero = _mm256_cmpeq_epi8(each, _mm256_set1_epi8(12));
  const __m256i constant = _mm256_andnot_si256(is_zero, _mm256_set1_epi8(-1));
  result = _mm256_blendv_epi8(result, constant, is_constant);
  return (U32)result;
}

}  // namespace halyard::emulator::lanes
