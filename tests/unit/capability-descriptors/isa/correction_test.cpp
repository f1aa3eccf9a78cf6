// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/correction.h"

#include "capability-descriptors/isa/instruction_set_json.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/isa/test_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::isa {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::shipped_corrections;
using testing::shipped_table;

constexpr std::string_view kSet =
    R"({"format":"halyard.instruction_set/1","id":"amd/x","architecture":"X","basis":"imported",)"
    R"("sources":[],"data_formats":[{"name":"F32"}],"operand_types":[{"name":"VGPR"},{"name":"IMM"}],)"
    R"("encodings":[{"name":"ONE","order":0,"bits":64,"mask":"0xff0000f0",)"
    R"("identifiers":{"base":"0xa0000010","shift":0,"values":[0]},)"
    R"("fields":[{"name":"OP","bits":[[4,4]]},{"name":"D","bits":[[8,8]]},)"
    R"({"name":"LIT","bits":[[32,32]]},{"name":"E","bits":[[16,7]],"padding":[1,0]}],)"
    R"("opcodes":[["OP"]],"conditions":[["default","D != 255"]]},)"
    R"({"name":"PAIR","order":1,"bits":32,"mask":"0xf0000ff0",)"
    R"("identifiers":{"base":"0xb0000000","shift":4,"values":[0,[2,9]]},)"
    R"("fields":[{"name":"OPX","bits":[[4,4]]},{"name":"OPY","bits":[[8,4]]},)"
    R"({"name":"DX","bits":[[12,8]]},{"name":"DY","bits":[[20,8]]}],)"
    R"("opcodes":[],"conditions":[]}],)"
    R"("operands":[["D","F32","VGPR",32,"om"],[null,"F32","IMM",32,"i"],["DX","F32","VGPR",32,"om"],)"
    R"(["DY","F32","VGPR",32,"om"]],)"
    R"("instructions":[{"name":"A","operands":[[0,1]],"forms":[["ONE",1,0,0,0]]},)"
    R"({"name":"B","operands":[[]],"forms":[["ONE",2,0,0,0]]},)"
    R"({"name":"P","operands":[[2],[3]],"forms":[["PAIR",3,0,null,0,null,1]]}]})";

InstructionSet small_set() {
  auto set = parse_instruction_set(kSet, "small");
  if (!set) throw std::runtime_error(set.error().message());
  return std::move(*set);
}

std::vector<Correction> corrections(const std::string& operations) {
  auto parsed = parse_corrections(
      R"({"format":"halyard.isa_corrections/1","corrections":[{"id":"one","architectures":)"
      R"(["amd/x"],"what":"w","why":"y","source":"s","operations":[)" +
          operations + "]}]}",
      "c.json");
  if (!parsed) throw std::runtime_error(parsed.error().message());
  return std::move(*parsed);
}

// The small set after one operation; a second application must change nothing.
InstructionSet corrected(const std::string& operation) {
  InstructionSet set = small_set();
  EXPECT_TRUE(apply_corrections(corrections(operation), set));
  const std::string text = write_instruction_set(set);
  EXPECT_TRUE(apply_corrections(corrections(operation), set));
  EXPECT_EQ(write_instruction_set(set), text);
  return set;
}

TEST(Correction, MissingInstructionIsAddedAndIdentified) {
  const InstructionSet set = corrected(
      R"({"do":"provide_instruction","name":"C","group":"VALU","forms":[{"encoding":"ONE",)"
      R"("condition":"default","opcode":5,"operands":[["D","F32","VGPR",32,"om"]]}]})");
  const Instruction& added = instruction_of(set, "C");
  ASSERT_EQ(added.forms.size(), 1U);
  EXPECT_EQ(added.forms[0].operands[0].field, 1U);
  EXPECT_THAT(encoding_of(set, "ONE").identifiers, ElementsAre(0xa0000010U, 0xa0000050U));
  EXPECT_THAT(set.corrections, ElementsAre("one"));
}

TEST(Correction, InstructionWithoutOperandsGetsThem) {
  const std::string operation =
      R"({"do":"provide_instruction","name":"B","group":"VALU","forms":[{"encoding":"ONE",)"
      R"("condition":"default","opcode":2,"operands":[["D","F32","VGPR",32,"iom"]]}]})";
  EXPECT_EQ(instruction_of(corrected(operation), "B").forms[0].operands.size(), 1U);
}

