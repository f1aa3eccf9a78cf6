// SPDX-License-Identifier: Apache-2.0
#version 450

// One workgroup searches one row, comparing integers that order as the contract does.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Index { int index[]; };

layout(push_constant) uniform Push {
  uint batch;
  uint vocab;
  uint x_stride;
};

shared uint best_keys[gl_WorkGroupSize.x];
shared uint best_indices[gl_WorkGroupSize.x];

// NaN above all, -0 as +0.
uint order_key(uint float_bits) {
  if (halyard_is_nan(float_bits)) return 0xffffffffu;
  if (float_bits == 0x80000000u) return 0x80000000u;
  return (float_bits & 0x80000000u) != 0 ? ~float_bits : float_bits | 0x80000000u;
}

void main() {
  uint row = halyard_group_index();
  if (row >= batch) return;

  uint lane = gl_LocalInvocationID.x;
  uint key = 0;
  uint found = 0xffffffffu;
  for (uint i = lane; i < vocab; i += gl_WorkGroupSize.x) {
    uint candidate = order_key(halyard_bits_t(x[row * x_stride + i]));
    if (candidate > key) {
      key = candidate;
      found = i;
    }
  }
  best_keys[lane] = key;
  best_indices[lane] = found;
  barrier();

  for (uint step = gl_WorkGroupSize.x / 2; step > 0; step /= 2) {
    if (lane < step) {
      uint other_key = best_keys[lane + step];
      uint other_index = best_indices[lane + step];
      bool better = other_key > key || (other_key == key && other_index < found);
      key = better ? other_key : key;
      found = better ? other_index : found;
      best_keys[lane] = key;
      best_indices[lane] = found;
    }
    barrier();
  }
  if (lane == 0) index[row] = int(found);
}
