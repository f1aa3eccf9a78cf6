// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_xml.h"

#include "tests/unit/capability-descriptors/isa/test_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InstructionSet read(const std::string& text) {
  auto set = read_amd_isa_xml(text, "isa.xml");
  if (!set) ADD_FAILURE() << set.error().message();
  return set ? std::move(*set) : InstructionSet();
}

// "<path>: <sentence>" of each finding in the compact fixture with a part replaced.
std::vector<std::string> findings(std::string_view part, std::string_view by) {
  std::vector<std::string> sentences;
  for (const Unresolved& one : read(isa_fixture("compact.xml", part, by)).unresolved)
    sentences.push_back(one.path + ": " + one.what);
  return sentences;
}

std::string failure(const std::string& text, std::string_view source_name = "isa.xml") {
  const auto set = read_amd_isa_xml(text, source_name);
  return set ? "accepted" : set.error().message();
}

TEST(AmdIsaXml, HeadingIsRead) {
  const InstructionSet set = read(isa_fixture("compact.xml"));
  EXPECT_EQ(set.id, "amd/rdna9_5");
  EXPECT_EQ(set.architecture, "AMD RDNA 9.5");
  EXPECT_EQ(set.architecture_id, 95);
  EXPECT_EQ(set.basis, "imported");
  ASSERT_EQ(set.sources.size(), 1U);
  EXPECT_EQ(set.sources[0].title, "isa.xml");
  EXPECT_EQ(set.sources[0].date, "2026-11-30");
  EXPECT_EQ(set.sources[0].licence, "Apache-2.0");
  EXPECT_EQ(set.sources[0].schema_version, "1.2.0");
  EXPECT_EQ(set.sources[0].sha256.size(), 64U);
  EXPECT_THAT(set.unresolved, IsEmpty());
}

TEST(AmdIsaXml, FieldsHaveRangesInOrderAndPadding) {
  const InstructionSet set = read(isa_fixture("compact.xml"));
  const Encoding& encoding = encoding_of(set, "ENC_PAIR");
  const Field& selector = field_of(encoding, "SEL");
  ASSERT_EQ(selector.ranges.size(), 2U);
  EXPECT_EQ(selector.ranges[0].offset, 59);
  EXPECT_EQ(selector.ranges[1].offset, 14);
  EXPECT_TRUE(selector.conditional);
  ASSERT_EQ(selector.values.size(), 2U);
  EXPECT_EQ(selector.values[1].value, 4U);
  const Field& destination = field_of(encoding, "DST");
  EXPECT_EQ(destination.padding_bits, 2);
  EXPECT_EQ(destination.padding, 1U);
}

TEST(AmdIsaXml, EncodingHasMaskIdentifiersOpcodeAndConditions) {
  const InstructionSet set = read(isa_fixture("compact.xml"));
  const Encoding& encoding = encoding_of(set, "ENC_PAIR");
  EXPECT_EQ(encoding.order, -1);
  EXPECT_EQ(encoding.bits, 64U);
  EXPECT_EQ(encoding.mask, 0xfc000003U);
  EXPECT_THAT(encoding.identifiers, ElementsAre(0xd0000001U, 0xd0000003U));
  ASSERT_EQ(encoding.opcodes.size(), 1U);
  EXPECT_THAT(encoding.opcodes[0], ElementsAre(2U, 3U));  // OP below OPM
  ASSERT_EQ(encoding.conditions.size(), 1U);
  EXPECT_EQ(encoding.conditions[0].expression, "SRC0 != 250 && SRC0 != 255 && DST != 7");
  // The same condition twice counts once.
  EXPECT_EQ(encoding_of(set, "PAIR_INST_LITERAL").conditions.size(), 1U);
}

TEST(AmdIsaXml, InstructionHasFlagsGroupsAndForms) {
  const InstructionSet set = read(isa_fixture("compact.xml"));
  const Instruction& add = instruction_of(set, "V_ADD");
  EXPECT_THAT(add.aliases, ElementsAre("V_PLUS", "V_SUM"));
  EXPECT_EQ(add.description, "Adds two numbers .");
  EXPECT_EQ(add.is_branch, true);
  EXPECT_EQ(add.is_conditional_branch, false);
  EXPECT_EQ(add.is_immediately_executed, true);
  EXPECT_EQ(add.group, "VALU");
  EXPECT_THAT(add.subgroups, ElementsAre("FLOATING_POINT"));
  ASSERT_EQ(add.forms.size(), 2U);
  EXPECT_EQ(add.forms[1].opcode, 3U);  // in binary
  const std::vector<Operand>& operands = add.forms[0].operands;
  ASSERT_EQ(operands.size(), 3U);
  EXPECT_TRUE(operands[0].output);  // in the order of the text, not of the file
  EXPECT_TRUE(operands[1].input);
  EXPECT_TRUE(operands[1].in_microcode);
  EXPECT_TRUE(operands[2].is_implicit);
  EXPECT_FALSE(operands[2].in_microcode);
  EXPECT_EQ(operands[2].field, kNoIndex);
}

