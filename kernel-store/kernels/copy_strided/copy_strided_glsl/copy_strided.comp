// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation copies the bits of one element.
#include "halyard_kernel.glsl"

#if defined(HALYARD_TYPE_T_I8) || defined(HALYARD_TYPE_T_U8)
#extension GL_EXT_shader_8bit_storage : require
#define ELEMENT uint8_t
#elif defined(HALYARD_TYPE_T_F32) || defined(HALYARD_TYPE_T_I32) || defined(HALYARD_TYPE_T_U32)
#define ELEMENT uint
#else
#extension GL_EXT_shader_16bit_storage : require
#define ELEMENT uint16_t
#endif

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer X { ELEMENT x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { ELEMENT y[]; };

layout(push_constant) uniform Push {
  uvec4 extent;
  uvec4 x_stride;
  uvec4 y_stride;
};

uint offset_of(uvec4 place, uvec4 stride) {
  uvec4 parts = place * stride;
  return parts.x + parts.y + parts.z + parts.w;
}

void main() {
  uint total = extent.x * extent.y * extent.z * extent.w;
  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint row = n / extent.w;
    uint plane = row / extent.z;
    uvec4 place = uvec4(plane / extent.y, plane % extent.y, row % extent.z, n % extent.w);
    y[offset_of(place, y_stride)] = x[offset_of(place, x_stride)];
  }
}
