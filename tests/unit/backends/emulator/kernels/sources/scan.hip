// SPDX-License-Identifier: Apache-2.0
// Running sums.
#include "device.h"

KERNEL scan_inclusive(const u32* x, u32* out) {
  SHARED u32 tile[2][256];
  const u32 i = thread_x();
  u32 from = 0;
  tile[0][i] = x[global_x(256)];
  barrier();
  for (u32 step = 1; step < 256; step <<= 1) {
    tile[from ^ 1][i] = i >= step ? tile[from][i] + tile[from][i - step] : tile[from][i];
    from ^= 1;
    barrier();
  }
  out[global_x(256)] = tile[from][i];
}
EXPORT(scan_inclusive)

KERNEL scan_exclusive(const i32* x, i32* out) {
  SHARED i32 tile[256];
  const u32 i = thread_x();
  tile[i] = x[global_x(256)];
  barrier();
  for (u32 step = 1; step < 256; step <<= 1) {
    const u32 at = (i + 1) * step * 2 - 1;
    if (at < 256) tile[at] += tile[at - step];
    barrier();
  }
  if (i == 0) tile[255] = 0;
  barrier();
  for (u32 step = 128; step != 0; step >>= 1) {
    const u32 at = (i + 1) * step * 2 - 1;
    if (at < 256) {
      const i32 left = tile[at - step];
      tile[at - step] = tile[at];
      tile[at] += left;
    }
    barrier();
  }
  out[global_x(256)] = tile[i];
}
EXPORT(scan_exclusive)

KERNEL scan_wave(const float* x, float* out) {
  float sum = x[global_x(128)];
  for (u32 step = 1; step < lane_count(); step <<= 1) {
    const float left = shuffle_float(sum, lane() - step);
    if (lane() >= step) sum += left;
  }
  out[global_x(128)] = sum;
}
EXPORT(scan_wave)

KERNEL scan_row(const u32* x, u32* out) {
  u32 sum = x[global_x(64)];
  sum += dpp<0x111, 15, 15, true>(0, sum);
  sum += dpp<0x112, 15, 15, true>(0, sum);
  sum += dpp<0x114, 15, 15, true>(0, sum);
  sum += dpp<0x118, 15, 15, true>(0, sum);
  out[global_x(64)] = sum;
}
EXPORT(scan_row)

// Keeps the odd values, in order.
KERNEL scan_compact(const u32* x, u32* out, u32* count) {
  SHARED u32 counts[4];
  const u32 value = x[thread_x()];
  const u64 kept = ballot((value & 1) != 0);
  const u32 wave = thread_x() / lane_count();
  if (lane() == 0) counts[wave] = static_cast<u32>(__builtin_popcountl(kept));
  barrier();
  u32 before = static_cast<u32>(__builtin_popcountl(kept & ((1UL << lane()) - 1)));
  u32 total = 0;
  for (u32 w = 0; w < 128 / lane_count(); ++w) {
    if (w < wave) before += counts[w];
    total += counts[w];
  }
  if ((value & 1) != 0) out[before] = value;
  if (thread_x() == 0) *count = total;
}
EXPORT(scan_compact)
