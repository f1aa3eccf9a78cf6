// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/matrix/lane_layout.h"
#include "backends/emulator/execute/matrix/number_format.h"

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

// What changes the numbers of an operand on their way.
struct OperandChange {
  std::uint32_t flip_low = 0;                   // flipped in the float of a low half: a sign bit
  std::uint32_t flip_high = 0;                  // of a high half
  float least = 0.0F;                           // what has less magnitude is 0
  std::uint32_t group_of_16[4] = {0, 1, 2, 3};  // the 16 lanes that those 16 are read from

  bool is_any() const { return (flip_low | flip_high) != 0 || least != 0.0F; }
};

// 8-bit floats with four bits of exponent, by way of f16, whose exponent is wider.
template <Number number>
inline __m256 floats_of_e4m3(__m256i bytes) {
  constexpr bool kIsFnuz = number == Number::kE4m3Fnuz;
  const __m256i magnitude = _mm256_and_si256(bytes, _mm256_set1_epi32(0x7f));
  const __m256i sign = _mm256_slli_epi32(_mm256_and_si256(bytes, _mm256_set1_epi32(0x80)), 8);
  const __m256i half = _mm256_or_si256(_mm256_slli_epi32(magnitude, 7), sign);
  const __m256i packed = _mm256_packus_epi32(half, half);
  const __m256 values =
      _mm256_mul_ps(_mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08))),
                    _mm256_set1_ps(kIsFnuz ? 0x1p7F : 0x1p8F));
  const __m256i is_nan = kIsFnuz ? _mm256_cmpeq_epi32(bytes, _mm256_set1_epi32(0x80))
                                 : _mm256_cmpeq_epi32(magnitude, _mm256_set1_epi32(0x7f));
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  return _mm256_blendv_ps(values, nan, _mm256_castsi256_ps(is_nan));
}

// Numbers of eight lanes as floats; each is one, exactly. `part` counts numbers within a dword.
template <Number number>
inline __m256 floats_of(__m256i dwords, std::uint32_t part) {
  constexpr std::uint32_t kBits = bits_of(number);
  const auto up = static_cast<int>(32 - kBits - part * kBits);
  const auto down = static_cast<int>(part * kBits);
  if constexpr (number == Number::kF32) {
    return _mm256_castsi256_ps(dwords);
  } else if constexpr (number == Number::kXf32) {
    return _mm256_castsi256_ps(
        _mm256_and_si256(dwords, _mm256_set1_epi32(static_cast<int>(0xffffe000))));
  } else if constexpr (number == Number::kBf16) {
    const __m256i high = _mm256_set1_epi32(static_cast<int>(0xffff0000));
    return _mm256_castsi256_ps(_mm256_and_si256(_mm256_slli_epi32(dwords, up), high));
  } else if constexpr (number == Number::kF16) {
    const __m256i half =
        _mm256_and_si256(_mm256_srli_epi32(dwords, down), _mm256_set1_epi32(0xffff));
    const __m256i packed = _mm256_packus_epi32(half, half);
    return _mm256_cvtph_ps(_mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08)));
  } else if constexpr (is_byte_float(number)) {
    const __m256i bytes =
        _mm256_and_si256(_mm256_srli_epi32(dwords, down), _mm256_set1_epi32(0xff));
    if constexpr (number == Number::kE4m3 || number == Number::kE4m3Fnuz)
      return floats_of_e4m3<number>(bytes);
    return _mm256_i32gather_ps(kByteFloats<number>.data(), bytes, 4);
  } else {
    const __m256i high = _mm256_slli_epi32(dwords, up);
    constexpr int kShift = 32 - kBits;
    constexpr bool kIsSigned = number == Number::kI8 || number == Number::kI4;
    return _mm256_cvtepi32_ps(kIsSigned ? _mm256_srai_epi32(high, kShift)
                                        : _mm256_srli_epi32(high, kShift));
  }
}

inline __m256 changed(__m256 values, const OperandChange& change, std::uint32_t part) {
  const std::uint32_t flip = part % 2 == 0 ? change.flip_low : change.flip_high;
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0F), values);
  const __m256 is_small = _mm256_cmp_ps(magnitude, _mm256_set1_ps(change.least), _CMP_LT_OQ);
  const __m256 kept = _mm256_andnot_ps(is_small, values);
  return _mm256_xor_ps(kept, _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(flip))));
}

// Where the numbers of a group's item go among those of all blocks.
template <LaneLayout layout, std::uint32_t depth>
inline float* place_of_operand(float* out, std::uint32_t item, std::uint32_t group) {
  const std::uint32_t k = layout.block(item, group) * depth + layout.position(item, group);
  return out + std::size_t{k} * layout.size;
}

// The numbers of A or B as floats: those of one `k` of a block follow one another, as many as a
// group has lanes, and there are `depth` of such rows in a block. `rows` are the operand's
// registers, `lanes` dwords each.
template <Number number, LaneLayout layout, std::uint32_t depth>
inline void unpack(const std::uint32_t* rows, std::uint32_t lanes, const OperandChange& change,
                   float* out) {
  constexpr std::uint32_t kParts = 32 / bits_of(number);
  constexpr std::uint32_t kUsed = layout.size * layout.groups;
  const bool has_change = change.is_any();
  for (std::uint32_t item = 0; item < layout.items; ++item) {
    const std::uint32_t part = item % kParts;
    const std::uint32_t* row = rows + std::size_t{item / kParts} * lanes;
    for (std::uint32_t lane = 0; lane < kUsed; lane += 8) {
      const std::uint32_t from = change.group_of_16[lane / 16] * 16 + lane % 16;
      const __m256i dwords = _mm256_load_si256(reinterpret_cast<const __m256i*>(row + from));
      __m256 values = floats_of<number>(dwords, part);
      if (has_change) values = changed(values, change, part);
      const std::uint32_t group = lane / layout.size;
      if constexpr (layout.size == 4) {
        _mm_store_ps(place_of_operand<layout, depth>(out, item, group),
                     _mm256_castps256_ps128(values));
        _mm_store_ps(place_of_operand<layout, depth>(out, item, group + 1),
                     _mm256_extractf128_ps(values, 1));
      } else {
        _mm256_store_ps(place_of_operand<layout, depth>(out, item, group) + lane % layout.size,
                        values);
      }
    }
  }
}

}  // namespace halyard::emulator
