#version 450
// SPDX-License-Identifier: Apache-2.0
// One workgroup computes a tile of C, of up to 8 rows and 4 columns: its invocations divide K among
// them, each reading four neighbouring elements at a time, and add up through shared memory.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

const uint kRows = 8;
const uint kColumns = 4;

// A and B are read in fours where K and the row stride allow, else one by one.
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

shared float partial[kRows * kColumns][gl_WorkGroupSize.x];

uint first_row;
uint first_column;

// Rows past the end repeat the last one and are not stored.
uint a_row(uint row) { return min(first_row + row, row_count - 1) * a_stride; }
uint b_row(uint column) { return min(first_column + column, column_count - 1) * k_count; }

vec4 load_a_by_element(uint row, uint k4) {
  uint from = a_row(row) + 4 * k4;
  vec4 values = vec4(0.0);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (4 * k4 + i < k_count) values[i] = halyard_load_t(a[from + i]);
  }
  return values;
}

vec4 load_b_by_element(uint column, uint k4) {
  uint from = b_row(column) + 4 * k4;
  vec4 values = vec4(0.0);
  [[unroll]] for (uint i = 0; i < 4; ++i) {
    if (4 * k4 + i < k_count) values[i] = halyard_load_t(b[from + i]);
  }
  return values;
}

#define ROWS 1
#define COLUMNS kColumns
#define TILE one_row
#define LOAD_A(row, k4) halyard_unpack_t4(a4[a_row(row) / 4 + k4])
#define LOAD_B(column, k4) halyard_unpack_t4(b4[b_row(column) / 4 + k4])
#include "gemm_tile.glsl"

#define ROWS kRows
#define COLUMNS kColumns
#define TILE many_rows
#define LOAD_A(row, k4) halyard_unpack_t4(a4[a_row(row) / 4 + k4])
#define LOAD_B(column, k4) halyard_unpack_t4(b4[b_row(column) / 4 + k4])
#include "gemm_tile.glsl"

#define ROWS kRows
#define COLUMNS kColumns
#define TILE many_rows_by_element
#define LOAD_A(row, k4) load_a_by_element(row, k4)
#define LOAD_B(column, k4) load_b_by_element(column, k4)
#include "gemm_tile.glsl"

void store_tile(uint rows) {
  barrier();
  for (uint i = gl_LocalInvocationID.x; i < rows * kColumns; i += gl_WorkGroupSize.x) {
    uint row = first_row + i / kColumns;
    uint column = first_column + i % kColumns;
    if (row >= row_count || column >= column_count) continue;

    float sum = 0.0;
    for (uint lane = 0; lane < gl_WorkGroupSize.x; ++lane) sum += partial[i][lane];
    if (has_bias != 0) sum += halyard_load_t(bias_vector[column]);
    c[row * c_stride + column_begin + column] = halyard_store_t(sum);
  }
  barrier();
}

void compute_tile() {
  uint lane = gl_LocalInvocationID.x;
  uint end_k4 = (k_count + 3) / 4;
  bool in_fours = k_count % 4 == 0 && a_stride % 4 == 0;

  if (in_fours && row_count - first_row == 1) {
    float sums[kColumns];
    one_row(lane, gl_WorkGroupSize.x, end_k4, sums);
    [[unroll]] for (uint i = 0; i < kColumns; ++i) partial[i][lane] = sums[i];
    store_tile(1);
    return;
  }

  float sums[kRows * kColumns];
  if (in_fours) {
    many_rows(lane, gl_WorkGroupSize.x, end_k4, sums);
  } else {
    many_rows_by_element(lane, gl_WorkGroupSize.x, end_k4, sums);
  }
  [[unroll]] for (uint i = 0; i < kRows * kColumns; ++i) partial[i][lane] = sums[i];
  store_tile(kRows);
}

void main() {
  for (uint y = gl_WorkGroupID.y; y * kRows < row_count; y += gl_NumWorkGroups.y) {
    for (uint x = gl_WorkGroupID.x; x * kColumns < column_count; x += gl_NumWorkGroups.x) {
      first_row = y * kRows;
      first_column = x * kColumns;
      compute_tile();
    }
  }
}
