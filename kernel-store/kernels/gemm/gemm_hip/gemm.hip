// SPDX-License-Identifier: Apache-2.0
#include "halyard_math.h"

using namespace halyard;

using T = Element<HALYARD_TYPE_T>;

namespace {

// A workgroup computes 64 x 64 elements of C, a lane 8 x 4 of them in registers. Slices of A and B,
// 16 deep, go through shared memory as f32, transposed, so that a lane reads neighbours.
constexpr int kLanes = 128;
constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kStride = kTile + 4;  // Keeps rows 16 bytes aligned and out of each other's banks.
constexpr int kRows = 8;
constexpr int kColumns = 4;
constexpr int kParts = kTile * kDepth / kLanes;  // Elements of a slice that a lane loads.

using Four = Vector<float, 4>;

struct Slice {
  float at[kDepth][kStride];
};

// Rows past the end are the last one again; elements past the depth are 0.
HALYARD_DEVICE void load(const T* matrix, int64_t stride, uint32_t first_row, uint32_t row_count,
                         uint32_t first_k, uint32_t depth, float (&parts)[kParts]) {
  const auto thread = static_cast<uint32_t>(thread_index());
  const uint32_t row = min(first_row + thread / 2, row_count - 1);
  const uint32_t k = first_k + thread % 2 * kParts;
  const T* from = matrix + row * stride + k;
#pragma unroll
  for (int i = 0; i < kParts; ++i)
    parts[i] = k + i < depth ? to_f32(from[i]) : 0.0f;
}

HALYARD_DEVICE void put(const float (&parts)[kParts], Slice& slice) {
  const int thread = thread_index();
#pragma unroll
  for (int i = 0; i < kParts; ++i)
    slice.at[thread % 2 * kParts + i][thread / 2] = parts[i];
}

HALYARD_DEVICE Four four_of(const float* from) {
  return *reinterpret_cast<const Four*>(from);
}

HALYARD_DEVICE void multiply(const Slice& a, const Slice& b, int row, int column,
                             float (&sums)[kRows][kColumns]) {
#pragma unroll
  for (int k = 0; k < kDepth; ++k) {
    const Four low = four_of(&a.at[k][row]);
    const Four high = four_of(&a.at[k][row + 4]);
    const Four right = four_of(&b.at[k][column]);
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
#pragma unroll
      for (int c = 0; c < kColumns; ++c)
        sums[r][c] = fma(r < 4 ? low[r % 4] : high[r % 4], right[c], sums[r][c]);
    }
  }
}

struct Result {
  T* c;
  const T* bias;  // null: none
  int64_t stride;
  uint32_t rows;
  uint32_t columns;
};

HALYARD_DEVICE void store(const float (&sums)[kRows][kColumns], const Result& to, uint32_t row,
                          uint32_t column) {
  T* const c = to.c + row * to.stride + column;
#pragma unroll
  for (int j = 0; j < kColumns; ++j) {
    if (column + j >= to.columns) continue;
    const float addend = to.bias != nullptr ? to_f32(to.bias[column + j]) : 0.0f;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      if (row + r < to.rows) c[r * to.stride + j] = from_f32<T>(sums[r][j] + addend);
    }
  }
}

}  // namespace

// For all types and devices; where there are matrix instructions, gemm_matrix_hip is faster.
HALYARD_ENTRY(gemm, kLanes)
(const T* a, const T* b, const T* bias, T* c, int64_t a_stride, int64_t c_stride, uint32_t rows,
 uint32_t columns, uint32_t depth, uint32_t has_bias) {
  HALYARD_SHARED Slice left;
  HALYARD_SHARED Slice right;
  const Result result = {c, has_bias != 0 ? bias : nullptr, c_stride, rows, columns};
  const int row = thread_index() / 16 * kRows;
  const int column = thread_index() % 16 * kColumns;

  for (uint32_t first_row = group_y() * kTile; first_row < rows;
       first_row += group_count(1) * kTile) {
    for (uint32_t first_column = group_x() * kTile; first_column < columns;
         first_column += group_count(0) * kTile) {
      float sums[kRows][kColumns] = {};
      for (uint32_t k = 0; k < depth; k += kDepth) {
        float a_parts[kParts];
        float b_parts[kParts];
        load(a, a_stride, first_row, rows, k, depth, a_parts);
        load(b, depth, first_column, columns, k, depth, b_parts);
        barrier();  // All lanes are done with the slices before.
        put(a_parts, left);
        put(b_parts, right);
        barrier();
        multiply(left, right, row, column, sums);
      }
      store(sums, result, opaque(first_row) + row, opaque(first_column) + column);
    }
  }
}
