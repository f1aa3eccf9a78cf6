// SPDX-License-Identifier: Apache-2.0
#version 450

// One workgroup computes one row.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

#include "reduce.glsl"

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { HALYARD_T y[]; };

layout(push_constant) uniform Push {
  uint batch;
  uint columns;
  uint x_stride;
  uint y_stride;
};

// Of the difference of two floats by their bits: not every device gives NaN for infinity minus
// infinity, or for a sum with NaN.
float power_of(float value, float greatest) {
  uint bits = floatBitsToUint(value);
  if (halyard_is_nan(bits) || abs(greatest) == HALYARD_INFINITY) return HALYARD_NAN;
  return value == -HALYARD_INFINITY ? 0.0 : halyard_exp(value - greatest);
}

void main() {
  uint row = halyard_group_index();
  if (row >= batch) return;

  uint x_row = row * x_stride;
  float greatest = -HALYARD_INFINITY;
  for (uint i = gl_LocalInvocationID.x; i < columns; i += gl_WorkGroupSize.x) {
    float value = halyard_load_t(x[x_row + i]);
    if (!halyard_is_nan(floatBitsToUint(value))) greatest = max(greatest, value);
  }
  greatest = halyard_workgroup_max(greatest);

  float sum = 0.0;
  for (uint i = gl_LocalInvocationID.x; i < columns; i += gl_WorkGroupSize.x) {
    sum += power_of(halyard_load_t(x[x_row + i]), greatest);
  }
  sum = halyard_workgroup_sum(sum);

  uint y_row = row * y_stride;
  for (uint i = gl_LocalInvocationID.x; i < columns; i += gl_WorkGroupSize.x) {
    float power = power_of(halyard_load_t(x[x_row + i]), greatest);
    y[y_row + i] = halyard_store_t(power / sum);
  }
}
