#version 450
// SPDX-License-Identifier: Apache-2.0
// One workgroup sums one row; each invocation has four loads in flight.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

#include "reduce.glsl"

const uint kLoads = 4;

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
  uint lanes = gl_WorkGroupSize.x;
  vec4 total = vec4(0.0);
  uint i = gl_LocalInvocationID.x;
  for (; i + (kLoads - 1) * lanes < fours; i += kLoads * lanes) {
    vec4 sum = vec4(0.0);
    [[unroll]] for (uint j = 0; j < kLoads; ++j) sum += x[begin + i + j * lanes];
    total += sum;
  }
  for (; i < fours; i += lanes) total += x[begin + i];

  float sum = halyard_workgroup_sum((total.x + total.y) + (total.z + total.w));
  if (gl_LocalInvocationID.x == 0) y[row] = sum;
}
