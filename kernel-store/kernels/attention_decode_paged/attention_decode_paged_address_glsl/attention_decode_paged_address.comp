// SPDX-License-Identifier: Apache-2.0
#version 450

// One subgroup computes up to 4 query heads of one sequence that share a key head, position after
// position: its lanes divide the dimensions of the head among them, in fours. Scores are kept in
// units of log2. All tensors are device addresses, so the caches may be larger than a binding.
#define HALYARD_USE_I64
#include "halyard_kernel.glsl"

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint CHUNKS = 4;

const uint kHeads = 4;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Elements { HALYARD_T at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Fours {
  HALYARD_T4_WIDE at[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Integers { int at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Floats {
  float at[];
};

layout(push_constant) uniform Push {
  Elements q;
  uint64_t k_cache;
  uint64_t v_cache;
  Integers kv_indptr;
  Integers kv_indices;
  Integers kv_lengths;
  Elements result;
  Floats lse;
  uint batch;
  uint num_pages;
  uint q_heads;
  uint kv_heads;
  uint head_dim;
  uint page_size;
  uvec2 q_stride;  // of a sequence, of a head
  uvec2 result_stride;
  float sm_scale;
};

struct Softmax {
  float largest;
  float sum;
};

vec4 four_of(uint64_t row, uint first) {
  if (first >= head_dim) return vec4(0.0);
  return halyard_unpack_t4(halyard_narrow_t4(Fours(row).at[first / 4]));
}

// Adds a score: gives the weight of its value, and what the sums so far are to be multiplied by.
float add_score(inout Softmax softmax, float score, out float correction) {
  float difference = score == softmax.largest ? 0.0 : score - softmax.largest;
  float power = halyard_exp2(-abs(difference));
  bool is_larger = score > softmax.largest;
  float weight = is_larger ? 1.0 : power;
  if (abs(score) == HALYARD_INFINITY) weight = is_larger ? HALYARD_NAN : 0.0;
  correction = is_larger ? power : 1.0;
  softmax.largest = is_larger ? score : softmax.largest;
  softmax.sum = softmax.sum * correction + weight;
  return weight;
}

void compute(uint sequence, uint first_head, uint head_end, uint kv_head) {
  uint lane = gl_SubgroupInvocationID;
  uint lanes = min(gl_SubgroupSize, gl_WorkGroupSize.x);

  vec4 query[kHeads * CHUNKS];
  vec4 sums[kHeads * CHUNKS];
  Softmax softmax[kHeads];
  [[unroll]] for (uint h = 0; h < kHeads; ++h) {
    softmax[h] = Softmax(-HALYARD_INFINITY, 0.0);
    uint head = min(first_head + h, head_end - 1);
    uint begin = sequence * q_stride.x + head * q_stride.y;
    [[unroll]] for (uint c = 0; c < CHUNKS; ++c) {
      uint first = 4 * (c * lanes + lane);
      vec4 values = vec4(0.0);
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (first < head_dim) values[i] = halyard_load_t(q.at[begin + first + i]);
      }
      query[h * CHUNKS + c] = values * (sm_scale * 1.44269504);
      sums[h * CHUNKS + c] = vec4(0.0);
    }
  }

  uint page_begin = uint(kv_indptr.at[sequence]);
  uint page_end = uint(max(kv_indptr.at[sequence + 1], kv_indptr.at[sequence]));
  uint rest = uint(max(kv_lengths.at[sequence], 0));
  uint row_bytes = kv_heads * head_dim * HALYARD_T_BYTES;

  for (uint p = page_begin; p < page_end && rest > 0; ++p) {
    uint page = uint(kv_indices.at[p]);
    uint positions = min(rest, page_size);
    rest -= positions;
    if (page >= num_pages) continue;

    uint64_t offset = uint64_t(page) * page_size * row_bytes + kv_head * head_dim * HALYARD_T_BYTES;
    for (uint position = 0; position < positions; ++position) {
      vec4 products[kHeads];
      [[unroll]] for (uint h = 0; h < kHeads; ++h) products[h] = vec4(0.0);
      [[unroll]] for (uint c = 0; c < CHUNKS; ++c) {
        vec4 key = four_of(k_cache + offset, 4 * (c * lanes + lane));
        [[unroll]] for (uint h = 0; h < kHeads; ++h) {
          products[h] = fma(key, query[h * CHUNKS + c], products[h]);
        }
      }
      float weights[kHeads];
      float corrections[kHeads];
      [[unroll]] for (uint h = 0; h < kHeads; ++h) {
        vec2 pairs = products[h].xy + products[h].zw;
        weights[h] = add_score(softmax[h], subgroupAdd(pairs.x + pairs.y), corrections[h]);
      }
      [[unroll]] for (uint c = 0; c < CHUNKS; ++c) {
        vec4 value = four_of(v_cache + offset, 4 * (c * lanes + lane));
        [[unroll]] for (uint h = 0; h < kHeads; ++h) {
          uint i = h * CHUNKS + c;
          sums[i] = fma(value, vec4(weights[h]), sums[i] * corrections[h]);
        }
      }
      offset += row_bytes;
    }
  }

  [[unroll]] for (uint h = 0; h < kHeads; ++h) {
    uint head = first_head + h;
    if (head >= head_end) break;

    bool is_empty = softmax[h].sum == 0.0;
    uint begin = sequence * result_stride.x + head * result_stride.y;
    [[unroll]] for (uint c = 0; c < CHUNKS; ++c) {
      uint first = 4 * (c * lanes + lane);
      vec4 values = is_empty ? vec4(0.0) : sums[h * CHUNKS + c] / softmax[h].sum;
      [[unroll]] for (uint i = 0; i < 4; ++i) {
        if (first < head_dim) result.at[begin + first + i] = halyard_store_t(values[i]);
      }
    }
    if (lane == 0) {
      float total = softmax[h].largest + halyard_log2(softmax[h].sum);
      lse.at[sequence * q_heads + head] = is_empty ? -HALYARD_INFINITY : total;
    }
  }
}

void main() {
  uint heads_per_kv_head = q_heads / kv_heads;
  uint units_per_kv_head = (heads_per_kv_head + kHeads - 1) / kHeads;
  uint units_per_sequence = kv_heads * units_per_kv_head;
  uint unit_count = batch * units_per_sequence;

  for (uint unit = halyard_group_index() * gl_NumSubgroups + gl_SubgroupID; unit < unit_count;
       unit += halyard_group_count() * gl_NumSubgroups) {
    uint kv_head = unit % units_per_sequence / units_per_kv_head;
    uint first_head = kv_head * heads_per_kv_head + unit % units_per_kv_head * kHeads;
    uint head_end = min(first_head + kHeads, (kv_head + 1) * heads_per_kv_head);
    compute(unit / units_per_sequence, first_head, head_end, kv_head);
  }
}
