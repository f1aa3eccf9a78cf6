// SPDX-License-Identifier: Apache-2.0
// A wave computes 32 x 32 elements of C = A * B^T + bias by MFMA, which multiplies 32 rows of A by 32
// rows of B over 8 elements of K. K is a multiple of 16.
// For gfx942; proven in an interpreter, never on hardware.
.include "gfx9.inc"

// At the start s[0:1] is the address of the arguments, s2 and s3 the workgroup's numbers. The
// arguments:
.set A_AT, 4                                // s[4:5]
.set B_AT, 6
.set BIAS_AT, 8
.set C_AT, 10
.set A_STRIDE, 12
.set C_STRIDE, 14
.set ROWS, 16
.set COLUMNS, 17
.set DEPTH, 18
.set HAS_BIAS, 19
// Of the tile:
.set FIRST_ROW, 20
.set FIRST_COLUMN, 21
.set K, 22
.set UNALIGNED, 23                          // not 0: some rows of A begin between 16-byte places
.set HALF, 24                               // 0x7fff
.set LAST, 25
.set ALL_LANES, 26                          // s[26:27], EXEC
.set IN_COLUMNS, 28                         // s[28:29], EXEC of the lanes whose column C has
.set SPARE_PAIR, 30

.set LANE, 0                                // 0 to 31
.set UPPER, 1                               // 1 in the upper half of the wave
.set SPARE, 2
.set MORE, 3
.set A_ADDRESS, 4                           // v[4:5], where the lane's row of A goes on
.set B_ADDRESS, 6
.set A_TILE, 8                              // v[8:11]: 8 elements of a row
.set B_TILE, 12
.set SUMS, 16                               // v[16:31]
.set PARTS, 32                              // v[32:35], odd elements on their way

// v[\to:\to+1] = s[\base:\base+1] + the lane's row, \first + v[LANE], but at most s[LAST], times the
// stride \low, \high, in elements of two bytes; and 8 elements further in the upper half.
.macro operand_address to, base, first, low, high
  v_add_u32 v[SPARE], \first, v[LANE]
  v_min_u32 v[SPARE], s[LAST], v[SPARE]
  v_mad_u64_u32 v[\to:\to+1], s[SPARE_PAIR:SPARE_PAIR+1], v[SPARE], \low, 0
  v_mul_lo_u32 v[SPARE], v[SPARE], \high
  v_add_u32 v[\to+1], v[\to+1], v[SPARE]
  v_lshlrev_b64 v[\to:\to+1], 1, v[\to:\to+1]
  v_mov_b32 v[SPARE], s[\base+1]
  v_add_co_u32 v[\to], vcc, s[\base], v[\to]
  s_nop 1
  v_addc_co_u32 v[\to+1], vcc, v[SPARE], v[\to+1], vcc
  v_lshlrev_b32 v[SPARE], 4, v[UPPER]
  v_add_co_u32 v[\to], vcc, v[\to], v[SPARE]
  s_nop 1
  v_addc_co_u32 v[\to+1], vcc, 0, v[\to+1], vcc
.endm

// Eight elements of any row, one by one, and waited for.
.macro load_by_element to, at
  .irp i, 0, 1, 2, 3
    global_load_ushort v[\to+\i], v[\at:\at+1], off offset:4*\i
    global_load_ushort v[PARTS+\i], v[\at:\at+1], off offset:4*\i+2
  .endr
  s_waitcnt vmcnt(0)
  .irp i, 0, 1, 2, 3
    v_lshl_or_b32 v[\to+\i], v[PARTS+\i], 16, v[\to+\i]
  .endr
.endm

.macro go_on at
  v_add_co_u32 v[\at], vcc, 32, v[\at]
  s_nop 1
  v_addc_co_u32 v[\at+1], vcc, 0, v[\at+1], vcc
.endm

// Over four elements of K from each half of the wave. Which ones go together is free, as long as it
// is the same in A and B: here the upper half's are 8 further on.
.macro multiply a, b
  .if HALYARD_TYPE_T == 3
    v_mfma_f32_32x32x8_f16 v[SUMS:SUMS+15], v[\a:\a+1], v[\b:\b+1], v[SUMS:SUMS+15]
  .else
    v_mfma_f32_32x32x8_bf16 v[SUMS:SUMS+15], v[\a:\a+1], v[\b:\b+1], v[SUMS:SUMS+15]
  .endif
.endm

// Stores v[\sum], of the lane's column and of row \down, in the upper half \down + 4, unless that is
// past the last.
.macro store_sum sum, down
  v_lshlrev_b32 v[PARTS+2], 2, v[UPPER]
  v_add_u32 v[PARTS+2], s[FIRST_ROW], v[PARTS+2]
  v_add_u32 v[PARTS+2], \down, v[PARTS+2]
  v_cmp_gt_u32 vcc, s[ROWS], v[PARTS+2]
  s_and_b64 exec, exec, vcc
  v_mad_u64_u32 v[PARTS:PARTS+1], s[SPARE_PAIR:SPARE_PAIR+1], v[PARTS+2], s[C_STRIDE], 0
  v_mul_lo_u32 v[PARTS+2], v[PARTS+2], s[C_STRIDE+1]
  v_add_u32 v[PARTS+1], v[PARTS+1], v[PARTS+2]
  v_lshlrev_b64 v[PARTS:PARTS+1], 1, v[PARTS:PARTS+1]
  v_mov_b32 v[PARTS+2], s[C_AT+1]
  v_add_co_u32 v[PARTS], vcc, s[C_AT], v[PARTS]
  s_nop 1
  v_addc_co_u32 v[PARTS+1], vcc, v[PARTS+2], v[PARTS+1], vcc
  v_add_co_u32 v[PARTS], vcc, v[PARTS], v[SPARE]
  s_nop 1
  v_addc_co_u32 v[PARTS+1], vcc, 0, v[PARTS+1], vcc
  v_add_f32 v[PARTS+2], v[\sum], v[MORE]
  store_element v[PARTS:PARTS+1], v[PARTS+2], off, v[PARTS+3], s[HALF]
  s_mov_b64 exec, s[IN_COLUMNS:IN_COLUMNS+1]
