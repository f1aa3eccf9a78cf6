// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace halyard::emulator {

// Calls `step` with 0, 1, … as constants, so that what it indexes stays in registers.
template <std::uint32_t count, typename Step>
[[gnu::always_inline]] inline void unrolled(const Step& step) {
  [&]<std::uint32_t... indices>(std::integer_sequence<std::uint32_t, indices...>)
      __attribute__((always_inline)) {
    (step(std::integral_constant<std::uint32_t, indices>{}), ...);
  }
  (std::make_integer_sequence<std::uint32_t, count>{});
}

// Eight sums, rows by vectors of eight columns, through all k.
template <std::uint32_t rows, std::uint32_t columns>
[[gnu::always_inline]] inline void add_tile(std::uint32_t depth, const float* a, const float* b,
                                            float* sum) {
  constexpr std::uint32_t kVectors = columns / 8;
  __m256 partial[8];
  unrolled<8>([&](auto i) __attribute__((always_inline)) {
    partial[i] = _mm256_load_ps(sum + i / kVectors * columns + i % kVectors * 8);
  });
  for (std::uint32_t k = 0; k < depth; ++k) {
    const float* left = a + std::size_t{k} * rows;
    const float* right = b + std::size_t{k} * columns;
    unrolled<8>([&](auto i) __attribute__((always_inline)) {
      partial[i] = _mm256_fmadd_ps(_mm256_broadcast_ss(left + i / kVectors),
                                   _mm256_load_ps(right + i % kVectors * 8), partial[i]);
    });
  }
  unrolled<8>([&](auto i) __attribute__((always_inline)) {
    _mm256_store_ps(sum + i / kVectors * columns + i % kVectors * 8, partial[i]);
  });
}

// Adds the product of one block to `sum`, row after row of it: each element by a chain of fused
// multiplications and additions in single precision, in the order of k. `a` holds the `rows` of one
// k after those of another, `b` and `sum` rows of `columns`; all aligned to 32 bytes.
//
// The products of 16-bit and narrower numbers are exact, so are whole sums of integers. How the
// hardware groups the additions of floats, and what it rounds between them, no document says.
template <std::uint32_t rows, std::uint32_t columns>
inline void add_product(std::uint32_t depth, const float* a, const float* b, float* sum) {
  if constexpr (columns == 4) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      __m128 partial = _mm_load_ps(sum + 4 * row);
      for (std::uint32_t k = 0; k < depth; ++k)
        partial = _mm_fmadd_ps(_mm_set1_ps(a[4 * k + row]), _mm_load_ps(b + 4 * k), partial);
      _mm_store_ps(sum + 4 * row, partial);
    }
  } else {
    constexpr std::uint32_t kTile = 64 / columns;  // rows of eight sums
    for (std::uint32_t row = 0; row < rows; row += kTile)
      add_tile<rows, columns>(depth, a + row, b, sum + std::size_t{row} * columns);
  }
}

// The same where A is sparse: number i of a row is multiplied by row `rows_of_b[i][row]` of B.
template <std::uint32_t rows, std::uint32_t columns>
inline void add_sparse_product(std::uint32_t depth, const float* a,
                               const std::uint8_t (*rows_of_b)[rows], const float* b, float* sum) {
  constexpr std::uint32_t kVectors = columns / 8;
  for (std::uint32_t row = 0; row < rows; ++row) {
    float* place = sum + std::size_t{row} * columns;
    __m256 partial[kVectors];
    unrolled<kVectors>([&](auto i) __attribute__((always_inline)) {
      partial[i] = _mm256_load_ps(place + 8 * i);
    });
    for (std::uint32_t k = 0; k < depth; ++k) {
      const __m256 left = _mm256_broadcast_ss(a + std::size_t{k} * rows + row);
      const float* right = b + std::size_t{rows_of_b[k][row]} * columns;
      unrolled<kVectors>([&](auto i) __attribute__((always_inline)) {
        partial[i] = _mm256_fmadd_ps(left, _mm256_load_ps(right + 8 * i), partial[i]);
      });
    }
    unrolled<kVectors>([&](auto i) __attribute__((always_inline)) {
      _mm256_store_ps(place + 8 * i, partial[i]);
    });
  }
}

}  // namespace halyard::emulator
