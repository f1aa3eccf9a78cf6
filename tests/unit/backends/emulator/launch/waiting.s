// SPDX-License-Identifier: Apache-2.0
// A wave that waits for a barrier to which it has not signalled.
.text
.globl waiting
.p2align 8
.type waiting,@function
waiting:
  s_barrier_wait 0xffff
  s_endpgm
.Lend:
.size waiting, .Lend-waiting
.rodata
.p2align 6
.amdhsa_kernel waiting
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: waiting
    .symbol: waiting.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 8
    .max_flat_workgroup_size: 256
    .args: []
...
.end_amdgpu_metadata