.endm

.text
.globl gemm_tile
.p2align 8
.type gemm_tile, @function
gemm_tile:
  s_load_dwordx16 s[4:19], s[0:1], 0
  v_and_b32 v[SPARE], 0x3ff, v0             // the other dimensions' numbers lie above
  v_lshrrev_b32 v[UPPER], 5, v[SPARE]
  v_and_b32 v[LANE], 31, v[SPARE]
  s_mov_b64 s[ALL_LANES:ALL_LANES+1], exec
  s_movk_i32 s[HALF], 0x7fff
  s_lshl_b32 s[FIRST_COLUMN], s2, 5
  s_lshl_b32 s[FIRST_ROW], s3, 5
  s_waitcnt lgkmcnt(0)

  s_sub_u32 s[LAST], s[ROWS], 1
  operand_address A_ADDRESS, A_AT, s[FIRST_ROW], s[A_STRIDE], s[A_STRIDE+1]
  s_sub_u32 s[LAST], s[COLUMNS], 1
  operand_address B_ADDRESS, B_AT, s[FIRST_COLUMN], s[DEPTH], 0
  s_and_b32 s[UNALIGNED], s[A_STRIDE], 7
  .set i, 0
  .rept 16
    v_mov_b32 v[SUMS+i], 0
    .set i, i+1
  .endr

  s_mov_b32 s[K], 0
  s_cmp_eq_u32 s[DEPTH], 0
  s_cbranch_scc1 .Lstore
.Lnext:
  global_load_dwordx4 v[B_TILE:B_TILE+3], v[B_ADDRESS:B_ADDRESS+1], off
  s_cmp_lg_u32 s[UNALIGNED], 0
  s_cbranch_scc1 .Lby_element
  global_load_dwordx4 v[A_TILE:A_TILE+3], v[A_ADDRESS:A_ADDRESS+1], off
  s_branch .Lloaded
.Lby_element:
  load_by_element A_TILE, A_ADDRESS
.Lloaded:
  go_on A_ADDRESS
  go_on B_ADDRESS
  s_add_u32 s[K], s[K], 16
  s_waitcnt vmcnt(0)
  multiply A_TILE, B_TILE
  multiply A_TILE+2, B_TILE+2
  s_cmp_lt_u32 s[K], s[DEPTH]
  s_cbranch_scc1 .Lnext
  s_nop 15                                  // the sums come 18 cycles behind
  s_nop 1

.Lstore:
  v_add_u32 v[SPARE], s[FIRST_COLUMN], v[LANE]
  v_cmp_gt_u32 vcc, s[COLUMNS], v[SPARE]
  s_and_b64 s[IN_COLUMNS:IN_COLUMNS+1], s[ALL_LANES:ALL_LANES+1], vcc
  s_mov_b64 exec, s[IN_COLUMNS:IN_COLUMNS+1]
  v_lshlrev_b32 v[SPARE], 1, v[SPARE]       // the byte in a row of C, and in the bias
  v_mov_b32 v[MORE], 0
  s_cmp_eq_u32 s[HAS_BIAS], 0
  s_cbranch_scc1 .Lno_bias
  global_load_ushort v[MORE], v[SPARE], s[BIAS_AT:BIAS_AT+1]
  s_waitcnt vmcnt(0)
  widen v[MORE]
.Lno_bias:
  .irp i, 0, 1, 2, 3                        // v[SUMS+4i+j] is of row 8i + j
    store_sum SUMS+4*\i, 8*\i
    store_sum SUMS+4*\i+1, 8*\i+1
    store_sum SUMS+4*\i+2, 8*\i+2
    store_sum SUMS+4*\i+3, 8*\i+3
  .endr
  s_endpgm
.Lcode_end:
.size gemm_tile, .Lcode_end - gemm_tile

.rodata
.p2align 6
.amdhsa_kernel gemm_tile
  .amdhsa_group_segment_fixed_size 0
  .amdhsa_kernarg_size 64
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_accum_offset 36
  .amdhsa_next_free_vgpr 36
  .amdhsa_next_free_sgpr 32
  .amdhsa_float_denorm_mode_32 3
  .amdhsa_float_denorm_mode_16_64 3
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: gemm_tile
    .symbol: gemm_tile.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 38
    .vgpr_count: 36
    .max_flat_workgroup_size: 64
    .args:
      - {.name: a_matrix, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: b_matrix, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: bias, .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: c_matrix, .offset: 24, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: a_stride, .offset: 32, .size: 8, .value_kind: by_value}
      - {.name: c_stride, .offset: 40, .size: 8, .value_kind: by_value}
      - {.name: rows, .offset: 48, .size: 4, .value_kind: by_value}
      - {.name: columns, .offset: 52, .size: 4, .value_kind: by_value}
      - {.name: depth, .offset: 56, .size: 4, .value_kind: by_value}
      - {.name: has_bias, .offset: 60, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
