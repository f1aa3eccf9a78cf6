// SPDX-License-Identifier: Apache-2.0
#version 450

// One workgroup normalises one row.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

#include "reduce.glsl"

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) readonly buffer Weight { HALYARD_T weight[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Y { HALYARD_T y[]; };

layout(push_constant) uniform Push {
  uint batch;
  uint hidden;
  uint x_stride;
  uint y_stride;
  float epsilon;
};

void main() {
  uint row = halyard_group_index();
  if (row >= batch) return;

  uint x_row = row * x_stride;
  float squares = 0.0;
  for (uint i = gl_LocalInvocationID.x; i < hidden; i += gl_WorkGroupSize.x) {
    float value = halyard_load_t(x[x_row + i]);
    squares = fma(value, value, squares);
  }
  float scale = inversesqrt(halyard_workgroup_sum(squares) / float(hidden) + epsilon);

  uint y_row = row * y_stride;
  for (uint i = gl_LocalInvocationID.x; i < hidden; i += gl_WorkGroupSize.x) {
    float value = halyard_load_t(x[x_row + i]);
    y[y_row + i] = halyard_store_t(value * scale * halyard_load_t(weight[i]));
  }
}
