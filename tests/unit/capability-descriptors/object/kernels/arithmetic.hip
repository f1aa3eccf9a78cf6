// SPDX-License-Identifier: Apache-2.0
// Numbers of every kind and size.
#include "device.h"

KERNEL doubles(double* y, const double* x, double a) {
  const double v = x[global_x()];
  double r = __builtin_fma(v, a, 0.5) / (v + 3.25);
  r = __builtin_fmin(r, __builtin_sqrt(__builtin_fabs(v))) - 4.0;
  r = v > 1.0 ? r * -2.0 : __builtin_floor(r) + __builtin_trunc(v) + __builtin_rint(a);
  r += __builtin_amdgcn_ldexp(v, 3) + __builtin_amdgcn_frexp_mant(v) + __builtin_amdgcn_rcp(a);
  y[global_x()] = r + double(float(v)) + double(int(v)) + double(u32(a));
}

KERNEL floats(float* y, const float* x, float a) {
  const float v = x[global_x()];
  float r = v / a;
  r += __builtin_amdgcn_sinf(v) * __builtin_amdgcn_cosf(-v) -
       __builtin_amdgcn_logf(__builtin_fabsf(v));
  r = __builtin_amdgcn_fmed3f(r, 0.0f, 1.0f) * 0.15915494f;
  r += __builtin_amdgcn_ldexpf(v, 7) + __builtin_amdgcn_fractf(r) + __builtin_floorf(v);
  r += __builtin_amdgcn_cubema(v, r, a);
  r = __builtin_copysignf(r, v) + (__builtin_isnan(v) ? 1.0f : -0.25f) + __builtin_rintf(a);
  r += __builtin_amdgcn_classf(v, 0x1f8) ? 2.0f : 12345.678f;
  r = __builtin_fminf(__builtin_fmaxf(r * 2.0f, v * 0.5f), 1e-30f) + float(int(v)) + float(u32(a));
  y[global_x()] = __builtin_amdgcn_rsqf(r) + __builtin_sqrtf(v);
}

KERNEL halves(f16* y, const f16* x, f16 a, short* s, const short* t) {
  const f16 v = x[global_x()];
  f16 r = v * a + f16(1.0);
  r = __builtin_fabsf16(r) / (v - f16(0.333));
  r += __builtin_sqrtf16(v) + __builtin_amdgcn_rcph(a) + __builtin_floorf16(v);
  r = r > f16(4.0) ? r : -v;
  y[global_x()] = r + f16(int(t[0])) + __builtin_fmaf16(v, a, r);
  short n = t[global_x()];
  n = short(n * 3 + (n >> 2)) ^ short(n << 1);
  s[global_x()] = n > 77 ? n : short(-n);
}

KERNEL packed(Vector<f16, 4>* y, const Vector<f16, 4>* x, Vector<short, 4>* s,
              const Vector<short, 4>* t, Vector<u16, 2> u) {
  const auto v = x[global_x()];
  auto r = v * v.yxwz + v.xxzz * f16(-1.0);
  r = __builtin_elementwise_min(r, __builtin_elementwise_fma(v, v.wzyx, r));
  y[global_x()] = r - Vector<f16, 4>{1, 2, 3, 4};
  auto n = t[global_x()];
  n = n * n.yyww + (n << 2) - __builtin_elementwise_max(n, n.yxwz);
  n.xy = n.xy >> 3;
  s[global_x()] = n + Vector<short, 4>{short(u.x), short(u.y), -16, 64};
}

KERNEL packed_floats(Vector<float, 2>* y, const Vector<float, 2>* x, Vector<float, 2> a) {
  auto v = x[global_x()];
  v = __builtin_elementwise_fma(v, a, v.yx) * v + a.yx;
  v = v * -v.yx + 1.0f;
  y[global_x()] = v - a * 2.0f;
}