TEST(Correction, InstructionThatIsThereStays) {
  const InstructionSet set = corrected(
      R"({"do":"provide_instruction","name":"A","group":"VALU","forms":[{"encoding":"ONE",)"
      R"("condition":"default","opcode":9,"operands":[["D","F32","VGPR",32,"om"]]}]})");
  EXPECT_EQ(instruction_of(set, "A").forms[0].opcode, 1U);
  EXPECT_THAT(set.corrections, IsEmpty());
}

TEST(Correction, InstructionsAreRemoved) {
  const InstructionSet set = corrected(R"({"do":"remove_instructions","names":["A","Z"]})");
  EXPECT_EQ(set.instructions.size(), 2U);
  EXPECT_EQ(set.instructions[0].name, "B");
}

TEST(Correction, AssemblyNameIsSet) {
  const InstructionSet set =
      corrected(R"({"do":"set_assembly_name","name":"A","assembly_name":"A_B32"})");
  EXPECT_EQ(instruction_of(set, "A").assembly_name, "A_B32");
}

TEST(Correction, ConditionIsProvidedWhereThereIsNone) {
  const std::string operation =
      R"({"do":"provide_condition","encodings":["ONE","PAIR"],"condition":"default",)"
      R"("expression":"DX != 1"})";
  const InstructionSet set = corrected(operation);
  EXPECT_EQ(encoding_of(set, "ONE").conditions[0].expression, "D != 255");
  EXPECT_EQ(encoding_of(set, "PAIR").conditions[0].expression, "DX != 1");
  EXPECT_EQ(instruction_of(set, "P").forms[0].condition, 0U);
}

TEST(Correction, ConditionOfSomeInstructionsIsChanged) {
  const InstructionSet set = corrected(
      R"({"do":"change_condition","instructions":["B"],"encoding":"ONE","condition":"always",)"
      R"("expression":"1"})");
  EXPECT_EQ(instruction_of(set, "A").forms[0].condition, 0U);
  EXPECT_EQ(instruction_of(set, "B").forms[0].condition, 1U);
  EXPECT_EQ(encoding_of(set, "ONE").conditions[1].name, "always");
}

TEST(Correction, ConditionOverOtherFieldsFails) {
  InstructionSet set = small_set();
  const base::Status applied = apply_corrections(
      corrections(R"({"do":"provide_condition","encodings":["PAIR"],"condition":"default",)"
                  R"("expression":"NOPE == 1"})"),
      set);
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message(),
              HasSubstr("While applying the correction \"one\" to amd/x: "));
}

TEST(Correction, IdentifiersAreSet) {
  const InstructionSet set =
      corrected(R"({"do":"set_identifiers","encoding":"PAIR","mask":"0xffff0000",)"
                R"("identifiers":{"base":"0xd3ac0000","shift":0,"values":[0]}})");
  EXPECT_EQ(encoding_of(set, "PAIR").mask, 0xffff0000U);
  EXPECT_THAT(encoding_of(set, "PAIR").identifiers, ElementsAre(0xd3ac0000U));
}

TEST(Correction, EncodingOfTwoInstructionsTellsThemApart) {
  const InstructionSet set =
      corrected(R"({"do":"hold_two_instructions","encodings":["PAIR"],"mask":"0xf0000000",)"
                R"("first_opcode":"OPX","second_opcode":"OPY","second_fields":["DY"]})");
  const Encoding& pair = encoding_of(set, "PAIR");
  EXPECT_THAT(pair.identifiers, ElementsAre(0xb0000000U));
  ASSERT_EQ(pair.opcodes.size(), 2U);
  EXPECT_THAT(pair.opcodes[1], ElementsAre(1U));
  const Instruction& both = instruction_of(set, "P");
  EXPECT_EQ(both.forms[0].part, 0U);
  EXPECT_EQ(both.forms[1].part, 1U);
}

TEST(Correction, PaddingIsInverted) {
  const InstructionSet set =
      corrected(R"({"do":"invert_padding","encodings":["ONE"],"field":"E","inverted":"D"})");
  EXPECT_EQ(field_of(encoding_of(set, "ONE"), "E").inverted_bit_of, 1U);
}

TEST(Correction, OperandsAreLocated) {
  const InstructionSet set = corrected(
      R"({"do":"locate_operands","encodings":["ONE"],"operand_type":"IMM","field":"LIT"})");
  const Operand& literal = instruction_of(set, "A").forms[0].operands[1];
  EXPECT_EQ(literal.field, 2U);
  EXPECT_TRUE(literal.in_microcode);
}

