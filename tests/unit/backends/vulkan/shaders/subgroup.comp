// SPDX-License-Identifier: Apache-2.0
// Writes the size of the subgroup, and the sum of 1 over its lanes.
#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint result[]; };
void main() {
  const uint sum = subgroupAdd(1);
  if (gl_LocalInvocationIndex == 0) {
    result[0] = gl_SubgroupSize;
    result[1] = sum;
  }
}
