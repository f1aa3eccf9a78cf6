// SPDX-License-Identifier: Apache-2.0
// What layers of networks compute.
#include "device.h"

DEVICE float exp_of(float x) {
  return fast_exp2(x * 1.44269504F);
}

KERNEL gelu(const float* x, float* out) {
  const u32 i = global_x(64);
  const float v = x[i];
  const float inner = 0.7978845608F * __builtin_fmaf(0.044715F * v * v, v, v);
  const float e = exp_of(2 * inner);
  out[i] = 0.5F * v * (1 + (e - 1) / (e + 1));
}
EXPORT(gelu)

KERNEL silu(const f16* x, f16* out) {
  const u32 i = global_x(64);
  const float v = static_cast<float>(x[i]);
  out[i] = static_cast<f16>(v * fast_rcp(1 + exp_of(-v)));
}
EXPORT(silu)

// Pairs of a head of 64 numbers, turned by the position.
KERNEL rope(const float* x, float* out, u32 first_position) {
  const u32 pair = thread_x();
  const u32 position = first_position + block_x();
  const float exponent = static_cast<float>(pair) * (-2.0F / 64) * 13.28771238F;
  const float turns = static_cast<float>(position) * fast_exp2(exponent) * 0.15915494F;
  const float sine = fast_sin(fraction(turns));
  const float cosine = fast_cos(fraction(turns));
  const float a = x[block_x() * 64 + 2 * pair];
  const float b = x[block_x() * 64 + 2 * pair + 1];
  out[block_x() * 64 + 2 * pair] = a * cosine - b * sine;
  out[block_x() * 64 + 2 * pair + 1] = __builtin_fmaf(a, sine, b * cosine);
}
EXPORT(rope)

DEVICE float block_sum(float value, float* tile) {
  const u32 i = thread_x();
  tile[i] = value;
  barrier();
  for (u32 half = 64; half != 0; half >>= 1) {
    if (i < half) tile[i] += tile[i + half];
    barrier();
  }
  const float sum = tile[0];
  barrier();
  return sum;
}

KERNEL softmax_row(const float* x, float* out, u32 columns) {
  SHARED float tile[128];
  const float* const row = x + block_x() * columns;
  float most = -__builtin_huge_valf();
  for (u32 c = thread_x(); c < columns; c += 128) most = __builtin_fmaxf(most, row[c]);
  tile[thread_x()] = most;
  barrier();
  for (u32 half = 64; half != 0; half >>= 1) {
    if (thread_x() < half) {
      tile[thread_x()] = __builtin_fmaxf(tile[thread_x()], tile[thread_x() + half]);
    }
    barrier();
  }
  most = tile[0];
  barrier();
  float sum = 0;
  for (u32 c = thread_x(); c < columns; c += 128) sum += exp_of(row[c] - most);
  sum = block_sum(sum, tile);
  for (u32 c = thread_x(); c < columns; c += 128) {
    out[block_x() * columns + c] = exp_of(row[c] - most) / sum;
  }
}
EXPORT(softmax_row)

KERNEL layer_norm(const f16* x, const float* weight, const float* bias, f16* out) {
  SHARED float tile[128];
  const u32 i = thread_x();
  const float a = static_cast<float>(x[block_x() * 256 + i]);
  const float b = static_cast<float>(x[block_x() * 256 + 128 + i]);
  const float mean = block_sum(a + b, tile) * (1.0F / 256);
  const float from_a = a - mean;
  const float from_b = b - mean;
  const float variance =
      block_sum(__builtin_fmaf(from_a, from_a, from_b * from_b), tile) * (1.0F / 256);
  const float scale = 1 / __builtin_sqrtf(variance + 1e-5F);
  out[block_x() * 256 + i] = static_cast<f16>(__builtin_fmaf(from_a * scale, weight[i], bias[i]));
  out[block_x() * 256 + 128 + i] =
      static_cast<f16>(__builtin_fmaf(from_b * scale, weight[128 + i], bias[128 + i]));
}
EXPORT(layer_norm)

KERNEL rms_norm_rsq(const float* x, float* out) {
  SHARED float tile[128];
  const float v = x[global_x(128)];
  const float mean = block_sum(v * v, tile) * (1.0F / 128);
  out[global_x(128)] = v * fast_rsq(mean + 1e-6F);
}
EXPORT(rms_norm_rsq)

// Correctly rounded quotients and roots, and logarithms.
KERNEL float_functions(const float* a, const float* b, float* out, float* logarithms) {
  const u32 i = global_x(64);
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = __builtin_sqrtf(__builtin_fabsf(b[i]));
  out[4 * i + 2] = a[i] == a[i] && b[i] == b[i] ? median(a[i], b[i], 1.0F) : 0;
  out[4 * i + 3] = __builtin_rintf(a[i]) + __builtin_floorf(b[i]) * __builtin_truncf(a[i]);
  logarithms[i] = fast_log2(__builtin_fabsf(a[i]) + 0.01F);
}
EXPORT(float_functions)
