// SPDX-License-Identifier: Apache-2.0
// Weights of 4 and 8 bits.
#include "device.h"

// A row of 256 weights of 4 bits for each workgroup of 64; a scale and a zero for each 32.
KERNEL gemv_int4(const u32* weights, const f16* scales, const u8* zeros, const float* x,
                 float* out) {
  SHARED float tile[64];
  const u32 i = thread_x();
  float sum = 0;
  if (i < 32) {
    const u32 packed = weights[block_x() * 32 + i];
    const float scale = scales[block_x() * 8 + i / 4];
    const u32 zero = zeros[block_x() * 8 + i / 4] & 15;
    for (u32 k = 0; k < 8; ++k) {
      const i32 weight = static_cast<i32>(packed >> 4 * k & 15) - static_cast<i32>(zero);
      sum = __builtin_fmaf(scale * static_cast<float>(weight), x[i * 8 + k], sum);
    }
  }
  tile[i] = sum;
  barrier();
  for (u32 half = 32; half != 0; half >>= 1) {
    if (i < half) tile[i] += tile[i + half];
    barrier();
  }
  if (i == 0) out[block_x()] = tile[0];
}
EXPORT(gemv_int4)

KERNEL dot_int8(const u32* a, const u32* b, i32* sums, u32* unsigned_sums) {
  const u32 i = global_x(64);
  i32 sum = 0;
  u32 unsigned_sum = 0;
  for (u32 k = 0; k < 4; ++k) {
    sum = dot_of_bytes(a[i * 4 + k], b[i * 4 + k], sum);
    unsigned_sum = dot_of_unsigned_bytes(a[i * 4 + k], b[i * 4 + k], unsigned_sum);
  }
  sums[i] = sum;
  unsigned_sums[i] = unsigned_sum;
}
EXPORT(dot_int8)

KERNEL gemv_int8(const i8* weights, const i8* x, const float* scale, float* out, u32 columns) {
  const u32 row = global_x(64);
  i32 sum = 0;
  for (u32 k = 0; k < columns; ++k) sum += i32{weights[row * columns + k]} * i32{x[k]};
  out[row] = static_cast<float>(sum) * *scale;
}
EXPORT(gemv_int8)

// Eight numbers to signed bytes, to the nearest and within -127 to 127.
KERNEL quantize_int8(const float* x, u32* out, float* scales) {
  SHARED float most[64];
  const u32 i = thread_x();
  const float a = x[global_x(64) * 2];
  const float b = x[global_x(64) * 2 + 1];
  most[i] = __builtin_fmaxf(__builtin_fabsf(a), __builtin_fabsf(b));
  barrier();
  for (u32 half = 32; half != 0; half >>= 1) {
    if (i < half) most[i] = __builtin_fmaxf(most[i], most[i + half]);
    barrier();
  }
  const float scale = 127.0F / most[0];
  const i32 low = static_cast<i32>(__builtin_rintf(a * scale));
  const i32 high = static_cast<i32>(__builtin_rintf(b * scale));
  out[global_x(64)] = (static_cast<u32>(low) & 255) | (static_cast<u32>(high) & 255) << 8;
  if (i == 0) scales[block_x()] = most[0] / 127.0F;
}
EXPORT(quantize_int8)
