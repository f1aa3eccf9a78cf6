// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

// Adds the product of one block to `sum`, row after row of it: each element by a chain of fused
// multiplications and additions in single precision, in the order of k. `a` holds the `rows` of one
// k after those of another, `b` and `sum` rows of `columns`; all aligned to 32 bytes.
//
// The products of 16-bit and narrower numbers are exact, so are whole sums of integers. How the
// hardware groups the additions of floats, and what it rounds between them, no document says.
template <std::uint32_t rows, std::uint32_t columns>
inline void add_product(std::uint32_t depth, const float* a, const float* b, float* sum) {
  constexpr std::uint32_t kVectors = columns / 8;
  constexpr std::uint32_t kTile = 8 / kVectors;  // rows at once: eight sums fit in registers
  for (std::uint32_t first = 0; first < rows; first += kTile) {
    __m256 partial[kTile][kVectors];
    for (std::uint32_t row = 0; row < kTile; ++row) {
      for (std::uint32_t v = 0; v < kVectors; ++v)
        partial[row][v] = _mm256_load_ps(sum + std::size_t{first + row} * columns + 8 * v);
    }
    for (std::uint32_t k = 0; k < depth; ++k) {
      __m256 right[kVectors];
      for (std::uint32_t v = 0; v < kVectors; ++v)
        right[v] = _mm256_load_ps(b + std::size_t{k} * columns + 8 * v);
      for (std::uint32_t row = 0; row < kTile; ++row) {
        const __m256 left = _mm256_broadcast_ss(a + std::size_t{k} * rows + first + row);
        for (std::uint32_t v = 0; v < kVectors; ++v)
          partial[row][v] = _mm256_fmadd_ps(left, right[v], partial[row][v]);
      }
    }
    for (std::uint32_t row = 0; row < kTile; ++row) {
      for (std::uint32_t v = 0; v < kVectors; ++v)
        _mm256_store_ps(sum + std::size_t{first + row} * columns + 8 * v, partial[row][v]);
    }
  }
}

// Blocks of 4 × 4.
template <>
inline void add_product<4, 4>(std::uint32_t depth, const float* a, const float* b, float* sum) {
  for (std::uint32_t row = 0; row < 4; ++row) {
    __m128 partial = _mm_load_ps(sum + 4 * row);
    for (std::uint32_t k = 0; k < depth; ++k)
      partial = _mm_fmadd_ps(_mm_set1_ps(a[4 * k + row]), _mm_load_ps(b + 4 * k), partial);
    _mm_store_ps(sum + 4 * row, partial);
  }
}

// The same where A is sparse: number i of a row is multiplied by row `rows_of_b[i][row]` of B.
template <std::uint32_t rows, std::uint32_t columns>
inline void add_sparse_product(std::uint32_t depth, const float* a,
                               const std::uint8_t (*rows_of_b)[rows], const float* b, float* sum) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; column += 8) {
      float* place = sum + std::size_t{row} * columns + column;
      __m256 partial = _mm256_load_ps(place);
      for (std::uint32_t i = 0; i < depth; ++i) {
        const float* right = b + std::size_t{rows_of_b[i][row]} * columns + column;
        partial = _mm256_fmadd_ps(_mm256_broadcast_ss(a + std::size_t{i} * rows + row),
                                  _mm256_load_ps(right), partial);
      }
      _mm256_store_ps(place, partial);
    }
  }
}

}  // namespace halyard::emulator
