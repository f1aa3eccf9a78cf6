#version 450
// SPDX-License-Identifier: Apache-2.0
// One subgroup computes a tile of C, of up to 8 rows and 8 columns: its lanes divide K among them,
// each reading four neighbouring elements at a time. A, B and C are device addresses, so B may be
// larger than a binding.
#define HALYARD_USE_I64
#include "halyard_kernel.glsl"

#extension GL_EXT_buffer_reference : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x_id = 0) in;

const uint kColumns = 8;

// A and B are read in fours where K and the row stride allow, else one by one.
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Elements {
  HALYARD_T at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Fours {
  HALYARD_T4_WIDE at[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Results {
  HALYARD_T at[];
};

layout(push_constant) uniform Push {
  Elements a;
  Elements b;
  Elements bias_vector;
  Results c;
  uint row_count;
  uint column_count;
  uint k_count;
  uint a_stride;
  uint c_stride;
  uint has_bias;
};

uint first_row;
uint first_column;

// Rows and columns past the end repeat the last one and are not stored.
uint a_row(uint row) { return min(first_row + row, row_count - 1) * a_stride; }
uint b_row(uint column) { return min(first_column + column, column_count - 1) * k_count; }

vec4 a_four(uint row, uint k4) { return halyard_unpack_t4(halyard_narrow_t4(Fours(a).at[a_row(row) / 4 + k4])); }
vec4 b_four(uint column, uint k4) { return halyard_unpack_t4(halyard_narrow_t4(Fours(b).at[b_row(column) / 4 + k4])); }

vec4 a_by_element(uint row, uint k4) {
  vec4 values = vec4(0.0);
  for (uint k = 4 * k4; k < min(4 * k4 + 4, k_count); ++k) {
    values[k % 4] = halyard_load_t(a.at[a_row(row) + k]);
  }
  return values;
}

vec4 b_by_element(uint column, uint k4) {
  vec4 values = vec4(0.0);
  for (uint k = 4 * k4; k < min(4 * k4 + 4, k_count); ++k) {
    values[k % 4] = halyard_load_t(b.at[b_row(column) + k]);
  }
  return values;
}

#define TILE one_row_by_element
#define ROWS 1
#define COLUMNS kColumns
#define LOAD_A(row, k4) a_by_element(row, k4)
#define LOAD_B(column, k4) b_by_element(column, k4)
#include "gemm_tile.glsl"

#define TILE one_row
#define ROWS 1
#define COLUMNS kColumns
#define LOAD_A(row, k4) a_four(row, k4)
#define LOAD_B(column, k4) b_four(column, k4)
#include "gemm_tile.glsl"

#define TILE four_rows
#define ROWS 4
#define COLUMNS kColumns
#define LOAD_A(row, k4) a_four(row, k4)
#define LOAD_B(column, k4) b_four(column, k4)
#include "gemm_tile.glsl"

#define TILE eight_rows
#define ROWS 8
#define COLUMNS kColumns
#define LOAD_A(row, k4) a_four(row, k4)
#define LOAD_B(column, k4) b_four(column, k4)
#include "gemm_tile.glsl"

uint lane_count() { return min(gl_SubgroupSize, gl_WorkGroupSize.x); }

// Adds up the lanes' parts of one element of the tile.
void store(uint tile_row, uint tile_column, float part) {
  float sum = subgroupAdd(part);
  uint row = first_row + tile_row;
  uint column = first_column + tile_column;
  if (gl_SubgroupInvocationID != 0 || row >= row_count || column >= column_count) return;

  if (has_bias != 0) sum += halyard_load_t(bias_vector.at[column]);
  c.at[row * c_stride + column] = halyard_store_t(sum);
}

#define COMPUTE_TILE(tile, rows)                                        \
  {                                                                     \
    float sums[rows * kColumns];                                        \
    tile(gl_SubgroupInvocationID, lane_count(), (k_count + 3) / 4, sums); \
    [[unroll]] for (uint i = 0; i < rows * kColumns; ++i) {             \
      store(i / kColumns, i % kColumns, sums[i]);                       \
    }                                                                   \
  }

void compute_rows(uint begin, uint end) {
  bool in_fours = k_count % 4 == 0 && a_stride % 4 == 0;
  if (!in_fours) {
    for (first_row = begin; first_row < end; ++first_row) COMPUTE_TILE(one_row_by_element, 1)
    return;
  }
  first_row = begin;
  if (end - begin == 1) {
    COMPUTE_TILE(one_row, 1)
  } else if (end - begin <= 4) {
    COMPUTE_TILE(four_rows, 4)
  } else {
    COMPUTE_TILE(eight_rows, 8)
  }
}

void main() {
  uint first_tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  uint tile_step = gl_NumWorkGroups.x * gl_NumSubgroups;

  for (uint y = gl_WorkGroupID.y; y * 8 < row_count; y += gl_NumWorkGroups.y) {
    for (uint x = first_tile; x * kColumns < column_count; x += tile_step) {
      first_column = x * kColumns;
      compute_rows(y * 8, min(y * 8 + 8, row_count));
    }
  }
}
