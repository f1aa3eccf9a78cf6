// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/operand_text.h"

#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"

#include <gtest/gtest.h>

#include <sstream>

namespace halyard::isa {
namespace {

using testing::shipped_instruction_set;

struct Row {
  const char* words;
  const char* text;  // as LLVM 19 writes it
};

// Writes the instructions of one architecture.
class Texts {
 public:
  Texts(std::string_view architecture, std::uint32_t wavefront_size)
      : set_(shipped_instruction_set(architecture)),
        decoder_(*InstructionDecoder::create(set_)),
        writer_(set_, wavefront_size) {}

  std::string of(const std::string& hex_words, std::string_view label = {}) const {
    std::vector<std::uint32_t> words;
    std::istringstream stream(hex_words);
    for (std::string word; stream >> word;)
      words.push_back(static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    DecodedInstruction decoded;
    if (!decoder_.decode(words, &decoded)) return "nothing";
    return writer_.text(decoded, words, label);
  }

  std::optional<std::int64_t> distance(std::uint32_t word) const {
    DecodedInstruction decoded;
    const std::array<std::uint32_t, 1> words = {word};
    if (!decoder_.decode(words, &decoded)) return std::nullopt;
    return writer_.branch_distance(decoded, words);
  }

 private:
  InstructionSet set_;
  InstructionDecoder decoder_;
  InstructionWriter writer_;
};

template <std::size_t N>
void expect_texts(const Texts& texts, const std::array<Row, N>& rows) {
  for (const Row& row : rows)
    EXPECT_EQ(texts.of(row.words), row.text) << row.words;
}

TEST(OperandText, Rdna3IsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"f4080200 f8000000", "s_load_b128 s[8:11], s[0:1], null"},
      Row{"f4040000 f8000010", "s_load_b64 s[0:1], s[0:1], 0x10"},
      Row{"bf89fc07", "s_waitcnt lgkmcnt(0)"},
      Row{"bf8917f7", "s_waitcnt vmcnt(5)"},
      Row{"bf870112", "s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)"},
      Row{"bfa50044", "s_cbranch_execz 68"},
      Row{"7c8806ff 000f4241", "v_cmp_gt_i32_e32 vcc_lo, 0xf4241, v3"},
      Row{"4010100b", "v_add_co_ci_u32_e32 v8, vcc_lo, s11, v8, vcc_lo"},
      Row{"dc520000 047c0007", "global_load_b32 v4, v[7:8], off"},
      Row{"dc6a0000 00000100", "global_store_b32 v0, v1, s[0:1]"},
      Row{"ca200080 010804ff 00000440", "v_dual_mov_b32 v1, 0 :: v_dual_add_nc_u32 v8, 0x440, v2"},
      Row{"ca520500 00000901", "v_dual_cndmask_b32 v0, v0, v2 :: v_dual_cndmask_b32 v1, v1, v4"},
      Row{"cc44c021 3c066329",
          "v_wmma_i32_16x16x16_iu8 v[33:40], v[41:44], v[49:52], v[1:8] neg_lo:[1,0,0] clamp"},
      Row{"d65b1002 02090301", "v_permlane16_b32 v2, v1, 1, 2 op_sel:[0,1]"},
      Row{"060202fa ff091101",
          "v_add_f32_dpp v1, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"},
      Row{"7e0402e9 6db68802", "v_mov_b32_dpp v2, v2 dpp8:[0,1,2,3,3,3,3,3]"},
      Row{"dd0a4008 02020001", "global_atomic_cmpswap_b64 v[2:3], v1, v[0:3], s[2:3] offset:8 glc"},
      Row{"b9800901 00000003", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3"},
      Row{"b881981d", "s_getreg_b32 s1, hwreg(HW_REG_SHADER_CYCLES, 0, 20)"},
      Row{"cc0f4005 180208ff c400c200", "v_pk_add_f16 v5, 0xc400c200, v4"},
      Row{"cc0e1405 8c0e0703",
          "v_pk_fma_f16 v5, v3, v3, v3 op_sel:[0,1,0] op_sel_hi:[1,0,0] neg_lo:[0,0,1] "
          "neg_hi:[0,0,1]"},
      Row{"cc204c07 4c0a0300", "v_fma_mix_f32 v7, v0, -v1, |v2| op_sel:[1,0,0] op_sel_hi:[1,0,1]"},
      Row{"d6fc7c07 041a0502", "v_div_scale_f32 v7, null, v2, v2, v6"},
      Row{"d5088107 48020107", "v_mul_f32_e64 v7, |v7|, -v0 clamp mul:2"},
      Row{"dc5d0080 047c0000", "scratch_load_b128 v[4:7], off, off offset:128"},
      Row{"d8dc1100 01000008", "ds_load_2addr_b32 v[1:2], v8 offset1:17"},
      Row{"d8d4401f 02000001", "ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,16)"},
      Row{"bf880fff", "s_waitcnt_depctr 0xfff"},
      Row{"bc7c0000", "s_waitcnt_vscnt null, 0x0"},
      Row{"be804c80", "s_sendmsg_rtn_b32 s0, sendmsg(MSG_RTN_GET_DOORBELL)"},
      Row{"e0507028 80820804", "buffer_load_b32 v8, v4, s[8:11], 0 idxen offset:40 glc slc dlc"},
      Row{"e8b00000 05420804",
          "tbuffer_load_format_x v8, v4, s[8:11], s5 format:[BUF_FMT_32_FLOAT] offen"},
      Row{"f800080b 02000100", "exp mrt0 v0, v1, off, v2 done"},
      Row{"ce020d04", "lds_param_load v4, attr3.y wait_vdst:2"},
      Row{"cd000107 040a0300", "v_interp_p10_f32 v7, v0, v1, v2 wait_exp:1"},
      Row{"580e0300 42f6e979", "v_fmamk_f32 v7, v0, 0x42f6e979, v1"},
      Row{"5a0e0300 42f6e979", "v_fmaak_f32 v7, v0, v1, 0x42f6e979"},
      Row{"7e040501", "v_readfirstlane_b32 s2, v1"},
      Row{"dc5e0010 0f7c000d", "global_load_b128 v[15:18], v[13:14], off offset:16"},
      Row{"bf850001", "s_clause 0x1"},
      Row{"d6260007 02150504", "v_cvt_pk_u8_f32 v7, v4, 2, 5"},
      Row{"d72b0108 00021102", "v_ldexp_f64 v[8:9], |v[2:3]|, v8"},
      Row{"f40c0b03 f8000040", "s_load_b256 s[44:51], s[6:7], 0x40"},
      Row{"d4cc007e 00020408", "v_cmpx_gt_u32_e64 s8, v2"},
      Row{"bfb00000", "s_endpgm"},
      Row{"d5030200 600202f6", "v_add_f32_e64 v0, neg(4.0), -|v1|"},
      Row{"d5010200 200e0501", "v_cndmask_b32_e64 v0, -v1, |v2|, s3"},
      Row{"d6140000 03ce04f8", "v_fma_f64 v[0:1], 0.15915494309189532, v[2:3], -1.0"},
      Row{"be8001eb", "s_mov_b64 s[0:1], src_shared_base"},
  };
  expect_texts(Texts("rdna3", 32), kRows);
}

TEST(OperandText, Rdna3AndAHalfIsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"f1280308 1002283c",
          "image_sample_c_d_cl_o v[40:41], v[60:71], s[8:15], s[16:19] dmask:0x3 "
          "dim:SQ_RSRC_IMG_3D"},
      Row{"f0020f04 0002283c",
          "image_load v[40:41], v[60:61], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D d16"},
      Row{"f1940108 1002283c",
          "image_gather4_c_b_cl v[40:43], v[60:65], s[8:15], s[16:19] dmask:0x1 "
          "dim:SQ_RSRC_IMG_3D"},
      Row{"f0300105 0002283c 0000003e",
          "image_atomic_add v40, [v60, v62], s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_2D"},
      Row{"f0698f81 00012801 00070403",
          "image_bvh64_intersect_ray v[40:43], [v[1:2], v3, v[4:6], v[7:9]], s[4:7] a16"},
      Row{"f800016f 04030201", "exp dual_src_blend1 v1, v2, v3, v4"},
      Row{"d7270004 000000ff 12345678", "v_add_f64 v[4:5], 0x12345678, s[0:1]"},
      Row{"bb040001", "s_subvector_loop_begin s4, 1"},
      Row{"7cfe44c1", "v_cmp_class_f64_e32 vcc_lo, -1, v34"},
      Row{"e0c40010 03020000", "buffer_load_lds_b32 off, s[8:11], s3 offset:16"},
      Row{"e0500000 7c222800", "buffer_load_b32 v[40:41], off, s[8:11], null tfe"},
      Row{"d8560000 0000140a", "ds_add_f32 v10, v20 gds"},
  };
  expect_texts(Texts("rdna3_5", 32), kRows);
}

