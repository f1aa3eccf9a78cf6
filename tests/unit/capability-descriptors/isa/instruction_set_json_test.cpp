// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_set_json.h"

#include "capability-descriptors/isa/amd_isa_xml.h"
#include "tests/unit/capability-descriptors/isa/shipped_instruction_set.h"
#include "tests/unit/capability-descriptors/isa/test_data.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::isa {
namespace {

using testing::shipped_table;
using testing::shipped_table_text;

constexpr std::string_view kEmpty =
    R"({"format":"halyard.instruction_set/1","id":"a/b","architecture":"B","basis":"imported",)"
    R"("sources":[],"data_formats":[],"operand_types":[],"encodings":[{"name":"E","order":0,)"
    R"("bits":32,"mask":"0xff000000","identifiers":{"base":"0x10000000","shift":4,"values":[0,[2,9]]},)"
    R"("fields":[{"name":"OP","bits":[[4,8]]}],"opcodes":[["OP"]],"conditions":[["default","OP != 1"]]}],)"
    R"("operands":[["OP",null,null,8,"im"]],)"
    R"("instructions":[{"name":"I","operands":[[0]],"forms":[["E",2,0,0,0]]}]})";

std::string with(std::string_view part, std::string_view by) {
  std::string text(kEmpty);
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), by);
}

std::string failure(const std::string& text) {
  const auto set = parse_instruction_set(text, "t.json");
  if (set) return "accepted";
  EXPECT_EQ(set.error().code(), base::ErrorCode::kCorruptData);
  return set.error().message();
}

TEST(InstructionSetJson, WhatIsWrittenIsReadAgain) {
  for (const char* const name : {"compact.xml", "long.xml"}) {
    auto set = read_amd_isa_xml(isa_fixture(name), name);
    ASSERT_TRUE(set);
    set->corrections = {"one"};
    set->instructions[0].assembly_name = "OTHER";
    const std::string text = write_instruction_set(*set);
    const auto again = parse_instruction_set(text, "again.json");
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(write_instruction_set(*again), text);
    EXPECT_EQ(again->instructions[0].description, set->instructions[0].description);
    EXPECT_EQ(again->instructions[0].assembly_name, "OTHER");
    EXPECT_EQ(again->instructions[0].is_terminator, set->instructions[0].is_terminator);
    EXPECT_EQ(again->sources[0].sha256, set->sources[0].sha256);
  }
}

TEST(InstructionSetJson, ThreeValuedFlagsSurvive) {
  auto set = read_amd_isa_xml(isa_fixture("compact.xml"), "x.xml");
  ASSERT_TRUE(set);
  set->instructions.push_back(set->instructions[0]);
  set->instructions[1].name = "SECOND";
  set->instructions[1].is_branch = std::nullopt;
  set->instructions[1].is_terminator = true;
  const auto again = parse_instruction_set(write_instruction_set(*set), "again.json");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->instructions[0].is_branch, true);
  EXPECT_EQ(again->instructions[1].is_branch, std::nullopt);
  EXPECT_EQ(again->instructions[1].is_terminator, true);
  EXPECT_EQ(again->instructions[1].is_conditional_branch, false);
}

TEST(InstructionSetJson, IdentifiersAreExpanded) {
  const auto set = parse_instruction_set(kEmpty, "t.json");
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->encodings[0].identifiers.size(), 9U);
  EXPECT_EQ(set->encodings[0].identifiers[1], 0x10000020U);
  EXPECT_EQ(set->instructions[0].forms[0].operands[0].field, 0U);
}

