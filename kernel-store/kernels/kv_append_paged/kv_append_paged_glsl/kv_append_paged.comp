// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation copies one element of k and of v.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer K { HALYARD_T k[]; };
layout(set = 0, binding = 1, std430) readonly buffer V { HALYARD_T v[]; };
layout(set = 0, binding = 2, std430) readonly buffer Slots { uvec2 slots[]; };
layout(set = 0, binding = 3, std430) writeonly buffer KCache { HALYARD_T k_cache[]; };
layout(set = 0, binding = 4, std430) writeonly buffer VCache { HALYARD_T v_cache[]; };

layout(push_constant) uniform Push {
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

    uvec2 slot = slots[token];
    if (slot.y == 0 && slot.x < slot_count) {
      uint to = slot.x * row + element;
      uvec2 from_k = place * k_stride;
      uvec2 from_v = place * v_stride;
      k_cache[to] = k[from_k.x + from_k.y + i];
      v_cache[to] = v[from_v.x + from_v.y + i];
    }
  }
}