TEST(OperandText, Rdna4IsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"bfc70000", "s_wait_kmcnt 0x0"},
      Row{"bfc80000", "s_wait_loadcnt_dscnt 0x0"},
      Row{"bf88fffe", "s_wait_alu 0xfffe"},
      Row{"f40480c1 08000010", "s_prefetch_inst s[2:3], 0x10, s4, 3"},
      Row{"f5404201 0a000020",
          "s_load_b128 s[8:11], s[2:3], s5 offset:0x20 th:TH_LOAD_HT scope:SCOPE_DEV"},
      Row{"c4050005 809c1008 00002804",
          "buffer_load_b32 v8, v4, s[8:11], s5 idxen offset:40 th:TH_LOAD_NT scope:SCOPE_SYS"},
      Row{"ee0d407c 01180002 00000006",
          "global_atomic_add_u32 v2, v[6:7], v2, off th:TH_ATOMIC_RETURN scope:SCOPE_DEV"},
      Row{"ee068008 01100000 0008040a",
          "global_store_b32 v10, v2, s[8:9] offset:2052 th:TH_STORE_NT"},
      Row{"d5ed0807 00000106", "v_cvt_f32_bf8_e64 v7, v6 byte_sel:2"},
      Row{"cc53484c 1ce2450c",
          "v_swmmac_bf16_16x16x32_bf16 v[76:79], v[12:15], v[34:41], v56 index_key:1"},
      Row{"ce820d04", "ds_param_load v4, attr3.y wait_va_vdst:2 wait_vm_vsrc:1"},
      Row{"f800080b 02000100", "export mrt0 v0, v1, off, v2 done"},
      Row{"d6800004 00000005", "v_s_exp_f32 s4, s5"},
      Row{"be804ec1", "s_barrier_signal -1"},
      Row{"e44a0006 04002028 40302010",
          "image_sample_b_o v40, [v16, v32, v48, v[64:65]], s[16:23], s[8:11] dmask:0x1 "
          "dim:SQ_RSRC_IMG_2D_MSAA"},
      Row{"be805804", "s_sleep_var s4"},
      Row{"ed06807c 02000000 00002000", "scratch_store_b32 off, v4, off offset:32"},
      Row{"cc474001 1c062711", "v_wmma_f32_16x16x16_fp8_bf8 v[1:8], v[17:18], v[19:20], v[1:8]"},
      Row{"ee0d4002 00ec0000 00000000",
          "global_atomic_add_u32 v0, v1, s[2:3] th:TH_ATOMIC_CASCADE_NT scope:SCOPE_SYS"},
  };
  expect_texts(Texts("rdna4", 32), kRows);
}

