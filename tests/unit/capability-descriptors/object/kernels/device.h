// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder need instead of a vendor's headers.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device)) inline
#define SHARED __attribute__((shared))

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using i64 = long;
using u64 = unsigned long;
using f16 = _Float16;
using bf16 = __bf16;

template <typename T, int N>
using Vector = T __attribute__((ext_vector_type(N)));

DEVICE u32 lane_x() {
  return __builtin_amdgcn_workitem_id_x();
}
DEVICE u32 lane_y() {
  return __builtin_amdgcn_workitem_id_y();
}
DEVICE u32 group_x() {
  return __builtin_amdgcn_workgroup_id_x();
}
DEVICE u32 group_y() {
  return __builtin_amdgcn_workgroup_id_y();
}
DEVICE u32 group_z() {
  return __builtin_amdgcn_workgroup_id_z();
}
DEVICE u32 global_x() {
  return group_x() * 256 + lane_x();
}
DEVICE void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
DEVICE float from_bf16(bf16 x) {
  u16 bits;
  __builtin_memcpy(&bits, &x, 2);
  const u32 wide = u32{bits} << 16;
  float out;
  __builtin_memcpy(&out, &wide, 4);
  return out;
}