TEST(AmdIsaXml, OperandTypesAndDataFormatsAreRead) {
  const InstructionSet set = read(isa_fixture("compact.xml"));
  ASSERT_EQ(set.operand_types.size(), 2U);
  ASSERT_EQ(set.operand_types[0].registers.size(), 2U);
  EXPECT_EQ(set.operand_types[0].registers[1].prefix, "v");
  EXPECT_EQ(set.operand_types[0].registers[1].first_value, 256U);
  EXPECT_EQ(set.operand_types[0].registers[1].count, 3U);
  EXPECT_EQ(set.operand_types[0].values.size(), 1U);
  ASSERT_EQ(set.operand_types[1].fields.size(), 1U);
  EXPECT_EQ(set.operand_types[1].fields[0].ranges.size(), 2U);
  ASSERT_EQ(set.data_formats.size(), 2U);
  ASSERT_EQ(set.data_formats[1].fields.size(), 1U);
  EXPECT_EQ(set.data_formats[1].fields[0].signedness, "Signed");
  EXPECT_EQ(set.data_formats[1].components, 2U);
}

TEST(AmdIsaXml, OldLayoutIsRead) {
  const InstructionSet set = read(isa_fixture("long.xml"));
  EXPECT_EQ(set.id, "amd/cdna3");
  EXPECT_EQ(set.architecture_id, std::nullopt);
  EXPECT_THAT(set.unresolved, IsEmpty());
  const Encoding& encoding = encoding_of(set, "ENC_ONE");
  EXPECT_THAT(encoding.identifiers, ElementsAre(0xa0000000U));
  EXPECT_THAT(encoding.opcodes, IsEmpty());
  ASSERT_EQ(encoding.conditions.size(), 2U);
  EXPECT_EQ(encoding.conditions[0].expression, "SRC == 1 || SRC == 2 || SRC == 9");
  EXPECT_EQ(encoding.conditions[1].expression, "1");
  const Instruction& one = instruction_of(set, "S_ONE");
  EXPECT_EQ(one.is_branch, false);
  EXPECT_EQ(one.is_terminator, std::nullopt);
  EXPECT_THAT(one.subgroups, ElementsAre("STATIC"));
  ASSERT_EQ(one.forms.size(), 1U);
  EXPECT_EQ(one.forms[0].condition, 0U);
}

TEST(AmdIsaXml, NamesWithoutDefinitionAreCollectedWithTheirPath) {
  const std::string form =
      "/Spec/ISA/Instructions/Instruction[1]/InstructionEncodings/"
      "InstructionEncoding[1]";
  EXPECT_THAT(findings("<EncodingName>ENC_PAIR</EncodingName>\n                        <Enc",
                       "<EncodingName>ENC_GONE</EncodingName>\n                        <Enc"),
              ElementsAre(form + ": Encoding ENC_GONE is not defined."));
  EXPECT_THAT(findings("<EncodingCondition>default", "<EncodingCondition>has_dpp"),
              ElementsAre(form + ": Encoding ENC_PAIR has no condition has_dpp."));
  EXPECT_THAT(findings("<FieldName>SRC0", "<FieldName>SRC7"),
              ElementsAre(form + "/Operands/Operand[1]: Encoding ENC_PAIR has no field SRC7."));
  EXPECT_THAT(findings("<DataFormatName>FMT_PK2", "<DataFormatName>FMT_PK7"),
              ElementsAre(form + "/Operands/Operand[1]: Data format FMT_PK7 is not defined."));
  EXPECT_THAT(findings("<OperandType>OPR_SRC", "<OperandType>OPR_DST"),
              ElementsAre(form + "/Operands/Operand[1]: Operand type OPR_DST is not defined."));
  EXPECT_THAT(findings("<Subgroup>FLOATING_POINT", "<Subgroup>FIXED_POINT"),
              ElementsAre("/Spec/ISA/Instructions/Instruction[1]: Functional subgroup FIXED_POINT "
                          "is not defined."));
  EXPECT_THAT(findings("<Name>VALU", "<Name>WALU"),
              ElementsAre("/Spec/ISA/Instructions/Instruction[1]: Functional group WALU is not "
                          "defined."));
}

