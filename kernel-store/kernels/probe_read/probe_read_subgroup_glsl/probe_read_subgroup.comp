#version 450
// SPDX-License-Identifier: Apache-2.0
// One subgroup sums one row; each lane has eight loads in flight.
#define HALYARD_USE_I64
#include "halyard_kernel.glsl"

#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x_id = 0) in;

const uint kLoads = 8;

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T4_WIDE x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint rows;
  uint columns;
};

vec4 four(uint i) { return halyard_unpack_t4(halyard_narrow_t4(x[i])); }

void sum_row(uint row, uint lane, uint lanes) {
  uint fours = columns / 4;
  uint begin = row * fours;
  vec4 total = vec4(0.0);
  uint i = lane;
  for (; i + (kLoads - 1) * lanes < fours; i += kLoads * lanes) {
    vec4 sum = vec4(0.0);
    [[unroll]] for (uint j = 0; j < kLoads; ++j) sum += four(begin + i + j * lanes);
    total += sum;
  }
  for (; i < fours; i += lanes) total += four(begin + i);

  float sum = subgroupAdd((total.x + total.y) + (total.z + total.w));
  if (gl_SubgroupInvocationID == 0) y[row] = sum;
}

void main() {
  uint lanes = min(gl_SubgroupSize, gl_WorkGroupSize.x);
  uint row = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
  for (; row < rows; row += gl_NumWorkGroups.x * gl_NumSubgroups) {
    sum_row(row, gl_SubgroupInvocationID, lanes);
  }
}
