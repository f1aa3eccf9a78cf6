// SPDX-License-Identifier: Apache-2.0
// Products of matrices: plain, tiled in LDS, blocked in registers, packed, and by matrix units.
#include "device.h"

KERNEL gemm_plain(float* c, const float* a, const float* b, u32 m, u32 n, u32 k) {
  const u32 row = group_y() * 16 + lane_y();
  const u32 column = group_x() * 16 + lane_x();
  if (row >= m || column >= n) return;
  float sum = 0;
  for (u32 i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

template <typename T>
DEVICE void gemm_tiled(T* c, const T* a, const T* b, u32 n) {
  SHARED static T tile_a[16][17];
  SHARED static T tile_b[16][17];
  const u32 x = lane_x(), y = lane_y();
  T sum = 0;
  for (u32 t = 0; t < n; t += 16) {
    tile_a[y][x] = a[(group_y() * 16 + y) * n + t + x];
    tile_b[y][x] = b[(t + y) * n + group_x() * 16 + x];
    barrier();
    for (int i = 0; i < 16; ++i)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier();
  }
  c[(group_y() * 16 + y) * n + group_x() * 16 + x] = sum;
}
KERNEL gemm_tiled_f32(float* c, const float* a, const float* b, u32 n) {
  gemm_tiled(c, a, b, n);
}
KERNEL gemm_tiled_f64(double* c, const double* a, const double* b, u32 n) {
  gemm_tiled(c, a, b, n);
}
KERNEL gemm_tiled_f16(f16* c, const f16* a, const f16* b, u32 n) {
  gemm_tiled(c, a, b, n);
}
KERNEL gemm_tiled_i32(int* c, const int* a, const int* b, u32 n) {
  gemm_tiled(c, a, b, n);
}

KERNEL gemm_blocked(float* c, const float* a, const float* b, u32 n) {
  float sums[8][8] = {};
  const u32 row = group_y() * 128 + lane_y() * 8;
  const u32 column = group_x() * 128 + lane_x() * 8;
  for (u32 k = 0; k < n; ++k) {
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        sums[i][j] += a[(row + i) * n + k] * b[k * n + column + j];
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[(row + i) * n + column + j] = sums[i][j];
}

KERNEL gemv_packed_f16(Vector<f16, 2>* y, const Vector<f16, 2>* a, const Vector<f16, 2>* x, u32 n) {
  Vector<f16, 2> sum = 0, extra = 1;
  for (u32 i = 0; i < n; ++i) {
    const Vector<f16, 2> left = a[global_x() * n + i];
    sum = __builtin_elementwise_fma(left, x[i], sum);
    sum = __builtin_elementwise_max(sum, -left * extra);
    extra += left.yx;
  }
  y[global_x()] = sum - extra;
}

#if defined(__gfx1100__)
using Half = Vector<f16, 16>;
using Bytes = Vector<int, 4>;
using Shorts = Vector<short, 16>;
#else
using Half = Vector<f16, 8>;
using Bytes = Vector<int, 2>;
using Shorts = Vector<short, 8>;
#endif

KERNEL matrix_unit_f16(Vector<float, 8>* c, const Half* a, const Half* b, u32 n) {
#if defined(__gfx1100__)
  Vector<float, 8> sum = 0;
  for (u32 i = 0; i < n; ++i) {
    sum =
        __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a[i * 32 + lane_x()], b[i * 32 + lane_x()], sum);
  }
  c[lane_x()] = sum;
#elif defined(__gfx1201__)
  Vector<float, 8> sum = 0;
  for (u32 i = 0; i < n; ++i) {
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a[i * 32 + lane_x()],
                                                           b[i * 32 + lane_x()], sum);
  }
  c[lane_x()] = sum;
#else
  const auto* a4 = reinterpret_cast<const Vector<f16, 4>*>(a);
  const auto* b4 = reinterpret_cast<const Vector<f16, 4>*>(b);
  Vector<float, 4> sum = 0;
  Vector<float, 16> wide = 1;
  for (u32 i = 0; i < n; ++i) {
    const auto left = a4[i * 64 + lane_x()], right = b4[i * 64 + lane_x()];
    sum = __builtin_amdgcn_mfma_f32_16x16x16f16(left, right, sum, 0, 0, 0);
    wide = __builtin_amdgcn_mfma_f32_32x32x8f16(left, right, wide, 1, 2, 3);
  }
  auto* out = reinterpret_cast<float*>(c);
  for (int i = 0; i < 4; ++i)
    out[lane_x() * 20 + i] = sum[i];
  for (int i = 0; i < 16; ++i)
    out[lane_x() * 20 + 4 + i] = wide[i];
#endif
}

KERNEL matrix_unit_others(int* c, const Bytes* a, const Bytes* b, const Shorts* h, double* d) {
#if defined(__gfx1100__)
  Vector<int, 8> sum = 0;
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, a[0], false, b[0], sum, true);
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(false, a[1], true, b[1], sum, false);
  Vector<float, 8> wide = 0;
  wide = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(h[0], h[1], wide);
  Shorts narrow = h[2];
  narrow = __builtin_amdgcn_wmma_bf16_16x16x16_bf16_w32(h[0], h[1], narrow, true);
  for (int i = 0; i < 8; ++i)
    c[lane_x() * 8 + i] = sum[i] + int(wide[i]) + narrow[i];
#elif defined(__gfx1201__)
  Vector<int, 8> sum = 0;
  sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, a[0], false, b[0], sum, true);
  Vector<float, 8> wide = 0;
  wide = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(h[0], h[1], wide);
  wide = __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w32_gfx12(a[2], b[2], wide);
  for (int i = 0; i < 8; ++i)
    c[lane_x() * 8 + i] = sum[i] + int(wide[i]);
#else
  const auto* a8 = reinterpret_cast<const long*>(a);
  const auto* b8 = reinterpret_cast<const long*>(b);
  Vector<int, 4> sum = 0;
  sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(a8[0], b8[0], sum, 0, 0, 0);
  Vector<float, 4> wide = 0;
  wide = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(a8[1], b8[1], wide, 0, 0, 0);
  wide = __builtin_amdgcn_mfma_f32_16x16x8_xf32(Vector<float, 2>{1, 2}, Vector<float, 2>{3, 4},
                                                wide, 0, 0, 0);
  Vector<double, 4> doubles = 0;
  doubles = __builtin_amdgcn_mfma_f64_16x16x4f64(d[0], d[1], doubles, 0, 0, 0);
  for (int i = 0; i < 4; ++i)
    c[lane_x() * 4 + i] = sum[i] + int(wide[i]);
  for (int i = 0; i < 4; ++i)
    d[lane_x() * 4 + i] = doubles[i];
#endif
}
