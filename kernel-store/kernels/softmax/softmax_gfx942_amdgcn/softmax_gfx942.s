// SPDX-License-Identifier: Apache-2.0
// One workgroup of four waves of 64 lanes computes a row, then the row `groups` further on:
//   y = exp(x - max(x)) / sum(exp(x - max(x)))
// A lane takes every 256th element, three times: for the maximum, the sum, and the result.
// For gfx942; proven in an interpreter, never on hardware.
.include "gfx9.inc"

// At the start s[0:1] is the address of the arguments, s2 the workgroup's number. The arguments:
.set X_AT, 4                                // s[4:5]
.set Y_AT, 6
.set X_STRIDE, 8
.set Y_STRIDE, 10
.set BATCH, 12
.set COLUMNS, 13
.set GROUPS, 14
// Of the row at hand:
.set ROW, 18
.set FIRST, 19                              // of the elements at hand, the first lane's
.set X_ROW, 20                              // s[20:21]
.set Y_ROW, 22
// Fixed:
.set ALL_LANES, 24                          // s[24:25], EXEC
.set HALF, 27                               // 0x7fff
.set SPARE, 28
.set LOG2_E, 29

.set LANE, 0                                // in the workgroup
.set OFFSET, 1
.set X, 2
.set RESULT, 3                              // what is combined over lanes
.set MORE, 4
.set GREATEST, 5
.set SLOT, 6                                // of the wave in shared memory
.set ZERO, 7
.set PARTS, 8                               // v[8:11], of the waves
.set FACTOR, 12

// v[X] = the exponential of the element at v[OFFSET] less the greatest one. Minus infinity gives 0;
// where the greatest is infinite, its difference to itself is NaN, and so is the row.
.macro load_power
  load_element v[X], v[OFFSET], s[X_ROW:X_ROW+1]
  s_addk_i32 s[FIRST], 256
  s_waitcnt vmcnt(0)
  widen v[X]
  v_sub_f32 v[X], v[X], v[GREATEST]
  v_mul_f32 v[X], s[LOG2_E], v[X]
  v_exp_f32 v[X], v[X]
  wait_for_transcendental
.endm

.text
.globl softmax
.p2align 8
.type softmax, @function
softmax:
  s_load_dwordx8 s[4:11], s[0:1], 0
  s_load_dwordx2 s[12:13], s[0:1], 32
  s_load_dword s14, s[0:1], 40
  v_and_b32 v[LANE], 0x3ff, v0              // the other dimensions' numbers lie above
  v_mov_b32 v[ZERO], 0
  v_lshrrev_b32 v[SLOT], 6, v[LANE]
  v_lshlrev_b32 v[SLOT], 2, v[SLOT]
  s_mov_b32 s[ROW], s2
  s_mov_b64 s[ALL_LANES:ALL_LANES+1], exec
  s_movk_i32 s[HALF], 0x7fff
  s_mov_b32 s[LOG2_E], 0x3fb8aa3b
  s_waitcnt lgkmcnt(0)
  s_cmp_ge_u32 s[ROW], s[BATCH]
  s_cbranch_scc1 .Lend

.Lrow:
  row_address X_ROW, X_AT, s[ROW], X_STRIDE, s[SPARE]
  row_address Y_ROW, Y_AT, s[ROW], Y_STRIDE, s[SPARE]

  // The greatest element that is no NaN, to bytes 0 to 15 of the shared memory.
  v_mov_b32 v[RESULT], 0xff800000           // minus infinity
  s_mov_b32 s[FIRST], 0
.Lgreatest:
  next_elements v[OFFSET], s[FIRST], v[LANE], s[COLUMNS], .Lfound
  load_element v[X], v[OFFSET], s[X_ROW:X_ROW+1]
  s_addk_i32 s[FIRST], 256
  s_waitcnt vmcnt(0)
  widen v[X]
  v_max_f32 v[RESULT], v[RESULT], v[X]
  s_branch .Lgreatest
.Lfound:
  s_mov_b64 exec, s[ALL_LANES:ALL_LANES+1]
  wave_reduce v_max_f32, s[SPARE], v[RESULT]
  v_mov_b32 v[RESULT], s[SPARE]
  exchange v[RESULT], v[SLOT], 0, PARTS, v[ZERO], ALL_LANES
  s_waitcnt lgkmcnt(0)
  v_max_f32 v[PARTS], v[PARTS], v[PARTS+1]
  v_max_f32 v[PARTS+2], v[PARTS+2], v[PARTS+3]
  v_max_f32 v[GREATEST], v[PARTS], v[PARTS+2]

  // The sum of the exponentials, to bytes 16 to 31. All have read the maxima before they come here,
  // and the sums before the next row's maxima are there: no other barrier is needed.
  v_mov_b32 v[RESULT], 0
  s_mov_b32 s[FIRST], 0
.Lpowers:
  next_elements v[OFFSET], s[FIRST], v[LANE], s[COLUMNS], .Lsummed
  load_power
  v_add_f32 v[RESULT], v[RESULT], v[X]
  s_branch .Lpowers
.Lsummed:
  s_mov_b64 exec, s[ALL_LANES:ALL_LANES+1]
  wave_reduce v_add_f32, s[SPARE], v[RESULT]
  v_mov_b32 v[RESULT], s[SPARE]
  exchange v[RESULT], v[SLOT], 16, PARTS, v[ZERO], ALL_LANES
  s_waitcnt lgkmcnt(0)
  v_add_f32 v[PARTS], v[PARTS], v[PARTS+1]
  v_add_f32 v[PARTS+2], v[PARTS+2], v[PARTS+3]
  v_add_f32 v[FACTOR], v[PARTS], v[PARTS+2]
  v_rcp_f32 v[FACTOR], v[FACTOR]
  wait_for_transcendental

  s_mov_b32 s[FIRST], 0
.Lresults:
  next_elements v[OFFSET], s[FIRST], v[LANE], s[COLUMNS], .Lstored
  load_power
  v_mul_f32 v[X], v[X], v[FACTOR]
  store_element v[OFFSET], v[X], s[Y_ROW:Y_ROW+1], v[MORE], s[HALF]
  s_branch .Lresults
.Lstored:
  s_mov_b64 exec, s[ALL_LANES:ALL_LANES+1]

  s_add_u32 s[ROW], s[ROW], s[GROUPS]
  s_cbranch_scc1 .Lend                      // beyond 2^32
  s_cmp_lt_u32 s[ROW], s[BATCH]
  s_cbranch_scc1 .Lrow

.Lend:
  s_endpgm
.Lcode_end:
.size softmax, .Lcode_end - softmax

.rodata
.p2align 6
.amdhsa_kernel softmax
  .amdhsa_group_segment_fixed_size 32
  .amdhsa_kernarg_size 48
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 0
  .amdhsa_accum_offset 16
  .amdhsa_next_free_vgpr 13
  .amdhsa_next_free_sgpr 30
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_float_denorm_mode_16_64 3
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: softmax
    .symbol: softmax.kd
    .kernarg_segment_size: 48
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 32
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 36
    .vgpr_count: 13
    .max_flat_workgroup_size: 256
    .args:
      - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: y_out, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: x_stride, .offset: 16, .size: 8, .value_kind: by_value}
      - {.name: y_stride, .offset: 24, .size: 8, .value_kind: by_value}
      - {.name: batch, .offset: 32, .size: 4, .value_kind: by_value}
      - {.name: columns, .offset: 36, .size: 4, .value_kind: by_value}
      - {.name: groups, .offset: 40, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
