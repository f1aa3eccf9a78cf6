// SPDX-License-Identifier: Apache-2.0
// Atomics that give back what was there, of each width and in each memory. Each work-item has a
// place of its own, so that what it gets back is the same in each order.
#include "device.h"

template <typename T>
DEVICE void combine_all(T* at, T value, T* out) {
  out[0] = local_add(at, value);
  out[1] = local_exchange(at, static_cast<T>(value * 3));
  out[2] = local_min(at, static_cast<T>(value ^ 0x55));
  out[3] = local_max(at, static_cast<T>(value >> 1));
  out[4] = local_and(at, static_cast<T>(value | 0x0f0f0f0f));
  out[5] = local_or(at, static_cast<T>(value & 0x00ff00ff));
  out[6] = local_xor(at, value);
  T expected = *at;
  out[7] = local_replace(at, &expected, static_cast<T>(value + 5)) ? 1 : 0;
  out[8] = local_sub(at, static_cast<T>(value << 2));
  out[9] = *at;
}

// The same without what was there.
template <typename T>
DEVICE void combine_silently(T* at, T value) {
  local_add(at, value);
  local_min(at, static_cast<T>(value ^ 0x55));
  local_max(at, static_cast<T>(value >> 1));
  local_and(at, static_cast<T>(value | 0x0f0f0f0f));
  local_or(at, static_cast<T>(value & 0x00ff00ff));
  local_xor(at, value);
  local_sub(at, static_cast<T>(value << 2));
}

template <typename T>
DEVICE void combine_in_lds(T* tile, const u64* x, u64* out) {
  const u32 i = thread_x();
  T results[10];
  tile[i] = static_cast<T>(x[i] >> 3);
  combine_all(&tile[i], static_cast<T>(x[i]), results);
  for (u32 k = 0; k < 10; ++k) out[i * 11 + k] = static_cast<u64>(results[k]);
  combine_silently(&tile[i], static_cast<T>(x[i] >> 7));
  out[i * 11 + 10] = static_cast<u64>(tile[i]);
}

template <typename T>
DEVICE void combine_in_memory(T* memory, const u64* x, u64* out) {
  const u32 i = thread_x();
  T results[10];
  combine_all(&memory[i], static_cast<T>(x[i]), results);
  for (u32 k = 0; k < 10; ++k) out[i * 11 + k] = static_cast<u64>(results[k]);
  combine_silently(&memory[i], static_cast<T>(x[i] >> 7));
  out[i * 11 + 10] = static_cast<u64>(memory[i]);
}

KERNEL combine_local_u32(const u64* x, u64* out) {
  SHARED u32 tile[64];
  combine_in_lds(tile, x, out);
}
EXPORT(combine_local_u32)
KERNEL combine_local_i32(const u64* x, u64* out) {
  SHARED i32 tile[64];
  combine_in_lds(tile, x, out);
}
EXPORT(combine_local_i32)
KERNEL combine_local_u64(const u64* x, u64* out) {
  SHARED u64 tile[64];
  combine_in_lds(tile, x, out);
}
EXPORT(combine_local_u64)
KERNEL combine_local_i64(const u64* x, u64* out) {
  SHARED i64 tile[64];
  combine_in_lds(tile, x, out);
}
EXPORT(combine_local_i64)
KERNEL combine_global_u32(const u64* x, u64* out, u32* memory) {
  combine_in_memory(memory, x, out);
}
EXPORT(combine_global_u32)
KERNEL combine_global_i32(const u64* x, u64* out, i32* memory) {
  combine_in_memory(memory, x, out);
}
EXPORT(combine_global_i32)
KERNEL combine_global_u64(const u64* x, u64* out, u64* memory) {
  combine_in_memory(memory, x, out);
}
EXPORT(combine_global_u64)
KERNEL combine_global_i64(const u64* x, u64* out, i64* memory) {
  combine_in_memory(memory, x, out);
}
EXPORT(combine_global_i64)

