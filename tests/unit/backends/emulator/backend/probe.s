// SPDX-License-Identifier: Apache-2.0
// Kernels of the tests of the emulator's devices, for gfx1100: each of 32 lanes, over a buffer of
// words and their count.

// v1 = the lane's place in the grid, s[4:5] the buffer, s6 the count; leaves for \done without one.
.macro begin done
  s_load_b64 s[4:5], s[0:1], 0
  s_load_b32 s6, s[0:1], 8
  s_lshl_b32 s7, s2, 5
  v_and_b32 v0, 0x3ff, v0
  v_add_nc_u32 v1, s7, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32 vcc_lo, s6, v1
  s_and_saveexec_b32 s8, vcc_lo
  s_cbranch_execz \done
  v_lshlrev_b32 v2, 2, v1
.endm

.macro kernel name
.text
.globl \name
.p2align 8
.type \name, @function
\name:
.endm

// With what the loader needs to know, which is the same for all.
.macro end name
  s_endpgm
.size \name, . - \name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_kernarg_size 12
  .amdhsa_user_sgpr_count 2
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_wavefront_size32 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 9
.end_amdhsa_kernel
.endm

// words[i] += 1
kernel increment
  begin .Lincrement_end
  global_load_b32 v3, v2, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_nc_u32 v3, 1, v3
  global_store_b32 v2, v3, s[4:5]
.Lincrement_end:
end increment

// As above, without the wait.
kernel increment_at_once
  begin .Lincrement_at_once_end
  global_load_b32 v3, v2, s[4:5]
  v_add_nc_u32 v3, 1, v3
  global_store_b32 v2, v3, s[4:5]
.Lincrement_at_once_end:
end increment_at_once

// Never ends.
kernel spin
  begin .Lspin_end
.Lspin:
  s_branch .Lspin
.Lspin_end:
end spin

.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: increment
    .symbol: increment.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 11
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: words, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: count, .offset: 8, .size: 4, .value_kind: by_value}
  - .name: increment_at_once
    .symbol: increment_at_once.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 11
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: words, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: count, .offset: 8, .size: 4, .value_kind: by_value}
  - .name: spin
    .symbol: spin.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 11
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: words, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: count, .offset: 8, .size: 4, .value_kind: by_value}
...
.end_amdgpu_metadata
