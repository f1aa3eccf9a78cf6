// SPDX-License-Identifier: Apache-2.0
// Branches, calls, waits, messages, and instructions that a compiler does not choose by itself.
#include "device.h"

__attribute__((device, noinline)) int collatz(int n) {
  int steps = 0;
  while (n != 1) {
    n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
KERNEL calls(int* out, const int* in) {
  out[global_x()] = collatz(in[global_x()]) + collatz(int(group_x()) + 1);
}

KERNEL branches(int* out, const int* in, u32 n) {
  const int v = in[global_x()];
  int r = 0;
  switch (n) {
    case 0:
      r = v * 3;
      break;
    case 1:
      r = v / 7;
      break;
    case 2:
      r = in[v];
      break;
    case 3:
      r = __builtin_popcount(v);
      break;
    case 4:
      r = in[n + 100] * v;
      break;
    case 9:
      r = -v;
      break;
    default:
      r = int(group_z());
  }
  if (v > 10) {
    for (int i = 0; i < v; ++i) {
      r += in[i * 3];
      if (r < 0) break;
    }
  } else if (v < -10) {
    r = in[r & 15];
  }
  out[global_x()] = r;
}

KERNEL waits(u32* out, u32 mode) {
  __builtin_amdgcn_s_sleep(3);
  __builtin_amdgcn_s_setprio(2);
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_dcache_inv();
  __builtin_amdgcn_s_sendmsg(0, 5);
  const u64 time = __builtin_readcyclecounter();
  out[0] = u32(time) + __builtin_amdgcn_s_getreg(0x1801);
#if defined(__gfx942__)
  out[1] = u32(__builtin_amdgcn_s_memrealtime());
#endif
  __builtin_amdgcn_s_setreg(0x801, mode);
  __builtin_amdgcn_s_setreg(0x1801, 12);
  __builtin_amdgcn_s_barrier();
  if (out[2] == 1) __builtin_trap();
  out[5] = __builtin_amdgcn_dispatch_ptr() != nullptr;
}

KERNEL written_by_hand(u32* out, float x) {
  u32 r;
  float f = x;
#if defined(__gfx942__)
  __asm__ volatile(
      "v_add_f32 %1, -%1, |%1|\n"
      "v_mul_f32_e64 %1, |%1|, -v0 clamp mul:2\n"
      "v_add_u16_sdwa %0, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 "
      "src1_sel:WORD_1\n"
      "v_cvt_f32_u32_sdwa %1, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0\n"
      "v_cmp_lt_f32_sdwa s[4:5], v0, v1 src0_sel:WORD_1 src1_sel:DWORD\n"
      "v_pk_fma_f16 %0, %0, v1, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[1,0,0] neg_hi:[0,0,1]\n"
      "v_fma_mix_f32 %1, v0, -v1, |v2| op_sel:[1,0,0] op_sel_hi:[1,0,1]\n"
      "v_accvgpr_write_b32 a0, %0\n"
      "v_accvgpr_read_b32 %0, a0\n"
      "s_waitcnt vmcnt(5) lgkmcnt(3)\n"
      "s_waitcnt expcnt(2)\n"
      "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n"
      "s_set_gpr_idx_on s4, gpr_idx(SRC0,DST)\n"
      "s_set_gpr_idx_off\n"
      "v_fmamk_f32 %1, v0, 0x42f6e979, v1\n"
      "v_fmaak_f32 %1, v0, v1, 0x42f6e979\n"
      "v_cndmask_b32_e64 %0, v0, -1, s[6:7]\n"
      "s_load_dwordx4 s[8:11], s[2:3], s5\n"
      "s_buffer_load_dword s12, s[8:11], 0x10\n"
      "s_waitcnt lgkmcnt(0)\n"
      "v_div_scale_f32 %1, vcc, v0, v1, v0\n"
      "ds_read2st64_b32 v[4:5], %0 offset0:1 offset1:3\n"
      "ds_write_b32 %0, %0 offset:65535\n"
      "buffer_load_dword %0, v4, s[8:11], 0 idxen offset:40 sc0 nt sc1\n"
      "tbuffer_load_format_x %0, v4, s[8:11], dfmt:4, nfmt:7, s5 offen\n"
      "global_load_dword %0, v4, s[2:3] offset:-16 sc0\n"
      "s_endpgm_saved\n"
      : "=&v"(r), "+v"(f)::"v0", "v1", "v2", "v4", "v5", "a0", "vcc", "s4", "s5", "s6", "s7", "s8",
        "s9", "s10", "s11", "s12");
#else
  __asm__ volatile(
      "v_add_f32_e64 %1, -%1, |%1|\n"
      "v_mul_f32_e64 %1, |%1|, -v0 clamp mul:2\n"
      "v_pk_fma_f16 %0, %0, v1, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[1,0,0] neg_hi:[0,0,1]\n"
      "v_fma_mix_f32 %1, v0, -v1, |v2| op_sel:[1,0,0] op_sel_hi:[1,0,1]\n"
      "v_fma_mixlo_f16 %0, v0, -v1, 1.0\n"
      "v_fmamk_f32 %1, v0, 0x42f6e979, v1\n"
      "v_fmaak_f32 %1, v0, v1, 0x42f6e979\n"
      "v_cndmask_b32_e64 %0, v0, -1, s6\n"
      "v_div_scale_f32 %1, vcc_lo, v0, v1, v0\n"
      "v_fma_f16 %0, v0, v1, v2 op_sel:[1,0,1,1]\n"
      "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v3, 0x42f6e979, v2\n"
      "v_dual_fmaak_f32 v0, v1, v4, 0x42f6e979 :: v_dual_mul_f32 v5, s4, v2\n"
      "v_add_f32_e64_dpp %1, -v0, |v1| row_shr:3 row_mask:0x3 bank_mask:0x7 fi:1\n"
      "v_mov_b32_dpp %0, v0 dpp8:[7,6,5,4,3,2,1,0] fi:1\n"
      "v_cmp_lt_f32_e64 s6, |v0|, -v1\n"
      "v_cmpx_ne_u32_e32 v0, v1\n"
      "v_cmp_class_f32_e64 vcc_lo, v0, v1\n"
      "s_clause 0x3\n"
      "s_setreg_imm32_b32 hwreg(1, 4, 2), 3\n"
      "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(TRANS32_DEP_2)\n"
      "ds_permute_b32 %0, v0, v1 offset:16\n"
      "s_bitreplicate_b64_b32 s[8:9], s4\n"
      "v_interp_p10_f32 %1, v0, v1, v2 wait_exp:1\n"
      "s_version 1\n"
      "s_ttracedata_imm 5\n"
#if defined(__gfx1100__)
      "s_set_inst_prefetch_distance 0x3\n"
      "s_waitcnt_depctr depctr_va_vdst(3) depctr_sa_sdst(0)\n"
      "s_waitcnt vmcnt(5) expcnt(2) lgkmcnt(3)\n"
      "s_waitcnt_vscnt null, 0x2\n"
      "s_sendmsg_rtn_b32 s7, sendmsg(MSG_RTN_GET_REALTIME)\n"
      "ds_load_2addr_stride64_b32 v[4:5], %0 offset0:1 offset1:3\n"
      "ds_add_u32 %0, v0 offset:8 gds\n"
      "buffer_load_b32 %0, v4, s[8:11], 0 idxen offset:40 glc slc dlc\n"
      "buffer_load_b32 %0, v[4:5], s[8:11], s5 idxen offen\n"
      "tbuffer_load_format_x %0, v4, s[8:11], s5 format:[BUF_FMT_32_FLOAT] offen\n"
      "s_load_b128 s[8:11], s[2:3], s5 offset:0x20\n"
      "global_load_b32 %0, v4, s[2:3] offset:-16 glc\n"
      "v_interp_p2_f32 %1, v0, v1, v2\n"
      "lds_param_load v4, attr3.y wait_vdst:2\n"
      "exp mrt0 v0, v1, off, v2 done\n"
#else
      "s_wait_alu 0xfffe\n"
      "s_wait_loadcnt_dscnt 0x304\n"
      "s_wait_storecnt 0x2\n"
      "s_prefetch_inst s[2:3], 0x10, s4, 3\n"
      "s_sleep_var s4\n"
      "s_barrier_signal -1\n"
      "s_barrier_wait -1\n"
      "s_sendmsg_rtn_b32 s7, sendmsg(MSG_RTN_GET_REALTIME)\n"
      "ds_load_2addr_stride64_b32 v[4:5], %0 offset0:1 offset1:3\n"
      "buffer_load_b32 %0, v4, s[8:11], s5 idxen offset:40 th:TH_LOAD_NT scope:SCOPE_SYS\n"
      "buffer_atomic_add_u32 %0, v4, s[8:11], null offen th:TH_ATOMIC_RETURN\n"
      "tbuffer_load_format_x %0, v4, s[8:11], s5 format:[BUF_FMT_32_FLOAT] offen\n"
      "s_load_b128 s[8:11], s[2:3], s5 offset:0x20 th:TH_LOAD_HT scope:SCOPE_DEV\n"
      "global_load_b32 %0, v4, s[2:3] offset:-16 th:TH_LOAD_LU scope:SCOPE_SE\n"
      "ds_param_load v4, attr3.y wait_va_vdst:2 wait_vm_vsrc:1\n"
      "export mrt0 v0, v1, off, v2 done\n"
      "s_minimum_f32 s4, s5, 0x42f6e979\n"
      "v_s_exp_f32 s4, s5\n"
#endif
      : "=&v"(r), "+v"(f)::"v0", "v1", "v2", "v3", "v4", "v5", "vcc", "s4", "s5", "s6", "s7", "s8",
        "s9", "s10", "s11");
#endif
  out[lane_x()] = r + u32(f);
}
