// SPDX-License-Identifier: Apache-2.0
// A wave computes 32 x 32 elements of C = A * B^T + bias, as 2 x 2 tiles of WMMA, which multiplies 16
// rows of A by 16 rows of B over 16 elements of K. K is a multiple of 16.
// For gfx1100; proven in an interpreter, never on hardware.
.include "gfx11.inc"

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
.set ALL_LANES, 26

.set LANE, 0                                // 0 to 15; the upper half of the wave repeats the lower
.set UPPER, 1                               // 1 in the upper half
.set SPARE, 2
.set MORE, 3
.set A_LOW, 4                               // v[4:5], where the lane's row of A goes on
.set A_HIGH, 6                              // the row 16 further down
.set B_LOW, 8
.set B_HIGH, 10
.set A_TILES, 16                            // v[16:23] and v[24:31]: 16 elements of a row each
.set B_TILES, 32                            // v[32:39], v[40:47]
.set SUMS, 48                               // v[48:79], four tiles of eight
.set PARTS, 80                              // v[80:87], odd elements on their way

// v[\to:\to+1] = s[\base:\base+1] + the lane's row, \first + v[LANE] + \down, but at most s[LAST], times
// the stride \low, \high, in elements of two bytes.
.macro operand_address to, base, first, down, low, high
  v_add_nc_u32 v[SPARE], \first, v[LANE]
  v_add_nc_u32 v[SPARE], \down, v[SPARE]
  v_min_u32 v[SPARE], s[LAST], v[SPARE]
  v_mad_u64_u32 v[\to:\to+1], null, v[SPARE], \low, 0
  v_mul_lo_u32 v[SPARE], v[SPARE], \high
  v_add_nc_u32 v[\to+1], v[\to+1], v[SPARE]
  v_lshlrev_b64 v[\to:\to+1], 1, v[\to:\to+1]
  v_add_co_u32 v[\to], vcc_lo, v[\to], s[\base]
  v_add_co_ci_u32 v[\to+1], vcc_lo, s[\base+1], v[\to+1], vcc_lo
.endm

// The next 16 elements of a row that begins at a multiple of 16 bytes.
.macro load_packed to, at
  global_load_b128 v[\to:\to+3], v[\at:\at+1], off
  global_load_b128 v[\to+4:\to+7], v[\at:\at+1], off offset:16
.endm

// The next 16 elements of any row, one by one, and waited for.
.macro load_by_element to, at
  .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    global_load_u16 v[\to+\i], v[\at:\at+1], off offset:4*\i
    global_load_u16 v[PARTS+\i], v[\at:\at+1], off offset:4*\i+2
  .endr
  s_waitcnt vmcnt(0)
  .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    v_lshl_or_b32 v[\to+\i], v[PARTS+\i], 16, v[\to+\i]
  .endr
.endm

.macro go_on at
  v_add_co_u32 v[\at], vcc_lo, v[\at], 32
  v_add_co_ci_u32 v[\at+1], vcc_lo, 0, v[\at+1], vcc_lo
.endm

.macro multiply sums, a, b
  .if HALYARD_TYPE_T == 3
    v_wmma_f32_16x16x16_f16 v[\sums:\sums+7], v[\a:\a+7], v[\b:\b+7], v[\sums:\sums+7]
  .else
    v_wmma_f32_16x16x16_bf16 v[\sums:\sums+7], v[\a:\a+7], v[\b:\b+7], v[\sums:\sums+7]
  .endif
.endm

// Stores one tile, whose sums are v[\sums:\sums+7]: the lane has column v[LANE] and, in v[\sums+i], row
// 2 i, in the upper half 2 i + 1.
.macro store_tile sums, down, right
  v_add_nc_u32 v[SPARE], s[FIRST_COLUMN], v[LANE]
  v_add_nc_u32 v[SPARE], \right, v[SPARE]
  v_cmp_gt_u32 vcc_lo, s[COLUMNS], v[SPARE]
  s_and_b32 exec_lo, exec_lo, vcc_lo
  v_lshlrev_b32 v[SPARE], 1, v[SPARE]       // the byte in a row of C, and in the bias
  v_mov_b32 v[MORE], 0
  s_cmp_eq_u32 s[HAS_BIAS], 0
  s_cbranch_scc1 .Lno_bias_\@
  global_load_u16 v[MORE], v[SPARE], s[BIAS_AT:BIAS_AT+1]
  s_waitcnt vmcnt(0)
  widen v[MORE]
.Lno_bias_\@:
  .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    store_sum \sums+\i, \down+2*\i
  .endr
  s_mov_b32 exec_lo, s[ALL_LANES]
.endm

