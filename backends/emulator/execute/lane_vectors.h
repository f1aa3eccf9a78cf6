// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

// Eight lanes of 32 bits, or four of 64, at a time. Only files of execute/, which are compiled for
// AVX2, include this.
namespace halyard::emulator::lanes {

using U32 = std::uint32_t __attribute__((vector_size(32)));
using I32 = std::int32_t __attribute__((vector_size(32)));
using F32 = float __attribute__((vector_size(32)));
using U64 = std::uint64_t __attribute__((vector_size(32)));
using I64 = std::int64_t __attribute__((vector_size(32)));
using F64 = double __attribute__((vector_size(32)));

inline constexpr std::uint32_t kBlock = 8;

inline U32 load(const std::uint32_t* from) {
  return (U32)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
inline void store(std::uint32_t* to, U32 value) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), (__m256i)value);
}
inline U32 fill(std::uint32_t value) {
  return (U32)_mm256_set1_epi32(static_cast<int>(value));
}
inline F32 fill(float value) {
  return (F32)_mm256_set1_ps(value);
}
inline U64 fill64(std::uint64_t value) {
  return (U64)_mm256_set1_epi64x(static_cast<long long>(value));
}
inline F64 fill(double value) {
  return (F64)_mm256_set1_pd(value);
}

inline F32 as_f32(U32 value) {
  return (F32)value;
}
inline U32 as_u32(F32 value) {
  return (U32)value;
}
inline F64 as_f64(U64 value) {
  return (F64)value;
}
inline U64 as_u64(F64 value) {
  return (U64)value;
}

// All bits of the lanes whose bit is set.
inline U32 lane_mask(std::uint64_t bits) {
  const U32 each = {1, 2, 4, 8, 16, 32, 64, 128};
  return (U32)((fill(static_cast<std::uint32_t>(bits)) & each) == each);
}
// The bits of the lanes whose sign bit is set.
inline std::uint32_t lane_bits(U32 mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)mask));
}
inline std::uint32_t lane_bits64(U64 mask) {
  return static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)mask));
}

// Where `mask`, all bits of a lane or none, `yes`.
inline U32 select(U32 mask, U32 yes, U32 no) {
  return (U32)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}
inline F32 select(U32 mask, F32 yes, F32 no) {
  return (F32)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
}
inline U64 select(U64 mask, U64 yes, U64 no) {
  return (U64)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
}
inline F64 select(U64 mask, F64 yes, F64 no) {
  return (F64)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
}

inline void store_masked(std::uint32_t* to, U32 value, std::uint64_t bits) {
  store(to, select(lane_mask(bits), value, load(to)));
}

// Four lanes of a register pair; of a single register with 0 above.
inline U64 load_pair(const std::uint32_t* low, const std::uint32_t* high) {
  const __m256i l = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low)));
  if (high == nullptr) return (U64)l;
  const __m256i h = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(high)));
  return (U64)_mm256_or_si256(l, _mm256_slli_epi64(h, 32));
}
inline __m128i low_dwords(U64 value) {
  const __m256i order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
  return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)value, order));
}
inline __m128i high_dwords(U64 value) {
  const __m256i order = _mm256_setr_epi32(1, 3, 5, 7, 0, 2, 4, 6);
  return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)value, order));
}
inline void store_four(std::uint32_t* to, __m128i value, std::uint64_t bits) {
  __m128i* const place = reinterpret_cast<__m128i*>(to);
  if ((bits & 15) != 15) {
    const __m128i each = _mm_setr_epi32(1, 2, 4, 8);
    const __m128i mask =
        _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(static_cast<int>(bits & 15)), each), each);
    value = _mm_blendv_epi8(_mm_loadu_si128(place), value, mask);
  }
  _mm_storeu_si128(place, value);
}

// The same function of each of eight floats.
template <class Function>
inline F32 map(F32 value, Function function) {
  F32 result{};
  for (int i = 0; i < 8; ++i)
    result[i] = function(value[i]);
  return result;
}

inline U32 is_nan(F32 x) {
  return (U32)(x != x);
}
inline U64 is_nan(F64 x) {
  return (U64)(x != x);
}

}  // namespace halyard::emulator::lanes