TEST(Correction, DestinationIsMarkedAsRead) {
  const InstructionSet set = corrected(R"({"do":"mark_as_read","instructions":["A"],"field":"D"})");
  EXPECT_TRUE(instruction_of(set, "A").forms[0].operands[0].input);
}

TEST(Correction, FieldBitsAreSetWhereTheyFit) {
  const InstructionSet set = corrected(
      R"({"do":"set_field_bits","encodings":["ONE","PAIR"],"field":"D","bits":[[8,13]]})");
  EXPECT_EQ(field_of(encoding_of(set, "ONE"), "D").ranges[0].count, 13);
  const InstructionSet same =
      corrected(R"({"do":"set_field_bits","encodings":["PAIR"],"field":"DX","bits":[[30,3]]})");
  EXPECT_EQ(field_of(encoding_of(same, "PAIR"), "DX").ranges[0].count, 8);
}

TEST(Correction, OtherArchitecturesAreLeftAlone) {
  InstructionSet set = small_set();
  set.id = "amd/y";
  ASSERT_TRUE(apply_corrections(corrections(R"({"do":"remove_instructions","names":["A"]})"), set));
  EXPECT_EQ(set.instructions.size(), 3U);
  EXPECT_THAT(set.corrections, IsEmpty());
}

TEST(Correction, FaultyDocumentsAreRefused) {
  const auto failure = [](std::string_view text) {
    const auto parsed = parse_corrections(text, "c.json");
    return parsed ? "accepted" : parsed.error().message();
  };
  EXPECT_THAT(failure("{}"), HasSubstr("c.json: /format is missing."));
  EXPECT_THAT(
      failure(
          R"({"format":"halyard.isa_corrections/1","corrections":[{"id":"a","architectures":[],)"
          R"("what":"","why":"","source":"","operations":[{"do":"wish"}]}]})"),
      HasSubstr("c.json: /corrections/0/operations/0/do is \"wish\", not one of"));
  const std::string one =
      R"({"id":"a","architectures":["x"],"what":"","why":"","source":"","operations":[]})";
  EXPECT_EQ(
      failure(R"({"format":"halyard.isa_corrections/1","corrections":[)" + one + "," + one + "]}"),
      "c.json: /corrections/1/id is \"a\", which stands twice.");
}

// What the shipped corrections do to the shipped tables.

InstructionSet corrected_table(std::string_view architecture) {
  InstructionSet set = shipped_table(architecture);
  EXPECT_TRUE(apply_corrections(shipped_corrections(), set));
  return set;
}

TEST(ShippedCorrections, LeaveNoFormWithoutConditionAndNoOperandWithoutPlace) {
  for (const std::string_view architecture :
       {"rdna2", "rdna3", "rdna3_5", "rdna4", "gcn5_1", "cdna1", "cdna2", "cdna3", "cdna4"}) {
    const InstructionSet set = corrected_table(architecture);
    for (const Instruction& instruction : set.instructions) {
      for (const Form& form : instruction.forms) {
        EXPECT_NE(form.encoding, kNoIndex) << instruction.name;
        EXPECT_NE(form.condition, kNoIndex) << architecture << ' ' << instruction.name;
        for (const Operand& operand : form.operands) {
          EXPECT_TRUE(!operand.in_microcode || operand.field != kNoIndex) << instruction.name;
          EXPECT_NE(operand.operand_type, kNoIndex) << architecture << ' ' << instruction.name;
        }
      }
    }
  }
}

TEST(ShippedCorrections, AreEachOfUseSomewhere) {
  std::vector<std::string> used;
  for (const std::string_view architecture :
       {"rdna2", "rdna3", "rdna3_5", "rdna4", "gcn5_1", "cdna1", "cdna2", "cdna3", "cdna4"}) {
    for (const std::string& id : corrected_table(architecture).corrections)
      used.push_back(id);
  }
  for (const Correction& correction : shipped_corrections()) {
    // The tables come from files in which this is right already.
    if (correction.id == "flat-offset-13-bits") continue;
    EXPECT_THAT(used, Contains(correction.id));
  }
}

