// SPDX-License-Identifier: Apache-2.0
// Sums and maxima over lanes, groups and rows; normalisation.
#include "device.h"

#if defined(__gfx942__)
constexpr u32 kLanes = 64;
#else
constexpr u32 kLanes = 32;
#endif

DEVICE float lane_sum(float x) {
  for (u32 step = kLanes / 2; step != 0; step /= 2) {
    const int other =
        __builtin_amdgcn_ds_bpermute((lane_x() ^ step) * 4, __builtin_bit_cast(int, x));
    x += __builtin_bit_cast(float, other);
  }
  return x;
}

KERNEL softmax(float* y, const float* x, u32 n) {
  SHARED static float partial[8];
  const float* row = x + group_x() * n;
  float most = -__builtin_inff();
  for (u32 i = lane_x(); i < n; i += 256)
    most = __builtin_fmaxf(most, row[i]);
  float sum = 0;
  for (u32 i = lane_x(); i < n; i += 256)
    sum += __builtin_amdgcn_exp2f((row[i] - most) * 1.442695f);
  partial[lane_x() / kLanes] = lane_sum(sum);
  barrier();
  sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += partial[i];
  for (u32 i = lane_x(); i < n; i += 256) {
    y[group_x() * n + i] = __builtin_amdgcn_exp2f((row[i] - most) * 1.442695f) / sum;
  }
}

KERNEL rms_norm(bf16* y, const bf16* x, const bf16* w, u32 n, float epsilon) {
  float sum = 0;
  for (u32 i = lane_x(); i < n; i += kLanes) {
    const float value = from_bf16(x[group_x() * n + i]);
    sum += value * value;
  }
  const float scale = 1.0f / __builtin_sqrtf(lane_sum(sum) / n + epsilon);
  for (u32 i = lane_x(); i < n; i += kLanes) {
    y[group_x() * n + i] = bf16(from_bf16(x[group_x() * n + i]) * scale * from_bf16(w[i]));
  }
}

KERNEL sum_by_row_shifts(float* y, const float* x) {
  int value = __builtin_bit_cast(int, x[lane_x()]);
#define STEP(control)                         \
  value = __builtin_bit_cast(                 \
      int, __builtin_bit_cast(float, value) + \
               __builtin_bit_cast(float,      \
                                  __builtin_amdgcn_update_dpp(0, value, control, 0xf, 0xf, true)))
  STEP(0x111);  // row_shr:1
  STEP(0x112);
  STEP(0x104);  // row_shl:4
  STEP(0x121);  // row_ror:1
  STEP(0x140);  // row_mirror
  STEP(0x141);  // row_half_mirror
  STEP(0xb1);   // quad_perm
  STEP(0x4e);
#if defined(__gfx942__)
  STEP(0x130);  // wave_shl:1
  STEP(0x142);  // row_bcast:15
  STEP(0x143);
  STEP(0x155);  // row_newbcast:5
#else
  STEP(0x153);  // row_share:3
  STEP(0x161);  // row_xmask:1
  value += __builtin_amdgcn_mov_dpp8(value, 0x6db688);
  value += __builtin_amdgcn_permlanex16(value, value, 0x76543210, 0xfedcba98, true, false);
  value += __builtin_amdgcn_permlane16(value, value, 1, 2, false, true);
#endif
#undef STEP
  value += __builtin_amdgcn_update_dpp(value, value, 0x101, 0xa, 0x5, false);
  y[lane_x()] = __builtin_bit_cast(float, value);
}

KERNEL lane_exchange(int* y, const int* x) {
  int value = x[lane_x()];
  value += __builtin_amdgcn_ds_swizzle(value, 0x401f);
  value ^= __builtin_amdgcn_ds_swizzle(value, 0x8055);
  value += __builtin_amdgcn_readlane(value, 5);
  value -= __builtin_amdgcn_readfirstlane(value);
  __asm__("v_writelane_b32 %0, 7, 3" : "+v"(value));
  value += __builtin_amdgcn_mbcnt_lo(~0u, 0);
  value += __builtin_popcountll(__builtin_amdgcn_sicmp(value, 100, 38));
  value += __builtin_amdgcn_ds_permute(value * 4, value);
  y[lane_x()] = value;
}

KERNEL argmax(u64* best, const float* x, u32 n) {
  float most = -1e30f;
  u32 where = 0;
  for (u32 i = global_x(); i < n; i += 65536) {
    if (x[i] > most) {
      most = x[i];
      where = i;
    }
  }
  const u64 key = u64{__builtin_bit_cast(u32, most)} << 32 | where;
  __hip_atomic_fetch_max(best, key, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
