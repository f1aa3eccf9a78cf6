// SPDX-License-Identifier: Apache-2.0
// Counting and combining in memory that work-items share.
#include "device.h"

KERNEL histogram_local(const u8* x, u32* bins, u32 count) {
  SHARED u32 tile[256];
  tile[thread_x()] = 0;
  barrier();
  for (u32 i = global_x(256); i < count; i += grid_size_x()) local_add(&tile[x[i]], 1U);
  barrier();
  if (tile[thread_x()] != 0) atomic_add(&bins[thread_x()], tile[thread_x()]);
}
EXPORT(histogram_local)

KERNEL histogram_global(const u16* x, u32* bins) {
  atomic_add(&bins[x[global_x(128)] >> 10], 1U);
}
EXPORT(histogram_global)

// A maximum of floats, by exchange where nothing changed meanwhile.
KERNEL atomic_float_max(const float* x, float* most) {
  const float value = x[global_x(64)];
  u32* const at = reinterpret_cast<u32*>(most + thread_x() % 4);
  u32 old = atomic_load(at);
  while (bits_to<float>(old) < value && !atomic_replace(at, &old, bits_to<u32>(value))) {
  }
}
EXPORT(atomic_float_max)

KERNEL atomic_combine(const u32* x, u32* out, u64* wide) {
  const u32 i = global_x(64);
  const u32 value = x[i];
  atomic_and(&out[0], value | 0xf0f00000);
  atomic_or(&out[1], value & 0x00ff00ff);
  atomic_xor(&out[2], value);
  atomic_max(&out[3], value);
  atomic_min(reinterpret_cast<i32*>(&out[4]), static_cast<i32>(value));
  atomic_wrapping_increment(&out[5], 40);
  atomic_wrapping_decrement(&out[6], 40);
  atomic_add(&wide[0], u64{value} << 20);
  atomic_max(&wide[1], u64{value} << 31);
  atomic_xor(&wide[2], u64{value} * 0x9e3779b97f4a7c15UL);
  u64 seen = wide[3 + i];
  atomic_replace(&wide[3 + i], &seen, seen * 3);
  out[8 + i] = atomic_exchange(&out[8 + i], value);
}
EXPORT(atomic_combine)

// Whole numbers, so that no order of additions rounds.
KERNEL atomic_float_add(const u32* x, float* sums, double* wide) {
  SHARED float tile[16];
  if (thread_x() < 16) tile[thread_x()] = 0;
  barrier();
  const float value = static_cast<float>(x[global_x(64)] & 1023);
  local_add(&tile[x[global_x(64)] >> 28], value);
  atomic_add(&sums[16], value);
  atomic_add(&wide[thread_x() & 1], static_cast<double>(value) * 0.5);
  barrier();
  if (thread_x() < 16) atomic_add(&sums[thread_x()], tile[thread_x()]);
}
EXPORT(atomic_float_add)

// Atomics on LDS of both widths.
KERNEL atomic_local(const u32* x, u32* out, u64* wide) {
  SHARED u32 tile[8];
  SHARED u64 tall[4];
  const u32 i = thread_x();
  if (i < 8) tile[i] = i == 1 ? ~0U : 0;
  if (i < 4) tall[i] = 0;
  barrier();
  const u32 value = x[i];
  local_max(&tile[0], value);
  local_min(&tile[1], value);
  local_xor(&tile[2], value);
  local_or(&tile[3], value & 0x10101010);
  local_max(reinterpret_cast<i32*>(&tile[4]), static_cast<i32>(value));
  local_add(&tall[0], u64{value} << 24);
  local_max(&tall[1], u64{value} * value);
  const u32 ticket = local_add(&tile[5], 1U);
  if (i == 3) tile[6] = 7;
  barrier();
  atomic_or(&out[8 + ticket / 32], 1U << ticket % 32);
  if (i < 8) out[i] = tile[i];
  if (i < 4) wide[i] = tall[i];
}
EXPORT(atomic_local)
