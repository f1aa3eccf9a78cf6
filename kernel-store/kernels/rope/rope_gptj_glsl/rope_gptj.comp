// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation rotates one pair, element 2i with 2i + 1, or copies one element past
// rotary_dim. It reads all it needs before it writes, so the outputs may alias the inputs.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer Q { HALYARD_T q[]; };
layout(set = 0, binding = 1, std430) readonly buffer K { HALYARD_T k[]; };
layout(set = 0, binding = 2, std430) readonly buffer CosSinCache { float cos_sin_cache[]; };
layout(set = 0, binding = 3, std430) readonly buffer Positions { uvec2 positions[]; };
layout(set = 0, binding = 4, std430) writeonly buffer QOut { HALYARD_T q_out[]; };
layout(set = 0, binding = 5, std430) writeonly buffer KOut { HALYARD_T k_out[]; };

layout(push_constant) uniform Push {
  uint tokens;
  uint max_positions;
  uint q_heads;
  uint kv_heads;
  uint head_dim;
  uint rotary_dim;
  uvec2 q_stride;  // of a token, of a head
  uvec2 k_stride;
  uvec2 q_out_stride;
  uvec2 k_out_stride;
};

// Values travel as the bits of a float, which copies subnormal numbers too.
uint load(bool is_q, uint index) {
  if (is_q) return halyard_bits_t(q[index]);
  return halyard_bits_t(k[index]);
}

void store(bool is_q, uint index, uint bits) {
  if (is_q) {
    q_out[index] = halyard_from_bits_t(bits);
  } else {
    k_out[index] = halyard_from_bits_t(bits);
  }
}

void main() {
  uint half_dim = rotary_dim / 2;
  uint units = head_dim - half_dim;
  uint heads = q_heads + kv_heads;
  uint total = tokens * heads * units;

  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint i = n % units;
    uint head = n / units % heads;
    uint token = n / units / heads;

    bool is_q = head < q_heads;
    uvec2 place = uvec2(token, is_q ? head : head - q_heads);
    uvec2 from_parts = place * (is_q ? q_stride : k_stride);
    uvec2 to_parts = place * (is_q ? q_out_stride : k_out_stride);
    uint from = from_parts.x + from_parts.y;
    uint to = to_parts.x + to_parts.y;

    if (i >= half_dim) {
      store(is_q, to + i + half_dim, load(is_q, from + i + half_dim));
      continue;
    }

    uint first = 2 * i;
    uint second = 2 * i + 1;
    uint a = load(is_q, from + first);
    uint b = load(is_q, from + second);

    uvec2 position = positions[token];
    if (position.y == 0 && position.x < max_positions) {
      float cosine = cos_sin_cache[position.x * rotary_dim + i];
      float sine = cos_sin_cache[position.x * rotary_dim + half_dim + i];
      float x = uintBitsToFloat(a);
      float y = uintBitsToFloat(b);
      a = floatBitsToUint(x * cosine - y * sine);
      b = floatBitsToUint(y * cosine + x * sine);
    }
    store(is_q, to + first, a);
    store(is_q, to + second, b);
  }
}
