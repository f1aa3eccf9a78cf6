// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/instruction_text.h"

#include "tests/unit/runtime/inspection/instruction_set_fixture.h"

#include <gtest/gtest.h>

namespace halyard::services {
namespace {

class InstructionTextTest : public ::testing::Test {
 protected:
  std::string line(std::string_view name) const {
    for (const isa::Instruction& instruction : set_.instructions) {
      if (instruction.name == name) return instruction_line(set_, instruction);
    }
    return "";
  }

  isa::InstructionSet set_ = testing::small_instruction_set();
};

TEST_F(InstructionTextTest, LineHasThePlainestFormAndEveryEncoding) {
  EXPECT_EQ(line("V_ADD_F32"), "V_ADD_F32 v:f32 = src:f32, src:f32 | VOP2 0x3, VOP3 0x103 +dpp8");
}

TEST_F(InstructionTextTest, RegistersInARowAreCounted) {
  EXPECT_EQ(line("V_WMMA_F32_16X16X16_F16"),
            "V_WMMA_F32_16X16X16_F16 v[8]:f32 = v[8]:wmma_ab_f16, v[8]:wmma_ab_f16, v[8]:f32 | "
            "VOP3P 0x40");
  EXPECT_EQ(line("GLOBAL_LOAD_B128"), "GLOBAL_LOAD_B128 v[4] = v, s[2] | FLAT_GLOBAL 0x17");
}

TEST_F(InstructionTextTest, OperandThatIsReadTooAndImplicitOneAreMarked) {
  EXPECT_EQ(line("V_FMAC_F32"), "V_FMAC_F32 +v:f32 = src:f32, src:f32 | VOP2 0x2b");
  EXPECT_EQ(line("V_CNDMASK_B32"), "V_CNDMASK_B32 v:f32 = src:f32, src:f32 (vcc) | VOP2 0x1");
}

TEST_F(InstructionTextTest, ImmediateIsCalledByItsTypeAndNoFormGivesTheNameAlone) {
  EXPECT_EQ(line("S_WAITCNT"), "S_WAITCNT simm16 | SOPP 0x9");
  EXPECT_EQ(line("IMAGE_SAMPLE"), "IMAGE_SAMPLE");
}

TEST_F(InstructionTextTest, AssemblersNameIsPrinted) {
  set_.instructions[0].assembly_name = "V_PLUS_F32";
  EXPECT_TRUE(line("V_ADD_F32").starts_with("V_PLUS_F32 v:f32 = "));
}

TEST_F(InstructionTextTest, InstructionOfOneSpecialFormKeepsItsOpcode) {
  set_.instructions[0].forms = {set_.instructions[0].forms[2]};
  EXPECT_EQ(line("V_ADD_F32"), "V_ADD_F32 v:f32 = src:f32, src:f32 | VOP3 0x103 +dpp8");
}

TEST_F(InstructionTextTest, DescriptionThatIsHowItIsWrittenStandsForTheOperands) {
  isa::Instruction& instruction = set_.instructions[0];
  EXPECT_TRUE(instruction_line_key(set_).starts_with("A line is NAME written"));
  instruction.name = "OpShuffle";
  instruction.description = "%result = OpShuffle %IdResultType %Value";
  instruction.capabilities = {"Shuffle", "Kernel"};
  instruction.since = "1.3";
  EXPECT_EQ(line("OpShuffle"),
            "%result = OpShuffle %IdResultType %Value | 3, needs Shuffle or Kernel, since 1.3");
  instruction.since = "none";
  instruction.extensions = {"SPV_A", "SPV_B"};
  EXPECT_TRUE(line("OpShuffle").ends_with(", needs Shuffle or Kernel, by SPV_A or SPV_B"));
  EXPECT_TRUE(instruction_line_key(set_).starts_with("A line is an instruction as it is written"));
  instruction.description = "OpShuffles lanes.";
  EXPECT_TRUE(line("OpShuffle").starts_with("OpShuffle v:f32 = "));
}

TEST_F(InstructionTextTest, EncodingLineHasFixedBitsWithoutTheOpcodeAndAllRanges) {
  EXPECT_EQ(encoding_line(set_.encodings[testing::kVop3p]),
            "VOP3P: 64 bits, first dword & 0xff800000 = 0xcc000000; VDST 0-7, OP 16-22, OP_SEL_HI "
            "59-60+14");
}

TEST_F(InstructionTextTest, NamesOfFormsAreTakenApart) {
  EXPECT_EQ(base_encoding_name("VOP2_VOP_SDWA_SDST_ENC"), "VOP2");
  EXPECT_EQ(encoding_form_name("VOP2_VOP_SDWA_SDST_ENC"), "sdwa");
  EXPECT_EQ(base_encoding_name("SOP1_INST_LITERAL"), "SOP1");
  EXPECT_EQ(encoding_form_name("VOP1_VOP_DPP16"), "dpp16");
  EXPECT_EQ(encoding_form_name("ENC_VOP3"), "");
}

}  // namespace
}  // namespace halyard::services
