// SPDX-License-Identifier: Apache-2.0
// Kernels that must be refused, one for each CASE_ macro. They are read as bytes and never run.
#include "device.h"

#if defined(CASE_counter)
DEVICE int counter;
#define BODY ++counter;
#elif defined(CASE_trap)
#define BODY if (y[0] == 1) __builtin_trap();
#elif defined(CASE_message)
#define BODY asm volatile("s_sendmsg sendmsg(MSG_INTERRUPT)");
#elif defined(CASE_halt)
#define BODY asm volatile("s_sethalt 1");
#elif defined(CASE_jump_to_data)
#define BODY asm volatile("s_setpc_b64 %0" ::"s"(y));
#elif defined(CASE_false_return)
#define BODY asm volatile("s_mov_b64 s[30:31], %0\ns_setpc_b64 s[30:31]" ::"s"(y) : "s30", "s31");
#elif defined(CASE_jump_out)
#define BODY                                                                             \
  asm volatile("s_getpc_b64 s[20:21]\ns_add_u32 s20, s20, 0x100000\ns_addc_u32 s21, s21, 0\n" \
               "s_setpc_b64 s[20:21]" ::: "s20", "s21");
#elif defined(CASE_mode)
#define BODY                                                             \
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3");        \
  y[lane()] = x[lane()] + y[lane()];
#elif defined(CASE_restored_mode)
#define BODY                                                             \
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3");        \
  y[lane()] = x[lane()] + y[lane()];                                     \
  asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 0");
#elif defined(CASE_other_register)
#define BODY asm volatile("s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 4), 3");
#elif defined(CASE_data_in_code)
#define BODY asm volatile("s_branch 1\n.long 0xfc0dfc0d");
#elif defined(CASE_branch_out)
#define BODY asm volatile("s_branch 0x7000");
#elif defined(CASE_undefined)
extern "C" DEVICE __attribute__((weak, visibility("default"))) void elsewhere(float* out);
#define BODY elsewhere(y);
#elif defined(CASE_small_block)
#undef BLOCK
#define BLOCK(lanes) __attribute__((amdgpu_flat_work_group_size(1, 128)))
#elif defined(CASE_fp8)
using Wide = float __attribute__((ext_vector_type(4)));
#define BODY                                                                        \
  Wide sum = {0, 0, 0, 0};                                                          \
  sum = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(((const i64*)x)[lane()],         \
                                                   ((const i64*)x)[lane() + 64], sum, 0, 0, 0); \
  y[lane()] = sum[0];
#endif

#ifndef BODY
#define BODY y[lane()] = x[lane()];
#endif

KERNEL BLOCK(256) entry(const float* x, float* y) {
  BODY
}