// v[PARTS:PARTS+1] = where C has the lane's row, \down further down, unless it is past the last.
.macro store_sum sum, down
  v_add_nc_u32 v[PARTS+2], s[FIRST_ROW], v[UPPER]
  v_add_nc_u32 v[PARTS+2], \down, v[PARTS+2]
  v_cmp_gt_u32 vcc_lo, s[ROWS], v[PARTS+2]
  s_mov_b32 s[LAST], exec_lo
  s_and_b32 exec_lo, exec_lo, vcc_lo
  v_mad_u64_u32 v[PARTS:PARTS+1], null, v[PARTS+2], s[C_STRIDE], 0
  v_mul_lo_u32 v[PARTS+2], v[PARTS+2], s[C_STRIDE+1]
  v_add_nc_u32 v[PARTS+1], v[PARTS+1], v[PARTS+2]
  v_lshlrev_b64 v[PARTS:PARTS+1], 1, v[PARTS:PARTS+1]
  v_add_co_u32 v[PARTS], vcc_lo, v[PARTS], s[C_AT]
  v_add_co_ci_u32 v[PARTS+1], vcc_lo, s[C_AT+1], v[PARTS+1], vcc_lo
  v_add_co_u32 v[PARTS], vcc_lo, v[PARTS], v[SPARE]
  v_add_co_ci_u32 v[PARTS+1], vcc_lo, 0, v[PARTS+1], vcc_lo
  v_add_f32 v[PARTS+2], v[\sum], v[MORE]
  store_element v[PARTS:PARTS+1], v[PARTS+2], off, v[PARTS+3], s[HALF]
  s_mov_b32 exec_lo, s[LAST]
.endm

.text
.globl gemm_tile
.p2align 8
.type gemm_tile, @function
gemm_tile:
  s_load_b512 s[4:19], s[0:1], 0
  v_and_b32 v[SPARE], 0x3ff, v0             // the other dimensions' numbers lie above
  v_lshrrev_b32 v[UPPER], 4, v[SPARE]
  v_and_b32 v[LANE], 15, v[SPARE]
  s_mov_b32 s[ALL_LANES], exec_lo
  s_movk_i32 s[HALF], 0x7fff
  s_lshl_b32 s[FIRST_COLUMN], s2, 5
  s_lshl_b32 s[FIRST_ROW], s3, 5
  s_waitcnt lgkmcnt(0)

  s_sub_u32 s[LAST], s[ROWS], 1
  operand_address A_LOW, A_AT, s[FIRST_ROW], 0, s[A_STRIDE], s[A_STRIDE+1]
  operand_address A_HIGH, A_AT, s[FIRST_ROW], 16, s[A_STRIDE], s[A_STRIDE+1]
  s_sub_u32 s[LAST], s[COLUMNS], 1
  operand_address B_LOW, B_AT, s[FIRST_COLUMN], 0, s[DEPTH], 0
  operand_address B_HIGH, B_AT, s[FIRST_COLUMN], 16, s[DEPTH], 0
  s_and_b32 s[UNALIGNED], s[A_STRIDE], 7
  .set i, 0
  .rept 32
    v_mov_b32 v[SUMS+i], 0
    .set i, i+1
  .endr

  s_mov_b32 s[K], 0
  s_cmp_eq_u32 s[DEPTH], 0
  s_cbranch_scc1 .Lstore
.Lnext:
  load_packed B_TILES, B_LOW
  load_packed B_TILES+8, B_HIGH
  s_cmp_lg_u32 s[UNALIGNED], 0
  s_cbranch_scc1 .Lby_element
  load_packed A_TILES, A_LOW
  load_packed A_TILES+8, A_HIGH
  s_branch .Lloaded
.Lby_element:
  load_by_element A_TILES, A_LOW
  load_by_element A_TILES+8, A_HIGH
.Lloaded:
  go_on A_LOW
  go_on A_HIGH
  go_on B_LOW
  go_on B_HIGH
  s_add_u32 s[K], s[K], 16
  s_waitcnt vmcnt(0)
  multiply SUMS, A_TILES, B_TILES
  multiply SUMS+8, A_TILES, B_TILES+8
  multiply SUMS+16, A_TILES+8, B_TILES
  multiply SUMS+24, A_TILES+8, B_TILES+8
  s_cmp_lt_u32 s[K], s[DEPTH]
  s_cbranch_scc1 .Lnext

.Lstore:
  store_tile SUMS, 0, 0
  store_tile SUMS+8, 0, 16
  store_tile SUMS+16, 16, 0
  store_tile SUMS+24, 16, 16
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
  .amdhsa_wavefront_size32 1
  .amdhsa_next_free_vgpr 88
  .amdhsa_next_free_sgpr 27
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
    .wavefront_size: 32
    .sgpr_count: 29
    .vgpr_count: 88
    .max_flat_workgroup_size: 32
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
