#version 450
// SPDX-License-Identifier: Apache-2.0
// One invocation computes eight sums side by side, which hides the latency of the multiply-add.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

const uint kChains = 8;
const uint kUnrolled = 8;  // Steps between two looks at the counter.

#define STEP                                                                                \
  {                                                                                         \
    [[unroll]] for (uint j = 0; j < kChains; ++j) sums[j] = fma(sums[j], a, even[j]);        \
    [[unroll]] for (uint j = 0; j < kChains; ++j) sums[j] = fma(sums[j], a, odd[j]);         \
  }

layout(set = 0, binding = 0, std430) readonly buffer X { float x[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Y { float y[]; };

layout(push_constant) uniform Push {
  uint n;
  uint steps;
  float a;
};

void main() {
  uint lanes = gl_WorkGroupSize.x;
  for (uint first = halyard_group_index() * kChains * lanes + gl_LocalInvocationID.x; first < n;
       first += halyard_group_count() * kChains * lanes) {
    float even[kChains];
    float odd[kChains];
    float sums[kChains];
    [[unroll]] for (uint j = 0; j < kChains; ++j) {
      uint i = min(first + j * lanes, n - 1);
      even[j] = x[i];
      odd[j] = x[n + i];
      sums[j] = 0.0;
    }
    uint step = 0;
    [[dont_unroll]] for (; step + kUnrolled <= steps; step += kUnrolled) {
      [[unroll]] for (uint k = 0; k < kUnrolled; ++k) STEP
    }
    [[dont_unroll]] for (; step < steps; ++step) STEP
    [[unroll]] for (uint j = 0; j < kChains; ++j) {
      if (first + j * lanes < n) y[first + j * lanes] = sums[j];
    }
  }
}