TEST(AmdIsaXml, NumbersThatCannotBeReadAreCollected) {
  const std::string form =
      "/Spec/ISA/Instructions/Instruction[1]/InstructionEncodings/"
      "InstructionEncoding[1]";
  EXPECT_THAT(findings("<Opcode Radix=\"10\">3<", "<Opcode Radix=\"10\">three<"),
              ElementsAre(form + ": Opcode \"three\" is no number."));
  EXPECT_THAT(findings("<OperandSize>32<", "<OperandSize>-32<"),
              ElementsAre(form + "/Operands/Operand[1]: Operand size \"-32\" is no number of "
                                 "bits."));
  EXPECT_THAT(
      findings("11111100000000000000000000000011</EncodingIdentifierMask",
               "2</EncodingIdentifierMask"),
      ElementsAre("/Spec/ISA/Encodings/Encoding[1]: The identifier mask is no binary number "
                  "of the first 32 bits."));
}

TEST(AmdIsaXml, FieldBeyondTheEncodingIsLeftOutWithASentence) {
  EXPECT_THAT(
      findings("<BitOffset>59<", "<BitOffset>63<"),
      ElementsAre("/Spec/ISA/Encodings/Encoding[1]/MicrocodeFormat/BitMap/Field[2]: Field SEL ends "
                  "at bit 65, beyond the 64 bits there are; it is left out."));
  EXPECT_THAT(
      findings("<BitCount>2</BitCount><BitOffset>59<", "<BitCount>0</BitCount><BitOffset>59<"),
      ElementsAre("/Spec/ISA/Encodings/Encoding[1]/MicrocodeFormat/BitMap/Field[2]: Field "
                  "SEL has a range of no bits; it is left out."));
}

TEST(AmdIsaXml, FieldThatStandsTwiceCountsOnce) {
  EXPECT_THAT(findings("<FieldName>OPM<", "<FieldName>OP<"),
              ElementsAre("/Spec/ISA/Encodings/Encoding[1]/MicrocodeFormat/BitMap/Field[4]: Field "
                          "OP stands twice; the first counts."));
}

TEST(AmdIsaXml, UnknownOperatorIsCollectedAndTheRestIsRead) {
  const InstructionSet set =
      read(isa_fixture("compact.xml", "<op type=\".notwithin\">", "<op type=\".popcount\">"));
  ASSERT_EQ(set.unresolved.size(), 1U);
  EXPECT_EQ(set.unresolved[0].path,
            "/Spec/ISA/Encodings/Encoding[1]/EncodingConditions/EncodingCondition[1]");
  EXPECT_EQ(set.unresolved[0].what,
            "Condition default of ENC_PAIR is not understood: the operator \".popcount\" is not "
            "known.");
  EXPECT_EQ(encoding_of(set, "ENC_PAIR").conditions[0].expression, "");
  EXPECT_EQ(set.instructions.size(), 1U);
}

TEST(AmdIsaXml, OpcodeThatTwoInstructionsHaveIsCollected) {
  std::string text = isa_fixture("compact.xml");
  const std::size_t begin = text.find("            <Instruction>");
  const std::size_t end = text.find("        </Instructions>");
  std::string second = text.substr(begin, end - begin);
  second.replace(second.find("V_ADD"), 5, "V_SUB");
  const InstructionSet set = read(text.insert(end, second));
  ASSERT_EQ(set.unresolved.size(), 2U);
  EXPECT_EQ(set.unresolved[0].path,
            "/Spec/ISA/Instructions/Instruction[2]/InstructionEncodings/"
            "InstructionEncoding[1]");
  EXPECT_EQ(set.unresolved[0].what,
            "Opcode 3 of encoding ENC_PAIR belongs to V_ADD already; V_SUB has it too.");
  EXPECT_EQ(set.instructions.size(), 2U);
}

TEST(AmdIsaXml, InstructionThatStandsTwiceKeepsAllItsForms) {
  std::string text = isa_fixture("compact.xml");
  const std::size_t begin = text.find("            <Instruction>");
  const std::size_t end = text.find("        </Instructions>");
  const InstructionSet set = read(text.insert(end, text.substr(begin, end - begin)));
  ASSERT_EQ(set.unresolved.size(), 1U);
  EXPECT_EQ(set.unresolved[0].what,
            "Instruction V_ADD stands twice; its encodings are added to those of the first.");
  ASSERT_EQ(set.instructions.size(), 1U);
  EXPECT_EQ(set.instructions[0].forms.size(), 4U);
}

