// SPDX-License-Identifier: Apache-2.0
#include "halyard_wave.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

constexpr int kLanes = HALYARD_PARAM_LANES;
constexpr int kWaves = kLanes / kWaveLanes;
constexpr int kColumns = 2;  // Of C, of a wave at a time.

struct Matrices {
  const T* a;
  const T* b;
  const T* bias;  // null: none
  T* c;
  int64_t a_stride;
  int64_t c_stride;
  uint32_t rows;
  uint32_t columns;
  uint32_t depth;
};

// Rows of A and of B past the end are the last one again, and their sums are not stored.
template <int Rows, int N>
HALYARD_DEVICE void compute(const Matrices& m, uint32_t first_row, uint32_t first_column) {
  const T* a[Rows];
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    a[r] = m.a + min(first_row + r, m.rows - 1) * m.a_stride;
  const T* b[kColumns];
#pragma unroll
  for (int c = 0; c < kColumns; ++c)
    b[c] = m.b + uint64_t{min(first_column + c, m.columns - 1)} * m.depth;

  float sums[Rows][kColumns] = {};
  for (uint32_t k = static_cast<uint32_t>(lane_index()) * N; k < m.depth; k += kWaveLanes * N) {
    Pack<T, N> right[kColumns];
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      right[c] = load_pack<N>(b[c] + k);
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      const auto left = load_pack<N>(a[r] + k);
#pragma unroll
      for (int c = 0; c < kColumns; ++c) {
#pragma unroll
        for (int j = 0; j < N; ++j)
          sums[r][c] = fma(to_f32(left.at[j]), to_f32(right[c].at[j]), sums[r][c]);
      }
    }
  }
  // All lanes get all sums; each keeps the one that it stores.
  const uint32_t lane = opaque_in_lanes(static_cast<uint32_t>(lane_index()));
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < Rows * kColumns; ++i) {
    const float total = wave_sum(sums[i / kColumns][i % kColumns]);
    sum = lane == i ? total : sum;
  }
  const uint32_t row = first_row + lane / kColumns;
  const uint32_t column = first_column + lane % kColumns;
  if (lane >= Rows * kColumns || row >= m.rows || column >= m.columns) return;
  if (m.bias != nullptr) sum += to_f32(m.bias[column]);
  m.c[row * m.c_stride + column] = from_f32<T>(sum);
}

HALYARD_DEVICE void compute_rows(const Matrices& m, uint32_t first_row, uint32_t first_column,
                                 bool is_packed) {
  const uint32_t rows = m.rows - first_row;
  // Or the addresses of all variants are kept at once.
  first_row = opaque(first_row);
  first_column = opaque(first_column);
  if (!is_packed) {
    compute<8, 1>(m, first_row, first_column);
  } else if (rows == 1) {
    compute<1, kPackElements<T>>(m, first_row, first_column);
  } else {
    compute<8, kPackElements<T>>(m, first_row, first_column);
  }
}

}  // namespace

// A wave computes up to eight rows of two columns of C, its lanes dividing K among them: made for
// few rows, where reading B is what takes the time.
HALYARD_ENTRY(gemm_rows, kLanes)
(const T* a, const T* b, const T* bias, T* c, int64_t a_stride, int64_t c_stride, uint32_t rows,
 uint32_t columns, uint32_t depth, uint32_t has_bias) {
  const Matrices m = {a,       b,    has_bias != 0 ? bias : nullptr, c, a_stride, c_stride, rows,
                      columns, depth};
  const bool is_packed = (a_stride | depth) % kPackElements<T> == 0;
  const uint32_t step = group_count(0) * kWaves * kColumns;
  for (uint32_t row = group_y() * 8; row < rows; row += group_count(1) * 8) {
    uint32_t column = (group_x() * kWaves + static_cast<uint32_t>(wave_index())) * kColumns;
    for (; column < columns; column += step)
      compute_rows(m, row, column, is_packed);
  }
}
