// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation converts one element, by its bits: no rounding mode or flushing of the device's.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_S x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { HALYARD_T y[]; };

layout(push_constant) uniform Push { uint n; };

void main() {
  for (uint i = halyard_invocation_index(); i < n; i += halyard_invocation_count()) {
    y[i] = halyard_from_bits_t(halyard_bits_s(x[i]));
  }
}
