// SPDX-License-Identifier: Apache-2.0
// y[i] = x[i] * factor + addend, for i below count. The factor is a value, the addend a constant.
#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const float kAddend = 0.0;
layout(constant_id = 2) const bool kNegates = false;
layout(set = 0, binding = 0) readonly buffer Source { float x[]; };
layout(set = 0, binding = 3) buffer Destination { float y[]; };
layout(push_constant) uniform Values {
  float factor;
  uint count;
};
void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < count) y[i] = (kNegates ? -x[i] : x[i]) * factor + kAddend;
}
