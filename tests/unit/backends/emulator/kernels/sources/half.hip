// SPDX-License-Identifier: Apache-2.0
// Floats of 16 bits.
#include "device.h"

using Pair = Vector<f16, 2>;

KERNEL half_packed(const Pair* a, const Pair* b, Pair* out) {
  const u32 i = global_x(64);
  const Pair x = a[i];
  const Pair y = b[i];
  out[8 * i] = x + y;
  out[8 * i + 1] = x - y;
  out[8 * i + 2] = x * y;
  out[8 * i + 3] = fused(x, y, x);
  out[8 * i + 4] = larger(x, y);
  out[8 * i + 5] = smaller(x, y);
  out[8 * i + 6] = fused(-x, y.yx, y);
  out[8 * i + 7] = x * y.xx + x.yy;
}
EXPORT(half_packed)

KERNEL half_scalar(const f16* a, const f16* b, f16* out, float* wide) {
  const u32 i = global_x(64);
  const f16 x = a[i];
  const f16 y = b[i];
  out[8 * i] = x > y ? y : x;
  out[8 * i + 1] = __builtin_elementwise_sqrt(__builtin_elementwise_abs(x));
  out[8 * i + 2] = __builtin_elementwise_floor(y);
  out[8 * i + 3] = __builtin_elementwise_rint(x);
  out[8 * i + 4] = static_cast<f16>(static_cast<float>(x) * 3.0F + static_cast<float>(y));
  out[8 * i + 5] = x < y ? x : static_cast<f16>(1);
  out[8 * i + 6] = static_cast<f16>(static_cast<i16>(i * 3));
  out[8 * i + 7] = static_cast<f16>(x * y + x);
  wide[2 * i] = __builtin_fmaf(static_cast<float>(x), static_cast<float>(y), 0.125F);
  wide[2 * i + 1] = static_cast<float>(static_cast<i32>(x) + static_cast<i32>(static_cast<u16>(i)));
}
EXPORT(half_scalar)

KERNEL half_divide(const f16* a, const f16* b, f16* out) {
  const u32 i = global_x(64);
  out[i] = static_cast<f16>(a[i] / b[i]);
}
EXPORT(half_divide)

KERNEL half_dot(const Pair* a, const Pair* b, float* out) {
  const u32 i = global_x(64);
  float sum = 0;
  for (u32 k = 0; k < 4; ++k) sum = dot_of_halves(a[4 * i + k], b[4 * i + k], sum);
  out[i] = sum;
}
EXPORT(half_dot)

KERNEL bfloat_axpy(const bf16* x, u16* y, const float* scale) {
  const u32 i = global_x(64);
  const float old = bits_to<float>(u32{y[i]} << 16);
  y[i] = bf16_bits(__builtin_fmaf(*scale, as_float(x[i]), old));
}
EXPORT(bfloat_axpy)

// Every number of 16 bits to 32 and back, and as whole numbers.
KERNEL half_exhaustive(float* wide, f16* back, float* from_bfloat) {
  const u32 i = global_x(256);
  const f16 x = bits_to<f16>(static_cast<u16>(i));
  const float v = static_cast<float>(x);
  wide[i] = v;
  back[i] = static_cast<f16>(bits_to<float>(bits_to<u32>(v) ^ (i & 1)));
  from_bfloat[i] = bits_to<float>(i << 16);
}
EXPORT(half_exhaustive)

// Numbers of 32 bits around those of 16.
KERNEL half_narrow(const float* x, f16* out, u16* bfloats) {
  const u32 i = global_x(256);
  out[i] = static_cast<f16>(x[i]);
  bfloats[i] = bfloat_of(x[i]);
}
EXPORT(half_narrow)
