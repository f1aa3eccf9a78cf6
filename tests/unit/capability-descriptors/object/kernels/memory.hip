// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of every address space and size.
#include "device.h"

KERNEL sizes(u8* b, u16* s, u32* w, u64* d, Vector<u32, 3>* t, Vector<u32, 4>* q) {
  const u32 i = lane_x();
  b[i + 1] = b[i] + u8(static_cast<signed char>(b[i + 70]));
  s[i + 3] = u16(s[i] + short(s[i + 90]));
  w[i - 1] = w[i + 1000] + w[2];
  d[i + 8] = d[i] + d[1];
  t[i + 1] = t[i];
  q[i + 100] = q[i - 100] + q[3];
  __builtin_nontemporal_store(__builtin_nontemporal_load(w + i + 512), w + i + 513);
  *reinterpret_cast<volatile u32*>(w + i + 77) = *reinterpret_cast<volatile u32*>(w + i + 78);
}

KERNEL lds_sizes(u32* out, u32 n) {
  SHARED static u32 words[512];
  SHARED static u64 longs[256];
  SHARED static Vector<u32, 4> quads[64];
  SHARED static u8 bytes[256];
  SHARED static u16 shorts[256];
  const u32 i = lane_x();
  words[i] = out[i];
  longs[i] = out[i + 1];
  quads[i & 63] = Vector<u32, 4>{1, 2, 3, i};
  bytes[i] = u8(i);
  shorts[i] = u16(n);
  barrier();
  out[i] = words[i ^ 1] + words[(i ^ 1) + 64] + u32(longs[255 - i]) + quads[i & 31].y +
           bytes[n & 255] + u32(static_cast<signed char>(bytes[i + 1])) + shorts[i ^ 3] +
           u32(short(shorts[i])) + quads[(i + 1) & 63].w;
}

template <typename T>
DEVICE T lds_atomics(T value, T* cell) {
  T r = __hip_atomic_fetch_add(cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  r += __hip_atomic_fetch_or(cell, value, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
  r += __hip_atomic_exchange(cell, r, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_compare_exchange_strong(cell, &r, value, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_max(cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  return r;
}

KERNEL histogram(u32* out, const u32* in, u64* wide, float* f) {
  SHARED static u32 bins[256];
  SHARED static u64 longs[4];
  SHARED static float real;
  bins[lane_x()] = 0;
  barrier();
  __hip_atomic_fetch_add(&bins[in[global_x()] & 255], 1u, __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_add(&real, f[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  wide[lane_x()] = lds_atomics<u64>(in[1], longs + 1);
  out[lane_x()] = lds_atomics<u32>(in[2], bins + 3);
  barrier();
  __hip_atomic_fetch_add(&out[lane_x() + 256], bins[lane_x()], __ATOMIC_RELAXED,
                         __HIP_MEMORY_SCOPE_AGENT);
  f[lane_x() + 1] = real;
}

KERNEL global_atomics(u32* w, u64* d, int* s, float* f) {
  const u32 i = global_x();
  u32 r = __hip_atomic_fetch_add(w + i, 5u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  r += __hip_atomic_fetch_and(w + i + 1, r, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  r += __hip_atomic_exchange(w + 2, r, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_compare_exchange_strong(w + 3, &r, 7u, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST,
                                       __HIP_MEMORY_SCOPE_SYSTEM);
  u64 l = __hip_atomic_fetch_add(d + i, 1ul, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_compare_exchange_strong(d + 1, &l, 9ul, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_min(s + i, -5, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_max(s + i, int(r), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_xor(d + i, l, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_store(w + i + 4, r, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  f[i] = float(__hip_atomic_load(w + 9, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM));
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

KERNEL scratch(u32* out, const u32* in, u32 n) {
  volatile u32 stack[96];
  volatile u8 bytes[40];
  for (u32 i = 0; i < 96; ++i)
    stack[i] = in[i];
  for (u32 i = 0; i < 40; ++i)
    bytes[(i * n) % 40] = u8(i);
  u32 sum = 0;
  for (u32 i = 0; i < n; ++i)
    sum += stack[(i * 7) % 96] + bytes[i % 40];
  out[lane_x()] = sum;
}

__attribute__((amdgpu_num_vgpr(24))) KERNEL spills(float* out, const float* in) {
  float values[48];
  for (int i = 0; i < 48; ++i)
    values[i] = in[lane_x() * 48 + i];
  __asm__ volatile("s_nop 1" ::: "memory");
  for (int i = 0; i < 48; ++i) {
    for (int j = 0; j < 4; ++j)
      values[i] = values[i] * values[(i * 5 + j) % 48] + values[47 - i];
  }
  for (int i = 0; i < 48; ++i)
    out[lane_x() * 48 + i] = values[i];
}

__attribute__((device)) u32 pick(u32* a, u32* b, bool first) {
  u32* const from = first ? a : b;
  return from[3] + __hip_atomic_fetch_add(from, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
KERNEL flat(u32* out, u32* in, u32 n) {
  SHARED static u32 words[64];
  words[lane_x()] = n;
  barrier();
  u32* const address = n > 5 ? words + lane_x() : in;
  out[0] = pick(address, in, n == 7);
  *address = n;
  reinterpret_cast<u64*>(address)[1] = n;
}

KERNEL buffers(u32* out, void* base, int offset) {
  const auto resource = __builtin_amdgcn_make_buffer_rsrc(base, 0, 4096, 0x31027000);
  u32 sum = __builtin_amdgcn_raw_buffer_load_b32(resource, lane_x() * 4, offset, 0);
  sum += __builtin_amdgcn_raw_buffer_load_b32(resource, 16, 0, 0);
  sum += __builtin_amdgcn_raw_buffer_load_b8(resource, lane_x() + 100, 0, 0);
  sum += __builtin_amdgcn_raw_buffer_load_b128(resource, lane_x() * 16, offset, 0)[3];
  __builtin_amdgcn_raw_buffer_store_b32(sum, resource, lane_x() * 4 + 2048, offset, 0);
  __builtin_amdgcn_raw_buffer_store_b64(Vector<u32, 2>{sum, 1}, resource, lane_x() * 8, 0, 0);
  out[lane_x()] = sum;
}
