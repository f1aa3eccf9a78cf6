// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder need instead of a vendor's headers.
#pragma once

#define KERNEL extern "C" __attribute__((global)) void
#define BLOCK(lanes) __attribute__((amdgpu_flat_work_group_size(1, lanes)))
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))

using u32 = unsigned int;
using i64 = long;

DEVICE inline u32 lane() {
  return __builtin_amdgcn_workitem_id_x();
}
DEVICE inline u32 index() {
  return __builtin_amdgcn_workgroup_id_x() * 256 + lane();
}
DEVICE inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
