// SPDX-License-Identifier: Apache-2.0
// Arithmetic of 64-bit floats.
#include "device.h"

KERNEL double_dot(const double* a, const double* b, double* out) {
  SHARED double tile[64];
  const u32 i = thread_x();
  double sum = 0;
  for (u32 k = 0; k < 4; ++k) {
    sum = __builtin_fma(a[block_x() * 256 + k * 64 + i], b[block_x() * 256 + k * 64 + i], sum);
  }
  tile[i] = sum;
  barrier();
  for (u32 half = 32; half != 0; half >>= 1) {
    if (i < half) tile[i] += tile[i + half];
    barrier();
  }
  if (i == 0) out[block_x()] = tile[0];
}
EXPORT(double_dot)

KERNEL double_polynomial(const double* x, double* out) {
  const double v = x[global_x(64)];
  double sum = 1.0 / 40320;
  const double factors[] = {-1.0 / 720, 1.0 / 24, -0.5, 1.0};
  for (const double factor : factors) sum = sum * v * v + factor;
  out[global_x(64)] = sum;
}
EXPORT(double_polynomial)

KERNEL double_divide(const double* a, const double* b, double* out) {
  const u32 i = global_x(64);
  out[i] = a[i] / b[i];
}
EXPORT(double_divide)

KERNEL double_root(const double* x, double* out) {
  const u32 i = global_x(64);
  out[i] = __builtin_sqrt(__builtin_fabs(x[i]));
}
EXPORT(double_root)

KERNEL double_round(const double* x, double* out, i32* whole, u32* flags) {
  const u32 i = global_x(64);
  const double v = x[i];
  out[4 * i] = __builtin_floor(v);
  out[4 * i + 1] = __builtin_ceil(v);
  out[4 * i + 2] = __builtin_rint(v);
  out[4 * i + 3] = __builtin_trunc(v) + static_cast<double>(static_cast<i32>(i) - 7) * 0.125;
  whole[i] = static_cast<i32>(v);
  flags[i] = (v < 0 ? 1U : 0) | (v >= 1 ? 2U : 0) | (v == 2 ? 4U : 0) | (v != v ? 8U : 0) |
             (__builtin_isinf(v) ? 16U : 0);
}
EXPORT(double_round)

KERNEL double_convert(const float* x, const u64* whole, double* out, float* narrow) {
  const u32 i = global_x(64);
  const double v = static_cast<double>(x[i]) * 1.1;
  out[4 * i] = v;
  out[4 * i + 1] = static_cast<double>(whole[i]);
  out[4 * i + 2] = static_cast<double>(static_cast<i64>(whole[i]));
  out[4 * i + 3] = __builtin_fmin(v, __builtin_fmax(-v, static_cast<double>(u32(whole[i]))));
  narrow[2 * i] = static_cast<float>(v);
  narrow[2 * i + 1] = static_cast<float>(static_cast<i64>(whole[i]));
}
EXPORT(double_convert)