KERNEL integers(int* y, const int* x, u32 a, u32 b) {
  const int v = x[global_x()];
  int r = v / int(a) + v % int(b) + int(u32(v) / a) + int(u32(v) % b);
  r += __builtin_clz(v) + __builtin_ctz(v) + __builtin_popcount(v) + int(__builtin_bitreverse32(v));
  r ^= int(__builtin_amdgcn_ubfe(v, 3, 7)) + int(__builtin_amdgcn_sbfe(v, 8, 8));
  r += int(__builtin_amdgcn_alignbit(v, a, 5)) + int(__builtin_amdgcn_perm(v, a, 0x03020100));
  r = (r & 0xff) | (v & ~0xff00) | (v << 3);
  r += int(__builtin_amdgcn_sad_u8(v, a, b)) + int(__builtin_amdgcn_lerp(v, a, b));
  r = r > 1000000 ? r * 12345 : (r << 5) + v;
  r = __builtin_elementwise_min(__builtin_elementwise_max(r, -64), 0x7fff) - 17;
  y[global_x()] = __builtin_elementwise_add_sat(r, v) + int((v & 0xffffff) * (a & 0xffffff));
}

KERNEL scalars(int* y, const int* x, int a, int b, i64 c, i64 d) {
  int r = (a & ~b) + (a << 3) + (b >> a) - int(u32(a) >> 5);
  r += __builtin_popcountll(c) + __builtin_ctzll(d) + __builtin_clz(a) + (a < b ? a : b);
  r += int((i64{a} * b) >> 32) + __builtin_abs(a) + (c == d ? 5 : 1234567);
  r ^= int(c * d >> 17) + int(c - d) + int(c >> (b & 63)) + short(a) + (b & 0xffff);
  for (int i = 0; i < a; i += 3)
    r = r * x[i] + x[i + 1];
  r += a > 100 && b != 3 ? x[c] : x[d & 15];
  y[group_x()] = r + __builtin_bitreverse32(r) + (~a ^ b);
}

KERNEL longs(i64* y, const i64* x, i64 a, u64 b) {
  const i64 v = x[global_x()];
  i64 r = v * a + (v << 7) - i64(u64(v) >> (b & 31)) + (v >> 3);
  r += v > a ? i64(b) : -v;
  r ^= i64(u64(v) / 10) + v % 1000;
  r += i64(double(v)) + i64(float(a)) + __builtin_popcountll(v);
  y[global_x()] = r & 0x1234567890abcdef;
}

KERNEL dot_products(int* y, const int* a, const int* b, float* f, const Vector<f16, 2>* h) {
  const int left = a[global_x()], right = b[global_x()];
#if defined(__gfx942__)
  int sum = __builtin_amdgcn_sdot4(left, right, 7, false);
  sum = __builtin_amdgcn_sdot8(left, right, sum, true);
  sum = __builtin_amdgcn_sdot2(__builtin_bit_cast(Vector<short, 2>, left),
                               __builtin_bit_cast(Vector<short, 2>, right), sum, false);
#else
  int sum = __builtin_amdgcn_sudot4(true, left, false, right, 7, false);
  sum = __builtin_amdgcn_sudot8(false, left, true, right, sum, true);
#endif
  y[global_x()] = int(__builtin_amdgcn_udot4(left, right, sum, true)) +
                  int(__builtin_amdgcn_udot8(left, right, sum, false));
  f[global_x()] = __builtin_amdgcn_fdot2(h[0], h[1], 1.0f, false);
}

KERNEL conversions(u32* y, const float* x, u8* bytes, f16* h) {
  const float v = x[global_x()];
  u32 r = __builtin_amdgcn_cvt_pk_u8_f32(v, 2, 5);
  r += __builtin_bit_cast(u32, __builtin_amdgcn_cvt_pkrtz(v, -v));
  r += __builtin_bit_cast(u32, __builtin_amdgcn_cvt_pk_i16(int(v), 5));
#if !defined(__gfx1100__)
  r = __builtin_amdgcn_cvt_pk_fp8_f32(v, 2.0f, r, true);
  r += u32(__builtin_amdgcn_cvt_f32_bf8(r, 2));
#endif
  r += u32(float(bytes[0])) + u32(float(u8(r >> 8))) + u32(float(u8(r >> 24)));
  y[global_x()] = r;
  bytes[global_x() + 1] = u8(v);
  h[global_x()] = f16(v) + f16(float(h[5]) * 0.5f);
}