TEST(OperandText, Cdna3IsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"d3cc1102 640a3d1c",
          "v_mfma_f32_32x32x8_f16 v[2:17], v[28:29], v[30:31], v[2:17] cbsz:1 abid:2 blgp:3"},
      Row{"d3e1014c 14e2450c",
          "v_mfma_f32_16x16x16_bf16 v[76:79], v[12:13], a[34:35], v[56:59] cbsz:1"},
      Row{"d3d84007 18000100", "v_accvgpr_read_b32 v7, a0"},
      Row{"4c0e02f9 05021500",
          "v_add_u16_sdwa v7, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 "
          "src1_sel:WORD_1"},
      Row{"7c8202f9 06058400", "v_cmp_lt_f32_sdwa s[4:5], v0, v1 src0_sel:WORD_1 src1_sel:DWORD"},
      Row{"7e10aaf9 00020605", "v_cvt_f32_bf8_sdwa v8, v5 src0_sel:BYTE_2"},
      Row{"020202fa ff095501",
          "v_add_f32_dpp v1, v1, v1 row_newbcast:5 row_mask:0xf bank_mask:0xf bound_ctrl:1"},
      Row{"020202fa ff094201",
          "v_add_f32_dpp v1, v1, v1 row_bcast:15 row_mask:0xf bank_mask:0xf bound_ctrl:1"},
      Row{"020202fa ff093001",
          "v_add_f32_dpp v1, v1, v1 wave_shl:1 row_mask:0xf bank_mask:0xf bound_ctrl:1"},
      Row{"bf110904", "s_set_gpr_idx_on s4, gpr_idx(SRC0,DST)"},
      Row{"c0080201 00000005", "s_load_dwordx4 s[8:11], s[2:3], s5"},
      Row{"c0220304 00000010", "s_buffer_load_dword s12, s[8:11], 0x10"},
      Row{"329844f9 0605140c",
          "v_add_co_u32_sdwa v76, vcc, v12, v34 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE "
          "src0_sel:WORD_1 src1_sel:DWORD"},
      Row{"e052e028 80020704", "buffer_load_dword v7, v4, s[8:11], 0 idxen offset:40 sc0 nt sc1"},
      Row{"eba01000 05020704",
          "tbuffer_load_format_x v7, v4, s[8:11], s5 "
          "format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offen"},
      Row{"dc519ff0 07020004", "global_load_dword v7, v4, s[2:3] offset:-16 sc0"},
      Row{"32200403", "v_add_co_u32_e32 v16, vcc, s3, v2"},
      Row{"d3b02004 1c081102",
          "v_pk_fma_f32 v[4:5], v[2:3], s[8:9], v[2:3] op_sel:[0,0,1] op_sel_hi:[1,1,0]"},
      Row{"bf8c0f75", "s_waitcnt vmcnt(5)"},
      Row{"e0510000 03020000", "buffer_load_dword off, s[8:11], s3 lds"},
      Row{"dc5c4078 067f0000", "scratch_load_dwordx4 v[6:9], off, off offset:120"},
      Row{"d86e1100 0e00000a", "ds_read2_b32 v[14:15], v10 offset1:17"},
      Row{"d1000003 00020702", "v_cndmask_b32_e64 v3, v2, v3, s[0:1]"},
      Row{"d3e6084c 0ce2450c",
          "v_smfmac_f32_16x16x32_bf16 v[76:79], a[12:13], v[34:37], v56 abid:1"},
      Row{"bf9b0000", "s_endpgm_saved"},
      Row{"680004f9 86080601",
          "v_add_u32_sdwa v0, sext(v1), s2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 "
          "src1_sel:DWORD"},
      Row{"bf900222", "s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 2)"},
      Row{"d3ee8000 34020500", "v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], a[2:3], a[0:7] neg:[1,0,0]"},
      Row{"be800166", "s_mov_b64 s[0:1], flat_scratch"},
      Row{"dc508000 05820004", "global_load_dword a5, v4, s[2:3]"},
      Row{"d87a801b 01000002", "ds_swizzle_b32 v1, v2 offset:swizzle(QUAD_PERM,3,2,1,0)"},
      Row{"d87a0906 01000002", "ds_swizzle_b32 v1, v2 offset:swizzle(BITMASK_PERM,\"01pi0\")"},
  };
  expect_texts(Texts("cdna3", 64), kRows);
}

