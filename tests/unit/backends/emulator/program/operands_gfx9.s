// SPDX-License-Identifier: Apache-2.0
// The operands that the tests look at: each instruction is told by its place.
.text
.globl k
.p2align 8
.type k,@function
k:
  v_add_co_u32 v1, vcc, v2, v3
  v_cmpx_lt_f32 vcc, v1, v2
  v_add_f32_sdwa v1, v2, -v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:DWORD
  v_accvgpr_write_b32 a1, v2
  v_accvgpr_read_b32 v2, a1
  v_mfma_f32_16x16x16_f16 a[0:3], v[2:3], v[4:5], a[0:3]
  v_mfma_f32_16x16x16_f16 v[0:3], v[2:3], a[4:5], 0
  global_load_dword a1, v[2:3], off
  s_mov_b32 m0, s3
  v_pk_fma_f32 v[0:1], v[2:3], 2.0, v[4:5] op_sel_hi:[1,0,1]
  s_load_dwordx2 s[4:5], s[0:1], s3
  s_load_dwordx2 s[4:5], s[0:1], 0x8
  v_cmp_lt_f32 s[4:5], v1, v2
  v_mov_b32 v200, v1
  v_accvgpr_write_b32 a9, v2
  global_atomic_add_f32 v[2:3], v4, off
  flat_load_dword v1, v[2:3] offset:8
  scratch_load_dword v1, v2, off offset:4
  v_mfma_f32_16x16x8_xf32 a[0:3], v[2:3], v[4:5], a[0:3]
  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 32
  .amdhsa_accum_offset 8
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
    .wavefront_size: 64
    .sgpr_count: 32
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
