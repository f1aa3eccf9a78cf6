// SPDX-License-Identifier: Apache-2.0
#version 450

// One invocation copies one element. A table above the device's binding range comes in pieces along
// vocab, in order: the first piece writes zeros for every id that it does not hold, and a later
// piece overwrites the rows that it holds.
#include "halyard_kernel.glsl"

layout(local_size_x_id = 0) in;

layout(set = 0, binding = 0, std430) readonly buffer Ids { int ids[]; };
layout(set = 0, binding = 1, std430) readonly buffer Table { HALYARD_T table[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Y { HALYARD_T y[]; };

layout(push_constant) uniform Push {
  uint tokens;
  uint vocab;        // rows of this piece
  uint vocab_begin;  // its first row in the whole table
  uint hidden;
  uint y_stride;
};

void main() {
  uint total = tokens * hidden;
  for (uint n = halyard_invocation_index(); n < total; n += halyard_invocation_count()) {
    uint token = n / hidden;
    uint i = n % hidden;
    int id = ids[token];
    uint row = uint(id) - vocab_begin;
    if (id >= 0 && row < vocab) {
      y[token * y_stride + i] = table[row * hidden + i];
    } else if (vocab_begin == 0) {
      y[token * y_stride + i] = HALYARD_T(0);
    }
  }
}