TEST(OperandText, Rdna2IsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"f4000042 fa000010", "s_load_dword s1, s[4:5], 0x10"},
      Row{"7dfe1500", "v_cmpx_tru_f16_e32 v0, v10"},
      Row{"7db402f9 06060008", "v_cmpx_eq_f16_sdwa v8, v1 src0_sel:DWORD src1_sel:DWORD"},
      Row{"7d9202f9 06060008", "v_cmp_lt_f16_sdwa vcc_lo, v8, v1 src0_sel:DWORD src1_sel:DWORD"},
  };
  expect_texts(Texts("rdna2", 32), kRows);
}

TEST(OperandText, MasksOfLanesAreAsWideAsTheWavefront) {
  EXPECT_EQ(Texts("rdna3", 32).of("7c880003"), "v_cmp_gt_i32_e32 vcc_lo, s3, v0");
  EXPECT_EQ(Texts("rdna3", 64).of("7c880003"), "v_cmp_gt_i32_e32 vcc, s3, v0");
  EXPECT_EQ(Texts("rdna3", 64).of("d7006a02 00020006"), "v_add_co_u32 v2, vcc, s6, v0");
}

// Its instructions are those of gfx1250.
TEST(OperandText, Cdna5IsWrittenAsGfx12) {
  EXPECT_EQ(text_generation("amd/cdna5"), TextGeneration::kGfx12);
  EXPECT_EQ(text_generation("amd/cdna4"), TextGeneration::kGfx9);
}

TEST(OperandText, BranchGoesToALabelOrADistance) {
  const Texts texts("rdna3", 32);
  EXPECT_EQ(texts.of("bfa50016"), "s_cbranch_execz 22");
  EXPECT_EQ(texts.of("bfa50016", "L001600"), "s_cbranch_execz L001600");
  EXPECT_EQ(texts.distance(0xbfa50016), 22);
  EXPECT_EQ(texts.distance(0xbfa0fff0), -16);
  EXPECT_EQ(texts.distance(0xbfb00000), std::nullopt);
}

TEST(OperandText, Cdna2IsWrittenAsLlvmDoes) {
  constexpr std::array kRows = {
      Row{"e0a0c000 00000000", "buffer_wbl2"},
      Row{"dc53a005 007f0000", "global_load_dword v[0:1], off offset:5 glc slc lds"},
      Row{"bf8cc07f", "s_waitcnt lgkmcnt(0)"},
  };
  expect_texts(Texts("cdna2", 64), kRows);
}

TEST(OperandText, Cdna1AddsToAccumulationRegistersOnly) {
  constexpr std::array kRows = {
      Row{"d3c20000 04120500", "v_mfma_f32_4x4x1f32 a[0:3], v0, v2, a[4:7]"},
      Row{"d3c20000 02020500", "v_mfma_f32_4x4x1f32 a[0:3], v0, v2, 0"},
  };
  expect_texts(Texts("cdna1", 64), kRows);
}

// Registers that an operand may not be are written all the same, as a source names them.
TEST(OperandText, OperandThatIsNotAllowedIsStillWritten) {
  EXPECT_EQ(Texts("rdna3_5", 32).of("7e089008"), "v_movrelsd_2_b32_e32 v4, s8");
}

}  // namespace
}  // namespace halyard::isa
