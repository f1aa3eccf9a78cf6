// SPDX-License-Identifier: Apache-2.0
#version 450

// One subgroup computes a tile of C, of up to 8 rows and 8 columns: its lanes divide K among them,
// each reading four neighbouring elements at a time.
#define HALYARD_USE_I64
#include "halyard_kernel.glsl"

#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x_id = 0) in;

const uint kRows = 8;
const uint kColumns = 8;
#define HALYARD_TILE_ROWS kRows

// B is read in fours, and A where its row stride allows, else A element by element.
layout(set = 0, binding = 0, std430) readonly buffer A { HALYARD_T a[]; };
layout(set = 0, binding = 0, std430) readonly buffer A4 { HALYARD_T4_WIDE a4[]; };
layout(set = 0, binding = 1, std430) readonly buffer B { HALYARD_T b[]; };
layout(set = 0, binding = 1, std430) readonly buffer B4 { HALYARD_T4_WIDE b4[]; };
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

vec4 a_four(uint begin, uint k4) {
  return halyard_unpack_t4(halyard_narrow_t4(a4[begin / 4 + k4]));
}

vec4 b_four(uint begin, uint k4) {
  return halyard_unpack_t4(halyard_narrow_t4(b4[begin / 4 + k4]));
}

vec4 a_by_element(uint begin, uint k4) {
  vec4 values;
  [[unroll]] for (uint i = 0; i < 4; ++i) values[i] = halyard_load_t(a[begin + 4 * k4 + i]);
  return values;
}

#define TILE eight_rows_by_element
#define ROWS kRows
#define COLUMNS kColumns
#define LOAD_A(begin, k4) a_by_element(begin, k4)
#define LOAD_B(begin, k4) b_four(begin, k4)
#include "gemm_tile.glsl"

#define TILE one_row
#define ROWS 1
#define COLUMNS kColumns
#define LOAD_A(begin, k4) a_four(begin, k4)
#define LOAD_B(begin, k4) b_four(begin, k4)
#include "gemm_tile.glsl"

#define TILE four_rows
#define ROWS 4
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

// Adds up the lanes' parts of one element of C.
void store(uint row, uint column, float part) {
  float sum = subgroupAdd(part);
  if (gl_SubgroupInvocationID != 0 || column >= column_count) return;

  if (has_bias != 0) sum += halyard_load_t(bias_vector[column]);
  c[row * c_stride + column_begin + column] = halyard_store_t(sum);
}

// Stores the rows one after the other, moving the next one to the front of sums: a loop that
// indexed sums would move them from registers to memory.
void store_rows(uint first_row, uint row_end, uint first_column, float sums[kRows * kColumns]) {
  [[dont_unroll]] for (uint row = first_row; row < row_end; ++row) {
    [[unroll]] for (uint i = 0; i < kColumns; ++i) store(row, first_column + i, sums[i]);
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

  uint lane = gl_SubgroupInvocationID;
  uint lanes = min(gl_SubgroupSize, gl_WorkGroupSize.x);
  uint rows = min(row_count - first_row, kRows);
  if (a_stride % 4 != 0) {
    eight_rows_by_element(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  } else if (rows == 1) {
    one_row(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  } else if (rows <= 4) {
    four_rows(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  } else {
    eight_rows(a_begin, b_begin, lane, lanes, k_count / 4, sums);
  }
  store_rows(first_row, first_row + rows, first_column, sums);
}

void main() {
  uint first_tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  uint tile_step = gl_NumWorkGroups.x * gl_NumSubgroups;

  for (uint y = gl_WorkGroupID.y; y * kRows < row_count; y += gl_NumWorkGroups.y) {
    for (uint x = first_tile; x * kColumns < column_count; x += tile_step) {
      compute_tile(y * kRows, x * kColumns);
    }
  }
}
