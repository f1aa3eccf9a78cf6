// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation computes one element.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer X { HALYARD_T x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { HALYARD_T y[]; };

layout(push_constant) uniform Push {
  uint tokens;
  uint hidden;
  uint x_stride;
  uint y_stride;
};

float silu(float gate) {
  return gate == -HALYARD_INFINITY ? 0.0 : gate / (1.0 + halyard_exp(-gate));
}

void main() {
  uint total = tokens * hidden;
  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint token = n / hidden;
    uint i = n % hidden;
    float gate = halyard_load_t(x[token * x_stride + i]);
    float up = halyard_load_t(x[token * x_stride + hidden + i]);
    y[token * y_stride + i] = halyard_store_t(silu(gate) * up);
  }
}
