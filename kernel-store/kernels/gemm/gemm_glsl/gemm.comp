// SPDX-License-Identifier: Apache-2.0
#version 450

// One workgroup computes a tile of C, of up to 8 rows and 8 columns: its invocations divide K among
// them, each reading four neighbouring elements at a time, and add up through shared memory.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

const uint kRows = 8;
const uint kColumns = 8;
#define HALYARD_TILE_ROWS kRows

// A and B are read in fours where K and the row stride of A allow, else element by element.
layout(set = 0, binding = 0, std430) readonly buffer A { HALYARD_T a[]; };
layout(set = 0, binding = 0, std430) readonly buffer A4 { HALYARD_T4 a4[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { HALYARD_T b[]; };
layout(set = 0, binding = 1, std430) readonly buffer B4 { HALYARD_T4 b4[]; };
layout(set = 0, binding = 2, std430) readonly buffer BiasVector { HALYARD_T bias_vector[]; };
layout(set = 0, binding = 3, std430) writeonly buffer C { HALYARD_T c[]; };

layout(push_constant) uniform Push {
  uint row_count;
  uint column_count;  // of this piece of B
  uint k_count;
  uint a_stride;
  uint c_stride;
  uint column_begin;  // first column of the piece in C
  uint has_bias;
};

shared float parts[kColumns][gl_WorkGroupSize.x];

vec4 a_four(uint begin, uint k4) { return halyard_unpack_t4(a4[begin / 4 + k4]); }
vec4 b_four(uint begin, uint k4) { return halyard_unpack_t4(b4[begin / 4 + k4]); }

vec4 a_by_element(uint begin, uint k4) {
  vec4 values = vec4(0.0);
  for (uint k = 4 * k4; k < min(4 * k4 + 4, k_count); ++k) {
    values[k % 4] = halyard_load_t(a[begin + k]);
  }
  return values;
}

vec4 b_by_element(uint begin, uint k4) {
  vec4 values = vec4(0.0);
  for (uint k = 4 * k4; k < min(4 * k4 + 4, k_count); ++k) {
    values[k % 4] = halyard_load_t(b[begin + k]);
  }
  return values;
}

#define TILE eight_rows_by_element
#define ROWS kRows
#define COLUMNS kColumns
#define LOAD_A(begin, k4) a_by_element(begin, k4)
#define LOAD_B(begin, k4) b_by_element(begin, k4)
#include "gemm_tile.glsl"

#define TILE one_row
#define ROWS 1
#define COLUMNS kColumns
#define LOAD_A(begin, k4) a_four(begin, k4)
#define LOAD_B(begin, k4) b_four(begin, k4)
#include "gemm_tile.glsl"

#define TILE eight_rows
#define ROWS kRows
#define COLUMNS kColumns
#define LOAD_A(begin, k4) a_four(begin, k4)
#define LOAD_B(begin, k4) b_four(begin, k4)
#include "gemm_tile.glsl"

// Adds up the invocations' parts of one row of the tile.
void store_row(uint row, uint first_column) {
  barrier();
  for (uint i = gl_LocalInvocationID.x; i < kColumns; i += gl_WorkGroupSize.x) {
    uint column = first_column + i;
    if (column >= column_count) break;

    float sum = 0.0;
    for (uint lane = 0; lane < gl_WorkGroupSize.x; ++lane) sum += parts[i][lane];
    if (has_bias != 0) sum += halyard_load_t(bias_vector[column]);
    c[row * c_stride + column_begin + column] = halyard_store_t(sum);
  }
  barrier();
}

// Stores the rows one after the other, moving the next one to the front of sums: a loop that
// indexed sums would move them from registers to memory.
void store_rows(uint first_row, uint row_end, uint first_column, float sums[kRows * kColumns]) {
  [[dont_unroll]] for (uint row = first_row; row < row_end; ++row) {
    [[unroll]] for (uint i = 0; i < kColumns; ++i) parts[i][gl_LocalInvocationID.x] = sums[i];
    store_row(row, first_column);
    [[unroll]] for (uint i = kColumns; i < kRows * kColumns; ++i) sums[i - kColumns] = sums[i];
  }
}

// Rows and columns past the end repeat the last one and are not stored.
void compute_tile(uint first_row, uint first_column) {
  uint a_begin[kRows];
  [[unroll]] for (uint i = 0; i < kRows; ++i) {
    a_begin[i] = min(first_row + i, row_count - 1) * a_stride;
  }
  uint b_begin[kColumns];
  [[unroll]] for (uint i = 0; i < kColumns; ++i) {
    b_begin[i] = min(first_column + i, column_count - 1) * k_count;
  }
  float sums[kRows * kColumns];
  [[unroll]] for (uint i = 0; i < kRows * kColumns; ++i) sums[i] = 0.0;

  uint lane = gl_LocalInvocationID.x;
  uint lanes = gl_WorkGroupSize.x;
  uint rows = min(row_count - first_row, kRows);
  if (k_count % 4 != 0 || a_stride % 4 != 0) {
    eight_rows_by_element(a_begin, b_begin, lane, lanes, (k_count + 3) / 4, sums);
  } else if (rows == 1) {
    one_row(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  } else {
    eight_rows(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  }
  store_rows(first_row, first_row + rows, first_column, sums);
}

void main() {
  for (uint y = gl_WorkGroupID.y; y * kRows < row_count; y += gl_NumWorkGroups.y) {
    for (uint x = gl_WorkGroupID.x; x * kColumns < column_count; x += gl_NumWorkGroups.x) {
      compute_tile(y * kRows, x * kColumns);
    }
  }
}
