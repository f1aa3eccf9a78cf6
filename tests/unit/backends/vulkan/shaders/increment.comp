// SPDX-License-Identifier: Apache-2.0
// Adds to every element of an array given by its address.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Array { uint items[]; };
layout(push_constant) uniform Values {
  Array array;
  uint amount;
  uint count;
};
void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) array.items[i] += amount;
}