TEST(AmdIsaXml, NewerSchemaOfTheSameMajorVersionIsAWarning) {
  EXPECT_THAT(
      findings("<SchemaVersion>1.2.0", "<SchemaVersion>1.3.0"),
      ElementsAre("/Spec/Document/SchemaVersion: Schema 1.3.0 is newer than 1.2, the newest "
                  "that is known; what it adds is not read."));
}

TEST(AmdIsaXml, OtherSchemasAreRefused) {
  const auto set = read_amd_isa_xml(isa_fixture("compact.xml", "1.2.0", "2.0.0"), "isa.xml");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(set.error().message(),
            "isa.xml: /Spec/Document/SchemaVersion is 2.0.0; what can be read "
            "is 1.0.0 to 1.2.x.");
  EXPECT_EQ(failure(isa_fixture("compact.xml", "1.2.0", "new")),
            "isa.xml: /Spec/Document/SchemaVersion is \"new\", not of the form 1.2.0.");
}

TEST(AmdIsaXml, TwoArchitecturesInOneFileAreRefused) {
  EXPECT_EQ(failure(isa_fixture("compact.xml", "        <Instructions>",
                                "<Architecture><ArchitectureName>AMD RDNA 4</ArchitectureName>"
                                "</Architecture><Instructions>")),
            "isa.xml: /Spec/ISA/Architecture[2] is a second Architecture; a file has one.");
  EXPECT_EQ(failure(isa_fixture("compact.xml", "</Spec>", "<ISA/></Spec>")),
            "isa.xml: /Spec/ISA[2] is a second ISA; a file has one.");
  EXPECT_EQ(failure(isa_fixture("compact.xml", "<ArchitectureId>",
                                "<ArchitectureName>AMD RDNA 4</ArchitectureName><ArchitectureId>")),
            "isa.xml: /Spec/ISA/Architecture/ArchitectureName[2] is a second ArchitectureName; a "
            "file has one.");
}

TEST(AmdIsaXml, OtherDocumentsAreRefused) {
  EXPECT_EQ(failure("<html/>"), "isa.xml: /html is not Spec, the root of AMD's files.");
  EXPECT_EQ(failure("<Spec><Document/></Spec>"), "isa.xml: /Spec has no ISA.");
  EXPECT_EQ(failure("not XML"), "isa.xml: / has text outside the root element, at byte 0.");
  EXPECT_EQ(failure(isa_fixture("compact.xml", "AMD RDNA 9.5", "The next")),
            "isa.xml: /Spec/ISA/Architecture names no architecture: \"The next\".");
  EXPECT_THAT(failure("<Spec =''/>"), HasSubstr("isa.xml: / is not well-formed at byte "));
}

TEST(AmdIsaXml, TruncatedFileIsRefusedWithTheOpenElement) {
  const std::string text = isa_fixture("compact.xml");
  const std::size_t at = text.find("<DataFormatName>FMT_PK2</DataFormatName>");
  EXPECT_THAT(failure(text.substr(0, at)),
              HasSubstr("isa.xml: /Spec/ISA/Instructions/Instruction/InstructionEncodings/"
                        "InstructionEncoding/Operands/Operand is not closed where the text ends"));
}

TEST(AmdIsaXml, EveryPrefixAndSingleByteChangeEndsInASetOrASentence) {
  const std::string text = isa_fixture("compact.xml");
  for (std::size_t size = 0; size < text.size(); size += 61)
    EXPECT_NE(failure(text.substr(0, size)), "accepted");
  for (std::size_t at = 0; at < text.size(); at += 37) {
    for (const char c : {'<', '>', '"', '&', '\0', '9', '\xff'}) {
      std::string changed = text;
      changed[at] = c;
      EXPECT_FALSE(failure(changed).empty());
    }
  }
}

TEST(AmdIsaXml, ReconstructedFileSaysSo) {
  const InstructionSet set = read(isa_fixture("compact.xml", "Copyright (c) Halyard contributors",
                                              "A reconstruction, not an AMD file"));
  EXPECT_EQ(set.basis, "reconstructed");
  EXPECT_EQ(set.note, "A reconstruction, not an AMD file; an invented architecture for tests.");
}

}  // namespace
}  // namespace halyard::isa
