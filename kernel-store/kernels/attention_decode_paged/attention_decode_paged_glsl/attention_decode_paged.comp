// SPDX-License-Identifier: Apache-2.0
#version 450

// One workgroup computes one query head of one sequence, in tiles of as many positions as it has
// invocations: first an invocation scores one position, then it sums the values of its own
// dimensions over the tile. Scores are kept in units of log2.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

#include "reduce.glsl"

layout(set = 0, binding = 0, std430) readonly buffer Q { HALYARD_T q[]; };
layout(set = 0, binding = 1, std430) readonly buffer KCache { HALYARD_T k_cache[]; };
layout(set = 0, binding = 2, std430) readonly buffer VCache { HALYARD_T v_cache[]; };
layout(set = 0, binding = 3, std430) readonly buffer KvIndptr { int kv_indptr[]; };
layout(set = 0, binding = 4, std430) readonly buffer KvIndices { int kv_indices[]; };
layout(set = 0, binding = 5, std430) readonly buffer KvLengths { int kv_lengths[]; };
layout(set = 0, binding = 6, std430) writeonly buffer Output { HALYARD_T result[]; };
layout(set = 0, binding = 7, std430) writeonly buffer Lse { float lse[]; };

layout(push_constant) uniform Push {
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

const uint kMaxDimsPerLane = 16;
const uint kMasked = 0xffffffffu;

shared float weights[gl_WorkGroupSize.x];
shared uint offsets[gl_WorkGroupSize.x];

// Element where the key and the value of a position begin, or kMasked.
uint cache_offset(uint sequence_begin, uint position, uint kv_head) {
  int page = kv_indices[sequence_begin + position / page_size];
  if (uint(page) >= num_pages) return kMasked;
  return ((uint(page) * page_size + position % page_size) * kv_heads + kv_head) * head_dim;
}

float score(uint q_offset, uint k_offset) {
  float sum = 0.0;
  for (uint i = 0; i < head_dim; ++i) {
    sum = fma(halyard_load_t(q[q_offset + i]), halyard_load_t(k_cache[k_offset + i]), sum);
  }
  return sum * sm_scale * 1.44269504;
}

void main() {
  uint group = halyard_group_index();
  if (group >= batch * q_heads) return;

  uint lane = gl_LocalInvocationID.x;
  uint sequence = group / q_heads;
  uint head = group % q_heads;
  uint kv_head = head / (q_heads / kv_heads);
  uint q_offset = sequence * q_stride.x + head * q_stride.y;

  uint begin = uint(kv_indptr[sequence]);
  uint pages = uint(max(kv_indptr[sequence + 1] - kv_indptr[sequence], 0));
  uint positions = min(uint(max(kv_lengths[sequence], 0)), pages * page_size);

  float largest = -HALYARD_INFINITY;
  float weight_sum = 0.0;
  float sums[kMaxDimsPerLane];
  for (uint c = 0; c < kMaxDimsPerLane; ++c) sums[c] = 0.0;

  for (uint tile = 0; tile < positions; tile += gl_WorkGroupSize.x) {
    uint position = tile + lane;
    uint offset = position < positions ? cache_offset(begin, position, kv_head) : kMasked;
    float own_score = offset != kMasked ? score(q_offset, offset) : -HALYARD_INFINITY;

    bool is_number = !halyard_is_nan(floatBitsToUint(own_score));
    float tile_largest = halyard_workgroup_max(is_number ? own_score : -HALYARD_INFINITY);
    float new_largest = max(largest, tile_largest);
    float reference = new_largest == -HALYARD_INFINITY ? 0.0 : new_largest;
    float correction = halyard_exp2(largest - reference);
    largest = new_largest;

    float weight = halyard_exp2(own_score - reference);
    weights[lane] = weight;
    offsets[lane] = offset;
    weight_sum = weight_sum * correction + halyard_workgroup_sum(weight);

    for (uint c = 0; c < kMaxDimsPerLane; ++c) {
      uint dim = c * gl_WorkGroupSize.x + lane;
      if (c * gl_WorkGroupSize.x >= head_dim) break;
      float sum = sums[c] * correction;
      for (uint j = 0; j < min(gl_WorkGroupSize.x, positions - tile); ++j) {
        if (offsets[j] != kMasked && dim < head_dim) {
          sum = fma(weights[j], halyard_load_t(v_cache[offsets[j] + dim]), sum);
        }
      }
      sums[c] = sum;
    }
    barrier();
  }

  uint to = sequence * result_stride.x + head * result_stride.y;
  for (uint c = 0; c < kMaxDimsPerLane; ++c) {
    uint dim = c * gl_WorkGroupSize.x + lane;
    if (dim < head_dim) {
      result[to + dim] = halyard_store_t(weight_sum == 0.0 ? 0.0 : sums[c] / weight_sum);
    }
  }
  if (lane == 0) {
    lse[group] = weight_sum == 0.0 ? -HALYARD_INFINITY : largest + halyard_log2(weight_sum);
  }
}
