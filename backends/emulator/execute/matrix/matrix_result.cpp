// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_result.h"

#include <cstring>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kStep = 4;  // lanes at once: groups have 4, 16 or 32

bool is_packed(ResultFormat format) {
  return format == ResultFormat::kHalfPacked || format == ResultFormat::kBrainPacked;
}

bool is_brain(ResultFormat format) {
  return format == ResultFormat::kBrainLow || format == ResultFormat::kBrainHigh ||
         format == ResultFormat::kBrainPacked;
}

bool is_wide(ResultFormat format) {
  return format == ResultFormat::kSingle || format == ResultFormat::kInteger ||
         format == ResultFormat::kIntegerClamp;
}

bool is_high(ResultFormat format, std::uint32_t item) {
  if (is_packed(format)) return item % 2 != 0;
  return format == ResultFormat::kHalfHigh || format == ResultFormat::kBrainHigh;
}

std::uint32_t register_of(ResultFormat format, std::uint32_t item) {
  return is_packed(format) ? item / 2 : item;
}

__m128i load4(const std::uint32_t* from) {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(from));
}

void store4(std::uint32_t* to, __m128i value) {
  _mm_store_si128(reinterpret_cast<__m128i*>(to), value);
}

// C of four lanes, as its registers or its constant hold it; 16-bit numbers in the low halves.
__m128i source_bits(const Wave& wave, ResultFormat format, const Operand& source,
                    std::uint32_t item, std::uint32_t lane) {
  if (!source.is_vector())
    return _mm_set1_epi32(static_cast<int>(static_cast<std::uint32_t>(source.constant)));
  const __m128i dwords = load4(wave.row(source.index + register_of(format, item)) + lane);
  return is_high(format, item) ? _mm_srli_epi32(dwords, 16) : dwords;
}

__m128 floats_of_bits(ResultFormat format, __m128i bits) {
  if (format == ResultFormat::kSingle) return _mm_castsi128_ps(bits);
  if (is_brain(format)) return _mm_castsi128_ps(_mm_slli_epi32(bits, 16));
  const __m128i low = _mm_and_si128(bits, _mm_set1_epi32(0xffff));
  return _mm_cvtph_ps(_mm_packus_epi32(low, low));
}

// bf16 of four floats in low halves, to nearest even; a NaN is made quiet.
__m128i brains_of(__m128 values) {
  const __m128i bits = _mm_castps_si128(values);
  const __m128i is_odd = _mm_and_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(1));
  const __m128i rounded =
      _mm_srli_epi32(_mm_add_epi32(_mm_add_epi32(bits, _mm_set1_epi32(0x7fff)), is_odd), 16);
  const __m128i quiet = _mm_or_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(0x40));
  const __m128i is_nan = _mm_castps_si128(_mm_cmpunord_ps(values, values));
  return _mm_blendv_epi8(rounded, quiet, is_nan);
}

// Four 32-bit sums that stay within their range: overflow shows in the signs.
__m128i saturated_sum(__m128i a, __m128i b) {
  const __m128i sum = _mm_add_epi32(a, b);
  const __m128i overflow =
      _mm_srai_epi32(_mm_andnot_si128(_mm_xor_si128(a, b), _mm_xor_si128(a, sum)), 31);
  const __m128i limit = _mm_xor_si128(_mm_srai_epi32(a, 31), _mm_set1_epi32(0x7fffffff));
  return _mm_blendv_epi8(sum, limit, overflow);
}

__m128i integer_result(ResultFormat format, __m128 sums, __m128i source) {
  const __m128i whole = _mm_cvttps_epi32(sums);
  return format == ResultFormat::kIntegerClamp ? saturated_sum(whole, source)
                                               : _mm_add_epi32(whole, source);
}

// A 16-bit result beside the half of the register that is kept.
__m128i merged_half(__m128i old, __m128i half, bool is_high_half) {
  if (is_high_half) {
    return _mm_or_si128(_mm_and_si128(old, _mm_set1_epi32(0xffff)), _mm_slli_epi32(half, 16));
  }
  return _mm_or_si128(_mm_andnot_si128(_mm_set1_epi32(0xffff), old), half);
}

__m128i halves_of(ResultFormat format, __m128 sums) {
  if (is_brain(format)) return brains_of(sums);
  return _mm_cvtepu16_epi32(_mm_cvtps_ph(sums, _MM_FROUND_TO_NEAREST_INT));
}

}  // namespace

void load_sums(const Wave& wave, const LaneLayout& layout, std::uint32_t rows, ResultFormat format,
               const ResultChange& change, const Operand& source, float* sums) {
  const bool is_zero = format == ResultFormat::kInteger || format == ResultFormat::kIntegerClamp;
  const __m128 sign = _mm_set1_ps(-0.0F);
  for (std::uint32_t item = 0; item < layout.items; ++item) {
    for (std::uint32_t lane = 0; lane < layout.size * layout.groups; lane += kStep) {
      __m128 value = _mm_setzero_ps();
      if (!is_zero) value = floats_of_bits(format, source_bits(wave, format, source, item, lane));
      if (change.is_absolute) value = _mm_andnot_ps(sign, value);
      if (change.negates) value = _mm_xor_ps(sign, value);
      _mm_store_ps(sums + place_of(layout, rows, item, lane), value);
    }
  }
}

void store_sums(Wave& wave, const LaneLayout& layout, std::uint32_t rows, ResultFormat format,
                const Operand& source, const Operand& destination, const float* sums) {
  for (std::uint32_t item = 0; item < layout.items; ++item) {
    std::uint32_t* result = wave.row(destination.index + register_of(format, item));
    for (std::uint32_t lane = 0; lane < layout.size * layout.groups; lane += kStep) {
      const __m128 value = _mm_load_ps(sums + place_of(layout, rows, item, lane));
      __m128i bits = _mm_castps_si128(value);
      if (!is_wide(format)) {
        bits = merged_half(load4(result + lane), halves_of(format, value), is_high(format, item));
      } else if (format != ResultFormat::kSingle) {
        bits = integer_result(format, value, source_bits(wave, format, source, item, lane));
      }
      store4(result + lane, bits);
    }
  }
}

}  // namespace halyard::emulator