// In LDS or memory, which only the running program knows.
KERNEL combine_flat(const u64* x, u64* out, u32* memory, u64* wide) {
  SHARED u32 tile[64];
  SHARED u64 tall[64];
  const u32 i = thread_x();
  tile[i] = static_cast<u32>(x[i] >> 9);
  tall[i] = x[i] >> 5;
  u32* const at = (x[i] & 1) != 0 ? &tile[i] : &memory[i];
  u64* const wide_at = (x[i] & 2) != 0 ? &tall[i] : &wide[i];
  u32 results[10];
  u64 wide_results[10];
  combine_all(hidden(at), static_cast<u32>(x[i]), results);
  combine_all(hidden(wide_at), x[i], wide_results);
  combine_silently(hidden(at), static_cast<u32>(x[i] >> 4));
  combine_silently(hidden(wide_at), x[i] >> 4);
  for (u32 k = 0; k < 10; ++k) out[i * 12 + k] = wide_results[k] ^ results[k];
  out[i * 12 + 10] = tile[i] + u64{memory[i]};
  out[i * 12 + 11] = tall[i] + wide[i];
}
EXPORT(combine_flat)

// Loads and stores of each width through such a pointer.
KERNEL flat_widths(const u64* x, u64* out, u64* memory) {
  SHARED u64 tile[256];
  const u32 i = thread_x();
  for (u32 k = 0; k < 4; ++k) tile[i * 4 + k] = x[i] * (k + 1);
  u64* const at = hidden((x[i] & 1) != 0 ? &tile[i * 4] : &memory[i * 4]);
  const i8 a = reinterpret_cast<const i8*>(at)[1];
  const u8 b = reinterpret_cast<const u8*>(at)[2];
  const i16 c = reinterpret_cast<const i16*>(at)[2];
  const u16 d = reinterpret_cast<const u16*>(at)[3];
  const u64 e = at[1];
  const Vector<u32, 4> f = *reinterpret_cast<const Vector<u32, 4>*>(at + 2);
  out[4 * i] = static_cast<u64>(a * 3 + b) ^ e;
  out[4 * i + 1] = static_cast<u64>(c) + d;
  out[4 * i + 2] = u64{f.x} << 32 | f.z;
  out[4 * i + 3] = u64{f.w} * f.y;
  reinterpret_cast<u8*>(at)[0] = static_cast<u8>(d >> 8);
  reinterpret_cast<u16*>(at)[1] = static_cast<u16>(f.x >> 16);
  reinterpret_cast<u32*>(at)[1] = f.y;
  at[1] = e * 7;
  *reinterpret_cast<Vector<u32, 4>*>(at + 2) = f.yxwz;
  barrier();
  for (u32 k = 0; k < 4; ++k) out[256 + i * 4 + k] = tile[(i * 4 + k + 5) & 255];
}
EXPORT(flat_widths)

// Floats: each work-item in its own place.
KERNEL combine_floats(const float* x, float* out, float* memory, double* wide) {
  SHARED float tile[64];
  SHARED double tall[64];
  const u32 i = thread_x();
  tile[i] = x[i] * 2;
  tall[i] = static_cast<double>(x[i]) * 3;
  out[8 * i] = local_add(&tile[i], x[i] + 1);
  out[8 * i + 1] = local_min(&tile[i], x[i] - 1);
  out[8 * i + 2] = local_max(&tile[i], x[i] * 0.5F);
  out[8 * i + 3] = static_cast<float>(local_add(&tall[i], static_cast<double>(x[i])));
  out[8 * i + 4] = static_cast<float>(local_max(&tall[i], static_cast<double>(x[i]) + 4));
  out[8 * i + 5] = local_add(&memory[i], x[i]);
  out[8 * i + 6] = local_max(&memory[i], 1 - x[i]);
  out[8 * i + 7] = tile[i] + static_cast<float>(tall[i]);
  local_add(&wide[i], static_cast<double>(x[i]));
  local_min(&wide[i], static_cast<double>(x[i]) * 8);
}
EXPORT(combine_floats)
