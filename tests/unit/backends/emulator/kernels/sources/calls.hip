// SPDX-License-Identifier: Apache-2.0
// Functions that are called, and memory of a work-item's own.
#include "device.h"

NOINLINE u32 mix(u32 a, u32 b) {
  a ^= b * 0x9e3779b1U;
  return a << 7 | a >> 25;
}

NOINLINE u32 twice(u32 value, u32 rounds) {
  for (u32 k = 0; k < rounds; ++k) value = mix(value, k) + mix(k, value);
  return value;
}

KERNEL call_chain(const u32* x, u32* out) {
  const u32 i = global_x(64);
  u32 value = x[i];
  if ((value & 3) != 0) value = twice(value, value & 3);
  out[i] = mix(value, i);
}
EXPORT(call_chain)

struct Wide {
  u64 low;
  u64 high;
  float scale;
};

NOINLINE Wide widen(const Wide& from, u32 by) {
  return {from.low + by, from.high ^ from.low, from.scale * 2};
}

KERNEL call_with_memory(const u64* x, u64* out) {
  const u32 i = global_x(64);
  Wide value = {x[i], x[i] >> 3, 1};
  for (u32 k = 0; k < 3; ++k) value = widen(value, k + i);
  out[2 * i] = value.low;
  out[2 * i + 1] = value.high + static_cast<u64>(value.scale);
}
EXPORT(call_with_memory)

// An array that only the running program knows the indices of.
KERNEL private_array(const u32* x, u32* out) {
  const u32 i = global_x(64);
  u32 mine[40];
  for (u32 k = 0; k < 40; ++k) mine[k] = x[(i + k * 3) & 127];
  for (u32 k = 0; k < 30; ++k) {
    const u32 from = mine[k] % 40;
    const u32 to = mine[(k + 7) % 40] % 40;
    const u32 kept = mine[from];
    mine[from] = mine[to] + k;
    mine[to] = kept ^ k;
  }
  u32 sum = 0;
  for (u32 k = 0; k < 40; ++k) sum = sum * 5 + mine[k];
  out[i] = sum;
}
EXPORT(private_array)

KERNEL private_bytes(const u8* x, u32* out) {
  const u32 i = global_x(64);
  u8 counts[64];
  u16 first[16];
  for (u32 k = 0; k < 64; ++k) counts[k] = 0;
  for (u32 k = 0; k < 16; ++k) first[k] = 999;
  for (u32 k = 0; k < 24; ++k) {
    const u32 value = x[i * 24 + k];
    ++counts[value & 63];
    if (first[value & 15] == 999) first[value & 15] = static_cast<u16>(k);
  }
  u32 sum = 0;
  for (u32 k = 0; k < 64; ++k) sum = sum * 3 + counts[k];
  for (u32 k = 0; k < 16; ++k) sum = sum * 7 + first[k];
  out[i] = sum;
}
EXPORT(private_bytes)

// Sorts sixteen numbers of its own by insertion.
KERNEL private_sort(const float* x, float* out) {
  const u32 i = global_x(64);
  float mine[16];
  for (u32 k = 0; k < 16; ++k) mine[k] = x[i * 16 + k];
  for (u32 k = 1; k < 16; ++k) {
    const float value = mine[k];
    u32 at = k;
    while (at != 0 && mine[at - 1] > value) {
      mine[at] = mine[at - 1];
      --at;
    }
    mine[at] = value;
  }
  for (u32 k = 0; k < 16; ++k) out[i * 16 + k] = mine[k];
}
EXPORT(private_sort)