TEST(InstructionSetJson, IndicesBeyondTheirTablesAreRefused) {
  EXPECT_EQ(failure(with("\"E\",2,0,0,0", "\"F\",2,0,0,0")),
            "t.json: /instructions/0/forms/0/0 is \"F\", which is not defined.");
  EXPECT_EQ(failure(with("\"E\",2,0,0,0", "\"E\",2,1,0,0")),
            "t.json: /instructions/0/forms/0/2 is 1; the most is 0.");
  EXPECT_EQ(failure(with("\"E\",2,0,0,0", "\"E\",2,0,1,0")),
            "t.json: /instructions/0/forms/0/3 is 1, no condition of the encoding.");
  EXPECT_EQ(failure(with("\"E\",2,0,0,0", "\"E\",2,0,0,1")),
            "t.json: /instructions/0/forms/0/4 is 1; there are 1 lists of operands.");
  EXPECT_EQ(failure(with("[[0]]", "[[7]]")),
            "t.json: /instructions/0/operands/0/0 is 7; there are 1 operands.");
  EXPECT_EQ(failure(with("[\"OP\",null", "[\"NO\",null")),
            "t.json: /instructions/0/operands/0/0 has field \"NO\", which the encoding does not "
            "have.");
  EXPECT_EQ(failure(with("[[\"OP\"]]", "[[\"NO\"]]")),
            "t.json: /encodings/0/opcodes/0/0 is \"NO\", which is no field.");
}

TEST(InstructionSetJson, FieldsBeyondTheEncodingAreRefused) {
  EXPECT_EQ(failure(with("[[4,8]]", "[[25,8]]")),
            "t.json: /encodings/0/fields/0/bits/0 is no range of the 32 bits there are.");
  EXPECT_EQ(failure(with("[[4,8]]", "[]")),
            "t.json: /encodings/0/fields/0/bits give 0 bits, not 1 to 64.");
}

TEST(InstructionSetJson, OtherFaultsAreNamed) {
  EXPECT_EQ(failure(with("\"im\"", "\"mi\"")),
            "t.json: /operands/0/4 is \"mi\", not letters of iohm in order.");
  EXPECT_EQ(failure(with("0xff000000", "ff000000")),
            "t.json: /encodings/0/mask is \"ff000000\", not 0x and eight digits.");
  EXPECT_EQ(failure(with("[2,9]", "[9,2]")),
            "t.json: /encodings/0/identifiers/values/1 is no ascending run that fits 32 bits.");
  EXPECT_EQ(failure(with("[2,9]", "0")),
            "t.json: /encodings/0/identifiers/values are not ascending.");
  EXPECT_NE(failure(with("OP != 1", "NO != 1"))
                .find("t.json: /encodings/0/conditions/0 is no "
                      "condition: "),
            std::string::npos);
  EXPECT_NE(
      failure(with("\"imported\"", "\"invented\"")).find("/basis is \"invented\", not one of"),
      std::string::npos);
  EXPECT_NE(failure(with("\"sources\"", "\"source\"")).find("t.json: "), std::string::npos);
  EXPECT_EQ(failure(with("\"name\":\"I\",", "\"name\":\"I\",\"flags\":[\"fast\"],")),
            "t.json: /instructions/0/flags/0 is \"fast\", which is no flag of an instruction.");
}

TEST(InstructionSetJson, ControlCharacterIsRefusedWithItsPlace) {
  EXPECT_EQ(failure(with("\"architecture\":\"B\"", "\"architecture\":\"B\\u001b[2J\"")),
            "t.json: /architecture holds a control character.");
  EXPECT_EQ(failure(with("\"name\":\"E\"", "\"name\":\"E\\u0007\"")),
            "t.json: /encodings/0/name holds a control character.");
}

TEST(InstructionSetJson, ShippedTablesAreWrittenAsTheyAreRead) {
  for (const std::string_view architecture :
       {"rdna2", "rdna3", "rdna3_5", "rdna4", "gcn5_1", "cdna1", "cdna2", "cdna3", "cdna4"}) {
    const InstructionSet set = shipped_table(architecture);
    EXPECT_EQ(set.id, "amd/" + std::string(architecture));
    EXPECT_TRUE(write_instruction_set(set) == shipped_table_text(architecture)) << architecture;
    EXPECT_LT(shipped_table_text(architecture).size(), 350'000U) << architecture;
    // None of them is AMD's own.
    EXPECT_NE(set.basis, "imported");
    EXPECT_FALSE(set.note.empty());
  }
}

TEST(InstructionSetJson, TablesHoldOneInstructionALine) {
  const std::string text = shipped_table_text("rdna4");
  const InstructionSet set = shipped_table("rdna4");
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_GT(lines, set.instructions.size());
  EXPECT_NE(text.find("\n{\"name\":\"V_ADD_F32\","), std::string::npos);
}

}  // namespace
}  // namespace halyard::isa
