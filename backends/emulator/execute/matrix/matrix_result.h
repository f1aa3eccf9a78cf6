// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/matrix/lane_layout.h"
#include "backends/emulator/program/operand.h"
#include "backends/emulator/state/wave.h"

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

// How numbers of C and D lie in the registers.
enum class ResultFormat : std::uint8_t {
  kSingle,
  kInteger,       // added to a sum of integers that a float holds exactly; wraps
  kIntegerClamp,  // stays within 32 bits
  kHalfLow,       // an f16 in the low half of each register; the high half is kept
  kHalfHigh,
  kHalfPacked,  // two consecutive items in each register
  kBrainLow,    // the same of bf16
  kBrainHigh,
  kBrainPacked,
};

constexpr bool is_packed(ResultFormat format) {
  return format == ResultFormat::kHalfPacked || format == ResultFormat::kBrainPacked;
}

constexpr bool is_brain(ResultFormat format) {
  return format == ResultFormat::kBrainLow || format == ResultFormat::kBrainHigh ||
         format == ResultFormat::kBrainPacked;
}

constexpr bool is_whole(ResultFormat format) {
  return format == ResultFormat::kInteger || format == ResultFormat::kIntegerClamp;
}

constexpr bool is_in_high_half(ResultFormat format, std::uint32_t item) {
  if (is_packed(format)) return item % 2 != 0;
  return format == ResultFormat::kHalfHigh || format == ResultFormat::kBrainHigh;
}

constexpr std::uint32_t register_of(ResultFormat format, std::uint32_t item) {
  return is_packed(format) ? item / 2 : item;
}

// What is done to C.
struct ResultChange {
  bool negates = false;
  bool is_absolute = false;
};

// Whether C is something that load_sums() reads.
inline bool is_matrix_source(const Operand& operand) {
  return operand.is_vector() || operand.kind == OperandKind::kConstant;
}

// The place of a lane's item among the sums: rows of as many as a group has lanes.
template <LaneLayout layout, std::uint32_t rows>
inline std::size_t place_of_result(std::uint32_t item, std::uint32_t lane) {
  const std::uint32_t group = lane / layout.size;
  const std::uint32_t row = layout.block(item, group) * rows + layout.position(item, group);
  return std::size_t{row} * layout.size + lane % layout.size;
}

inline __m128i load4(const std::uint32_t* from) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(from));
}

inline void store4(std::uint32_t* to, __m128i value) {
  _mm_store_si128(reinterpret_cast<__m128i*>(to), value);
}

// C of four lanes, as its registers or its constant hold it; 16-bit numbers in the low halves.
template <ResultFormat format>
inline __m128i source_bits(const Wave& wave, const Operand& source, std::uint32_t item,
                           std::uint32_t lane) {
  if (!source.is_vector())
    return _mm_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(source.constant)));
  const __m128i dwords = load4(wave.row(source.index + register_of(format, item)) + lane);
  return is_in_high_half(format, item) ? _mm_srli_epi32(dwords, 16) : dwords;
}

template <ResultFormat format>
inline __m128 floats_of_bits(__m128i bits) {
  if constexpr (format == ResultFormat::kSingle) return _mm_castsi128_ps(bits);
  if constexpr (is_brain(format)) return _mm_castsi128_ps(_mm_slli_epi32(bits, 16));
  const __m128i low = _mm_and_si128(bits, _mm_set1_epi32(0xffff));
  return _mm_cvtph_ps(_mm_packus_epi32(low, low));
}

// bf16 of four floats in low halves, to nearest even; a NaN is made quiet.
inline __m128i brains_of(__m128 values) {
  const __m128i bits = _mm_castps_si128(values);
  const __m128i is_odd = _mm_and_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(1));
  const __m128i rounded =
      _mm_srli_epi32(_mm_add_epi32(_mm_add_epi32(bits, _mm_set1_epi32(0x7fff)), is_odd), 16);
  const __m128i quiet = _mm_or_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(0x40));
  const __m128i is_nan = _mm_castps_si128(_mm_cmpunord_ps(values, values));
  return _mm_blendv_epi8(rounded, quiet, is_nan);
}

// Four 32-bit sums that stay within their range: overflow shows in the signs.
inline __m128i saturated_sum(__m128i a, __m128i b) {
  const __m128i sum = _mm_add_epi32(a, b);
  const __m128i overflow =
      _mm_srai_epi32(_mm_andnot_si128(_mm_xor_si128(a, b), _mm_xor_si128(a, sum)), 31);
  const __m128i limit = _mm_xor_si128(_mm_srai_epi32(a, 31), _mm_set1_epi32(0x7fffffff));
  return _mm_blendv_epi8(sum, limit, overflow);
}

// Four 16-bit results beside the halves of the registers that are kept.
template <ResultFormat format>
inline __m128i merged_halves(__m128i old, __m128 sums, bool is_high_half) {
  const __m128i half = is_brain(format)
                           ? brains_of(sums)
                           : _mm_cvtepu16_epi32(_mm_cvtps_ph(sums, _MM_FROUND_TO_NEAREST_INT));
  const __m128i low = _mm_set1_epi32(0xffff);
  if (is_high_half) return _mm_or_si128(_mm_and_si128(old, low), _mm_slli_epi32(half, 16));
  return _mm_or_si128(_mm_andnot_si128(low, old), half);
}

// Fills the sums of all blocks with C as floats; with 0 for integers.
template <LaneLayout layout, std::uint32_t rows, ResultFormat format>
inline void load_sums(const Wave& wave, const ResultChange& change, const Operand& source,
                      float* sums) {
  const __m128 sign = _mm_set1_ps(-0.0F);
  for (std::uint32_t item = 0; item < layout.items; ++item) {
    for (std::uint32_t lane = 0; lane < layout.size * layout.groups; lane += 4) {
      __m128 value = _mm_setzero_ps();
      if constexpr (!is_whole(format)) {
        value = floats_of_bits<format>(source_bits<format>(wave, source, item, lane));
        if (change.is_absolute) value = _mm_andnot_ps(sign, value);
        if (change.negates) value = _mm_xor_ps(sign, value);
      }
      _mm_store_ps(sums + place_of_result<layout, rows>(item, lane), value);
    }
  }
}

// Rounds the sums to nearest even, adds C to integers, and writes D.
template <LaneLayout layout, std::uint32_t rows, ResultFormat format>
inline void store_sums(Wave& wave, const Operand& source, const Operand& destination,
                       const float* sums) {
  for (std::uint32_t item = 0; item < layout.items; ++item) {
    std::uint32_t* result = wave.row(destination.index + register_of(format, item));
    for (std::uint32_t lane = 0; lane < layout.size * layout.groups; lane += 4) {
      const __m128 value = _mm_load_ps(sums + place_of_result<layout, rows>(item, lane));
      __m128i bits = _mm_castps_si128(value);
      if constexpr (is_whole(format)) {
        const __m128i whole = _mm_cvttps_epi32(value);
        const __m128i addend = source_bits<format>(wave, source, item, lane);
        bits = format == ResultFormat::kIntegerClamp ? saturated_sum(whole, addend)
                                                     : _mm_add_epi32(whole, addend);
      } else if constexpr (format != ResultFormat::kSingle) {
        bits = merged_halves<format>(load4(result + lane), value, is_in_high_half(format, item));
      }
      store4(result + lane, bits);
    }
  }
}

}  // namespace halyard::emulator
