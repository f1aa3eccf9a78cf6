// SPDX-License-Identifier: Apache-2.0
// The operands that the tests look at: each instruction is told by its place.
.text
.globl k
.p2align 8
.type k,@function
k:
  s_barrier_signal -1
  s_barrier_wait 0xffff
  global_load_b32 v1, v[2:3], off offset:-8
  s_load_b96 s[4:6], s[0:1], 0x10
  buffer_load_b32 v1, off, s[4:7], null offset:8388604
  global_atomic_add_f32 v1, v2, v3, s[0:1] th:TH_ATOMIC_RETURN
  s_wait_loadcnt 0x2
  v_swmmac_f32_16x16x32_f16 v[8:15], v[16:19], v[20:27], v1
  s_fmaak_f32 s0, s1, s2, 0x3f800000
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 32
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
