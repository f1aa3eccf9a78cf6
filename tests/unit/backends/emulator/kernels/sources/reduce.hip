// SPDX-License-Identifier: Apache-2.0
// Sums and maxima in each of the ways that kernels make them.
#include "device.h"

KERNEL reduce_tree(const float* x, float* sums) {
  SHARED float tile[256];
  const u32 i = thread_x();
  tile[i] = x[global_x(256)];
  barrier();
  for (u32 half = 128; half != 0; half >>= 1) {
    if (i < half) tile[i] += tile[i + half];
    barrier();
  }
  if (i == 0) sums[block_x()] = tile[0];
}
EXPORT(reduce_tree)

KERNEL reduce_shuffle(const float* x, float* sums) {
  SHARED float partial[8];
  float sum = x[global_x(256)];
  for (u32 step = lane_count() / 2; step != 0; step >>= 1) sum += shuffle_float(sum, lane() ^ step);
  const u32 wave = thread_x() / lane_count();
  if (lane() == 0) partial[wave] = sum;
  barrier();
  if (thread_x() == 0) {
    float total = 0;
    for (u32 w = 0; w < 256 / lane_count(); ++w) total += partial[w];
    sums[block_x()] = total;
  }
}
EXPORT(reduce_shuffle)

KERNEL reduce_atomic(const u32* x, u32* sum, i32* most, u32* least) {
  const u32 value = x[global_x(256)];
  atomic_add(sum, value >> 8);
  atomic_max(most, static_cast<i32>(value));
  atomic_min(least, value);
}
EXPORT(reduce_atomic)

// Sums of 16 lanes by DPP, which then meet through v_readlane.
KERNEL reduce_dpp(const u32* x, u32* sums) {
  u32 sum = x[global_x(64)];
  sum += dpp<0xb1>(0, sum);   // quad_perm 1,0,3,2
  sum += dpp<0x4e>(0, sum);   // quad_perm 2,3,0,1
  sum += dpp<0x141>(0, sum);  // row_half_mirror
  sum += dpp<0x140>(0, sum);  // row_mirror
  u32 total = read_lane(sum, 0) + read_lane(sum, 16);
  if (lane_count() == 64) total += read_lane(sum, 32) + read_lane(sum, 48);
  sums[global_x(64)] = total;
}
EXPORT(reduce_dpp)

// The last workgroup to arrive adds the sums of all.
KERNEL reduce_last_block(const float* x, float* partial, u32* arrived, float* out) {
  SHARED float tile[64];
  SHARED u32 ticket;
  const u32 i = thread_x();
  const u32 blocks = grid_size_x() / block_size_x();
  tile[i] = x[global_x(64)];
  barrier();
  if (i == 0) {
    float sum = 0;
    for (u32 k = 0; k < 64; ++k) sum += tile[k];
    partial[block_x()] = sum;
    fence_release();
    ticket = atomic_add(arrived, 1U);
    fence_acquire();
  }
  barrier();
  if (ticket == blocks - 1 && i == 0) {
    float total = 0;
    for (u32 b = 0; b < blocks; ++b) total += atomic_load(&partial[b]);
    *out = total;
  }
}
EXPORT(reduce_last_block)

KERNEL reduce_argmax(const float* x, u32* where) {
  SHARED float best[128];
  SHARED u32 at[128];
  const u32 i = thread_x();
  best[i] = x[global_x(128)];
  at[i] = i;
  barrier();
  for (u32 half = 64; half != 0; half >>= 1) {
    if (i < half) {
      const float other = best[i + half];
      if (other > best[i] || (other == best[i] && at[i + half] < at[i])) {
        best[i] = other;
        at[i] = at[i + half];
      }
    }
    barrier();
  }
  if (i == 0) where[block_x()] = at[0];
}
EXPORT(reduce_argmax)
