// SPDX-License-Identifier: Apache-2.0
// One workgroup of four waves of 32 lanes normalises a row, then the row `groups` further on:
//   y = x * rsqrt(mean(x * x) + epsilon) * weight
// A lane takes every 128th element. For gfx1100; proven in an interpreter, never on hardware.
.include "gfx11.inc"

// At the start s[0:1] is the address of the arguments, s2 the workgroup's number. The arguments:
.set X_AT, 4                                // s[4:5]
.set WEIGHT_AT, 6
.set Y_AT, 8
.set X_STRIDE, 10
.set Y_STRIDE, 12
.set BATCH, 14
.set HIDDEN, 15
.set EPSILON, 16
.set GROUPS, 17
// Of the row at hand:
.set ROW, 18
.set FIRST, 19                              // of the elements at hand, the first lane's
.set X_ROW, 20                              // s[20:21]
.set Y_ROW, 22
// Fixed:
.set ALL_LANES, 24                          // EXEC
.set LOW, 25                                // which lanes v_permlanex16 takes
.set HIGH, 26
.set HALF, 27                               // 0x7fff
.set SPARE, 28

.set LANE, 0                                // in the workgroup
.set OFFSET, 1
.set X, 2
.set WEIGHT, 3
.set SUM, 4                                 // then the scale
.set MORE, 5
.set SLOT, 6                                // of the wave in shared memory
.set ZERO, 7
.set PARTS, 8                               // v[8:11], the sums of the waves

.text
.globl rms_norm
.p2align 8
.type rms_norm, @function
rms_norm:
  s_load_b256 s[4:11], s[0:1], 0
  s_load_b128 s[12:15], s[0:1], 32
  s_load_b64 s[16:17], s[0:1], 48
  v_and_b32 v[LANE], 0x3ff, v0              // the other dimensions' numbers lie above
  v_mov_b32 v[ZERO], 0
  v_lshrrev_b32 v[SLOT], 5, v[LANE]
  v_lshlrev_b32 v[SLOT], 2, v[SLOT]
  s_mov_b32 s[ROW], s2
  s_mov_b32 s[ALL_LANES], exec_lo
  s_mov_b32 s[LOW], 0x76543210
  s_mov_b32 s[HIGH], 0xfedcba98
  s_movk_i32 s[HALF], 0x7fff
  s_waitcnt lgkmcnt(0)
  s_cmp_ge_u32 s[ROW], s[BATCH]
  s_cbranch_scc1 .Lend

.Lrow:
  row_address X_ROW, X_AT, s[ROW], X_STRIDE, s[SPARE]
  row_address Y_ROW, Y_AT, s[ROW], Y_STRIDE, s[SPARE]

  // The lane's sum of squares.
  v_mov_b32 v[SUM], 0
  s_mov_b32 s[FIRST], 0
.Lsquares:
  next_elements v[OFFSET], s[FIRST], v[LANE], s[HIDDEN], .Lsummed
  load_element v[X], v[OFFSET], s[X_ROW:X_ROW+1]
  s_addk_i32 s[FIRST], 128
  s_waitcnt vmcnt(0)
  widen v[X]
  v_fmac_f32 v[SUM], v[X], v[X]
  s_branch .Lsquares
.Lsummed:
  s_mov_b32 exec_lo, s[ALL_LANES]

  // The wave's, then the workgroup's.
  wave_reduce v_add_f32, v[SUM], v[MORE], s[LOW], s[HIGH]
  exchange v[SUM], v[SLOT], 0, PARTS, v[ZERO], s[ALL_LANES]
  v_cvt_f32_u32 v[MORE], s[HIDDEN]
  v_rcp_f32 v[MORE], v[MORE]
  v_add_f32 v[PARTS], v[PARTS], v[PARTS+1]
  v_add_f32 v[PARTS+2], v[PARTS+2], v[PARTS+3]
  v_add_f32 v[SUM], v[PARTS], v[PARTS+2]
  wait_for_transcendental
  v_fma_f32 v[SUM], v[SUM], v[MORE], s[EPSILON]
  v_rsq_f32 v[SUM], v[SUM]
  wait_for_transcendental

  s_mov_b32 s[FIRST], 0
.Lscale:
  next_elements v[OFFSET], s[FIRST], v[LANE], s[HIDDEN], .Lscaled
  load_element v[X], v[OFFSET], s[X_ROW:X_ROW+1]
  load_element v[WEIGHT], v[OFFSET], s[WEIGHT_AT:WEIGHT_AT+1]
  s_addk_i32 s[FIRST], 128
  s_waitcnt vmcnt(0)
  widen v[X]
  widen v[WEIGHT]
  v_mul_f32 v[X], v[X], v[SUM]
  v_mul_f32 v[X], v[X], v[WEIGHT]
  store_element v[OFFSET], v[X], s[Y_ROW:Y_ROW+1], v[MORE], s[HALF]
  s_branch .Lscale
.Lscaled:
  s_mov_b32 exec_lo, s[ALL_LANES]

  s_add_u32 s[ROW], s[ROW], s[GROUPS]
  s_cbranch_scc1 .Lend                      // beyond 2^32
  s_cmp_ge_u32 s[ROW], s[BATCH]
  s_cbranch_scc1 .Lend
  s_barrier                                 // all have read the sums before the next ones come
  s_branch .Lrow

.Lend:
  s_endpgm
.Lcode_end:
.size rms_norm, .Lcode_end - rms_norm

.rodata
.p2align 6
.amdhsa_kernel rms_norm
  .amdhsa_group_segment_fixed_size 16
  .amdhsa_kernarg_size 56
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 0
  .amdhsa_wavefront_size32 1
  .amdhsa_next_free_vgpr 12
  .amdhsa_next_free_sgpr 29
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_float_denorm_mode_16_64 3
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: rms_norm
    .symbol: rms_norm.kd
    .kernarg_segment_size: 56
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 31
    .vgpr_count: 12
    .max_flat_workgroup_size: 128
    .args:
      - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: weight, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: y_out, .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: x_stride, .offset: 24, .size: 8, .value_kind: by_value}
      - {.name: y_stride, .offset: 32, .size: 8, .value_kind: by_value}
      - {.name: batch, .offset: 40, .size: 4, .value_kind: by_value}
      - {.name: hidden, .offset: 44, .size: 4, .value_kind: by_value}
      - {.name: epsilon, .offset: 48, .size: 4, .value_kind: by_value}
      - {.name: groups, .offset: 52, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
