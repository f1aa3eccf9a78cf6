// SPDX-License-Identifier: Apache-2.0
// The operands that the tests look at: each instruction is told by its place.
.text
.globl k
.p2align 8
.type k,@function
k:
  v_add_f32 v1, 1.0, v2
  v_add_f16 v1, 0.5, v2
  v_pk_fma_f16 v1, v2, 2.0, v3 op_sel_hi:[1,0,1]
  v_fma_f64 v[2:3], v[4:5], -4.0, v[6:7]
  v_add_f32 v1, 0x40490fdb, v2
  v_fmaak_f32 v1, v2, v3, 0x40490fdb
  v_fmac_f32 v1, v2, v3
  s_mov_b32 m0, s3
  s_and_b32 null, s0, null
  v_cmp_lt_f32 vcc_lo, v1, v2
  v_cmpx_lt_f32 v1, v2
  v_add_co_ci_u32 v1, vcc_lo, v2, v3, vcc_lo
  v_mov_b32_dpp v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0x5 bound_ctrl:1
  v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0] fi:1
  v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, 1.0
  global_load_b32 v1, v2, s[0:1] offset:-16
  global_load_b32 v1, v[2:3], off
  scratch_store_b32 off, v1, s3 offset:4
  ds_load_2addr_b32 v[1:2], v3 offset0:1 offset1:2
  s_cbranch_scc0 .Lout
  s_load_b128 s[4:7], s[0:1], 0x10
  v_fma_f32 v1, -v2, |v3|, v4 clamp
  v_mov_b32 v250, v0
  s_movk_i32 s0, -5
  v_fma_f64 v[2:3], 0x40080000, v[4:5], v[6:7]
  global_atomic_add_u32 v1, v2, v3, s[0:1] glc
  global_atomic_cmpswap_b32 v2, v[4:5], s[0:1]
  s_cmpk_eq_i32 s3, 0x7
  v_fma_mix_f32 v1, v2, |v3|, -v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]
  buffer_load_b64 v[2:3], v4, s[4:7], s3 offen offset:16
  v_pk_add_u16 v1, v2, -1
  s_waitcnt vmcnt(3)
  v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[24:31], 1.0
.Lout:
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
