// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation copies one element of k and of v. The caches are device addresses, so they may be
// larger than a binding.
#define HALYARD_USE_I64
#include "halyard_kernel.glsl"

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require

layout(local_size_x_id = 0) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Elements { HALYARD_T at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Slots { uvec2 at[]; };

layout(push_constant) uniform Push {
  Elements k;
  Elements v;
  Slots slots;
  uint64_t k_cache;
  uint64_t v_cache;
  uint tokens;
  uint slot_count;
  uint kv_heads;
  uint head_dim;
  uvec2 k_stride;  // of a token, of a head
  uvec2 v_stride;
};

void main() {
  uint row = kv_heads * head_dim;
  uint total = tokens * row;

  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint token = n / row;
    uint element = n % row;
    uvec2 place = uvec2(token, element / head_dim);
    uint i = element % head_dim;

    uvec2 slot = slots.at[token];
    if (slot.y == 0 && slot.x < slot_count) {
      uint64_t row_begin = uint64_t(slot.x) * row * HALYARD_T_BYTES;
      uvec2 from_k = place * k_stride;
      uvec2 from_v = place * v_stride;
      Elements(k_cache + row_begin).at[element] = k.at[from_k.x + from_k.y + i];
      Elements(v_cache + row_begin).at[element] = v.at[from_v.x + from_v.y + i];
    }
  }
}