TEST(ShippedCorrections, TellTheHalvesOfVopdApart) {
  const InstructionSet set = corrected_table("rdna3_5");
  const Encoding& pair = encoding_of(set, "VOPDXY");
  EXPECT_THAT(pair.identifiers, ElementsAre(0xc8000000U));
  EXPECT_EQ(field_of(pair, "VDSTY").inverted_bit_of,
            static_cast<std::uint32_t>(&field_of(pair, "VDSTX") - pair.fields.data()));
  const Instruction& add = instruction_of(set, "V_DUAL_ADD_F32");
  std::vector<std::uint32_t> parts;
  for (const Form& form : add.forms)
    parts.push_back(form.part);
  EXPECT_THAT(parts, ElementsAre(0, 1, 0, 1));
}

TEST(ShippedCorrections, TellScaledMatrixInstructionsByTheirPrefix) {
  const InstructionSet set = corrected_table("cdna4");
  const Encoding& scaled = encoding_of(set, "ENC_VOP3PX2");
  EXPECT_THAT(scaled.identifiers, ElementsAre(0xd3ac0000U));
  EXPECT_EQ(scaled.conditions[0].expression, "X2ENCODING == 54188 && ENCODING == 423");
  EXPECT_EQ(instruction_of(set, "V_ACCVGPR_READ").assembly_name, "V_ACCVGPR_READ_B32");
}

// Removes an instruction and, where no other one has it, its opcode, as AMD's files lack them.
void remove(InstructionSet& set, const std::string& name) {
  const Instruction gone = instruction_of(set, name);
  std::erase_if(set.instructions, [&](const Instruction& i) { return i.name == name; });
  for (const Form& form : gone.forms) {
    const bool shared = std::any_of(
        set.instructions.begin(), set.instructions.end(), [&](const Instruction& other) {
          return std::any_of(other.forms.begin(), other.forms.end(), [&](const Form& f) {
            return f.encoding == form.encoding && f.opcode == form.opcode;
          });
        });
    if (shared) continue;
    Encoding& encoding = set.encodings[form.encoding];
    const BitRange at = encoding.fields[encoding.opcodes[0][0]].ranges[0];
    const std::uint32_t mask = ((1U << at.count) - 1) << at.offset;
    std::erase_if(encoding.identifiers, [&](std::uint32_t identifier) {
      return (identifier & mask) == form.opcode << at.offset;
    });
  }
}

TEST(ShippedCorrections, ProvideWhatAmdsFilesLack) {
  const std::vector<std::pair<std::string_view, std::vector<std::string>>> missing = {
      {"rdna3_5", {"S_SUBVECTOR_LOOP_BEGIN", "S_SUBVECTOR_LOOP_END", "FLAT_ATOMIC_CSUB_U32"}},
      {"rdna4",
       {"S_GET_BARRIER_STATE", "S_BARRIER_INIT", "S_BARRIER_JOIN", "S_BARRIER_LEAVE", "S_WAITCNT"}},
      {"cdna4",
       {"DS_GWS_SEMA_RELEASE_ALL", "DS_GWS_SEMA_V", "DS_GWS_SEMA_P", "V_MFMA_LD_SCALE_B32"}}};
  for (const auto& [architecture, names] : missing) {
    const InstructionSet whole = shipped_table(architecture);
    InstructionSet set = whole;
    for (const std::string& name : names)
      remove(set, name);
    ASSERT_EQ(set.instructions.size() + names.size(), whole.instructions.size());
    ASSERT_TRUE(apply_corrections(shipped_corrections(), set));
    for (const std::string& name : names) {
      const Form& before = instruction_of(whole, name).forms[0];
      const Form& after = instruction_of(set, name).forms[0];
      EXPECT_EQ(after.encoding, before.encoding) << name;
      EXPECT_EQ(after.opcode, before.opcode) << name;
      for (const std::uint32_t identifier : whole.encodings[before.encoding].identifiers)
        EXPECT_THAT(set.encodings[before.encoding].identifiers, Contains(identifier)) << name;
    }
  }
}

TEST(ShippedCorrections, KnowXf32OnCdna3Only) {
  const auto names = [](const InstructionSet& set) {
    std::vector<std::string> all;
    for (const Instruction& instruction : set.instructions)
      all.push_back(instruction.name);
    return all;
  };
  EXPECT_THAT(names(corrected_table("cdna4")), Not(Contains("V_MFMA_F32_16X16X8_XF32")));
  const InstructionSet cdna3 = corrected_table("cdna3");
  EXPECT_EQ(instruction_of(cdna3, "V_MFMA_F32_16X16X8_XF32").forms[0].operands.size(), 4U);
}

}  // namespace
}  // namespace halyard::isa
