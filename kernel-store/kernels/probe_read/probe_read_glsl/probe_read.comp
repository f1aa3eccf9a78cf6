#version 450
// SPDX-License-Identifier: Apache-2.0
// One workgroup sums one row; each invocation has four loads in flight.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

#include "reduce.glsl"

layout(set = 0, binding = 0, std430) readonly buffer X { vec4 x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint rows;
  uint columns;
};

void main() {
  uint row = halyard_group_index();
  if (row >= rows) return;

  uint fours = columns / 4;
  uint begin = row * fours;
  uint step = gl_WorkGroupSize.x;
  vec4 sums[4];
  [[unroll]] for (uint j = 0; j < 4; ++j) sums[j] = vec4(0.0);
  uint i = gl_LocalInvocationID.x;
  for (; i + 3 * step < fours; i += 4 * step) {
    [[unroll]] for (uint j = 0; j < 4; ++j) sums[j] += x[begin + i + j * step];
  }
  for (; i < fours; i += step) sums[0] += x[begin + i];

  vec4 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float sum = halyard_workgroup_sum((total.x + total.y) + (total.z + total.w));
  if (gl_LocalInvocationID.x == 0) y[row] = sum;
}
