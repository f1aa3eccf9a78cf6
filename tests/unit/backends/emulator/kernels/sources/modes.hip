// SPDX-License-Identifier: Apache-2.0
// Arithmetic whose rounding the running program chooses.
#include "device.h"

template <int kMode>
DEVICE void round_as(const float* x, const float* y, float* out) {
  const u32 i = global_x(64);
  out[i * 16 + kMode * 4] = in_mode<kMode>(x[i], y[i], [](float a, float b) { return a + b; });
  out[i * 16 + kMode * 4 + 1] = in_mode<kMode>(x[i], y[i], [](float a, float b) { return a - b; });
  out[i * 16 + kMode * 4 + 2] = in_mode<kMode>(x[i], y[i], [](float a, float b) { return a * b; });
  out[i * 16 + kMode * 4 + 3] = in_mode<kMode>(
      x[i], y[i], [](float a, float b) { return __builtin_fmaf(a, b, a); });
}

KERNEL mode_rounding(const float* x, const float* y, float* out) {
  round_as<0>(x, y, out);
  round_as<1>(x, y, out);
  round_as<2>(x, y, out);
  round_as<3>(x, y, out);
}
EXPORT(mode_rounding)
