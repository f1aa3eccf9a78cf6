// SPDX-License-Identifier: Apache-2.0
// Numbers of 8 bits: without negative zero on gfx942, as OCP has them on gfx1201.
#include "device.h"

KERNEL fp8_decode(float* out, float* out_wide) {
  const u32 i = global_x(64);
  out[i] = decode_fp8(i);
  out_wide[i] = decode_bf8(i);
}
EXPORT(fp8_decode)

KERNEL fp8_encode(const float* x, u16* out, u16* out_wide) {
  const u32 i = global_x(64);
  out[i] = static_cast<u16>(encode_fp8_pair(x[2 * i], x[2 * i + 1]));
  out_wide[i] = static_cast<u16>(encode_bf8_pair(x[2 * i], x[2 * i + 1]));
}
EXPORT(fp8_encode)

KERNEL gemv_fp8(const u32* weights, const float* x, float* out) {
  const u32 row = global_x(64);
  float sum = 0;
  for (u32 k = 0; k < 8; ++k) {
    const u32 word = weights[row * 8 + k];
    sum = __builtin_fmaf(decode_fp8(word), x[4 * k], sum);
    sum = __builtin_fmaf(decode_fp8(word >> 8 & 255), x[4 * k + 1], sum);
    const Vector<float, 2> high = decode_fp8_pair_high(word);
    sum = __builtin_fmaf(high.x, x[4 * k + 2], sum);
    sum = __builtin_fmaf(high.y, x[4 * k + 3], sum);
  }
  out[row] = sum;
}
EXPORT(gemv_fp8)
