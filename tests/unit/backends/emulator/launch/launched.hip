// SPDX-License-Identifier: Apache-2.0
// Kernels that show what a launch gives them.

#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE __attribute__((device))
#define SHARED __attribute__((shared))

using u32 = unsigned;

DEVICE u32 linear_item() {
  const u32 sizes[3] = {__builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
                        __builtin_amdgcn_workgroup_size_z()};
  return (__builtin_amdgcn_workitem_id_z() * sizes[1] + __builtin_amdgcn_workitem_id_y()) *
             sizes[0] +
         __builtin_amdgcn_workitem_id_x();
}

// One dword a work-item: its workgroup's id in the high bits, its own in the low ones.
KERNEL ids(u32* out, u32 groups_x, u32 groups_y) {
  const u32 group = (__builtin_amdgcn_workgroup_id_z() * groups_y +
                     __builtin_amdgcn_workgroup_id_y()) *
                        groups_x +
                    __builtin_amdgcn_workgroup_id_x();
  const u32 items = __builtin_amdgcn_workgroup_size_x() * __builtin_amdgcn_workgroup_size_y() *
                    __builtin_amdgcn_workgroup_size_z();
  out[group * items + linear_item()] =
      __builtin_amdgcn_workgroup_id_x() << 24 | __builtin_amdgcn_workgroup_id_y() << 20 |
      __builtin_amdgcn_workgroup_id_z() << 16 | __builtin_amdgcn_workitem_id_z() << 12 |
      __builtin_amdgcn_workitem_id_y() << 8 | __builtin_amdgcn_workitem_id_x();
}

KERNEL grid_sizes(u32* out) {
  if (__builtin_amdgcn_workitem_id_x() != 0) return;
  out[0] = __builtin_amdgcn_grid_size_x();
  out[1] = __builtin_amdgcn_grid_size_y();
  out[2] = __builtin_amdgcn_grid_size_z();
}

KERNEL values(double* out, double a, signed char b, unsigned short c, float d) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
  out[3] = d;
}

KERNEL arithmetic(float* out, const float* in) {
  const u32 item = __builtin_amdgcn_workitem_id_x();
  out[item] = in[item] * in[64 + item];
  out[64 + item] = in[128 + item] + in[192 + item];
}

// Reverses the items of a workgroup through LDS.
KERNEL reverse(u32* out) {
  SHARED static u32 shared[256];
  const u32 item = __builtin_amdgcn_workitem_id_x();
  const u32 items = __builtin_amdgcn_workgroup_size_x();
  shared[item] = item * 3;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[__builtin_amdgcn_workgroup_id_x() * items + item] = shared[items - 1 - item];
}

// Keeps an array in scratch.
KERNEL scratch(u32* out, u32 rounds) {
  u32 kept[16];
  for (u32 i = 0; i < 16; ++i)
    kept[i] = i * i;
  for (u32 i = 0; i < rounds; ++i) {
    kept[(i * 7 + out[0]) & 15] += i;
    asm volatile("" : : "v"(&kept[0]) : "memory");
  }
  const u32 item = __builtin_amdgcn_workitem_id_x();
  out[item] = kept[item & 15];
}

KERNEL count(u32* counter) {
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

KERNEL forever(volatile u32* out) {
  for (;;)
    out[0] = out[0] + 1;
}

// A table that is part of the object, and a variable that is.
DEVICE const u32 kTable[8] = {3, 1, 4, 1, 5, 9, 2, 6};
DEVICE u32 variable = 7;

DEVICE __attribute__((noinline)) u32 looked_up(u32 index) {
  return kTable[index & 7];
}

KERNEL lookup(u32* out) {
  const u32 item = __builtin_amdgcn_workitem_id_x();
  out[item] = looked_up(item) + variable;
  if (item == 0) variable = 100;
}

DEVICE u32 numbers[4] = {5, 6, 7, 8};
DEVICE u32* pointers[2] = {&numbers[1], &numbers[3]};

// The pointers are addresses that a loader relocates.
KERNEL through_pointers(u32* out) {
  const u32 item = __builtin_amdgcn_workitem_id_x();
  out[item] = *pointers[item & 1];
}
