// SPDX-License-Identifier: Apache-2.0
// Orders numbers.
#include "device.h"

KERNEL sort_bitonic(u32* x) {
  SHARED u32 tile[256];
  const u32 i = thread_x();
  tile[i] = x[global_x(256)];
  barrier();
  for (u32 size = 2; size <= 256; size <<= 1) {
    for (u32 step = size / 2; step != 0; step >>= 1) {
      const u32 other = i ^ step;
      if (other > i) {
        const bool up = (i & size) == 0;
        const u32 a = tile[i];
        const u32 b = tile[other];
        if ((a > b) == up) {
          tile[i] = b;
          tile[other] = a;
        }
      }
      barrier();
    }
  }
  x[global_x(256)] = tile[i];
}
EXPORT(sort_bitonic)

// Within 32 lanes, without LDS.
KERNEL sort_lanes(const float* x, float* out) {
  float value = x[global_x(64)];
  const u32 at = lane() & 31;
  for (u32 size = 2; size <= 32; size <<= 1) {
    for (u32 step = size / 2; step != 0; step >>= 1) {
      const float other = shuffle_float(value, lane() ^ step);
      const bool keeps_least = ((at & size) == 0) == ((at & step) == 0);
      value = keeps_least ? __builtin_fminf(value, other) : __builtin_fmaxf(value, other);
    }
  }
  out[global_x(64)] = value;
}
EXPORT(sort_lanes)

// How many keys of a workgroup have each digit of 4 bits, and where each key goes.
KERNEL sort_radix(const u32* keys, u32* out, u32* counts, u32 shift) {
  SHARED u32 tile[128];
  SHARED u32 digits[16];
  SHARED u32 first[16];
  const u32 i = thread_x();
  tile[i] = keys[global_x(128)];
  if (i < 16) digits[i] = 0;
  barrier();
  const u32 digit = tile[i] >> shift & 15;
  local_add(&digits[digit], 1U);
  barrier();
  if (i < 16) {
    u32 before = 0;
    for (u32 d = 0; d < i; ++d) before += digits[d];
    first[i] = before;
    counts[block_x() * 16 + i] = digits[i];
  }
  barrier();
  u32 rank = first[digit];
  for (u32 k = 0; k < i; ++k) rank += (tile[k] >> shift & 15) == digit ? 1 : 0;
  out[block_x() * 128 + rank] = tile[i];
}
EXPORT(sort_radix)

// Merges two sorted runs of 64, each work-item finding the place of one number.
KERNEL sort_merge(const i32* runs, i32* out) {
  SHARED i32 tile[128];
  const u32 i = thread_x();
  tile[i] = runs[global_x(128)];
  barrier();
  const u32 base = i < 64 ? 64 : 0;
  u32 low = 0;
  u32 high = 64;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    const bool before = i < 64 ? tile[base + middle] < tile[i] : tile[base + middle] <= tile[i];
    if (before) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[block_x() * 128 + (i & 63) + low] = tile[i];
}
EXPORT(sort_merge)
