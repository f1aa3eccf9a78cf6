// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/spirv_grammar.h"

#include "capability-descriptors/isa/index_of.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace halyard::isa {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kGrammar = R"({
  "copyright": ["Copyright (c) 2014-2020 The Khronos Group Inc.", "",
                "Permission is hereby granted, free of charge, to any person obtaining a copy"],
  "magic_number": "0x07230203",
  "major_version": 1, "minor_version": 7, "revision": 3,
  "instructions": [
    {"opname": "OpNop", "class": "@exclude", "opcode": 0},
    {"opname": "OpStore", "class": "Memory", "opcode": 62, "operands": [
      {"kind": "IdRef", "name": "'Pointer'"}, {"kind": "IdRef", "name": "'Object'"},
      {"kind": "MemoryAccess", "quantifier": "?"}]},
    {"opname": "OpGroup", "class": "Group", "opcode": 264, "operands": [
      {"kind": "IdResultType"}, {"kind": "IdResult"},
      {"kind": "IdRef", "name": "'Parameter 1', +\n'Parameter 2', +\n...", "quantifier": "*"}],
      "capabilities": ["Groups", "Kernel"], "extensions": ["SPV_KHR_groups"], "version": "1.3"},
    {"opname": "OpReserved", "class": "Reserved", "opcode": 5000, "version": "None",
      "operands": [{"kind": "Mystery"}], "capabilities": ["Riddles"]}
  ],
  "operand_kinds": [
    {"category": "BitEnum", "kind": "MemoryAccess", "enumerants": [
      {"enumerant": "None", "value": "0x0000"}, {"enumerant": "Aligned", "value": "0x0002"}]},
    {"category": "ValueEnum", "kind": "Capability", "enumerants": [
      {"enumerant": "Groups", "value": 18}, {"enumerant": "Kernel", "value": 6}]},
    {"category": "Id", "kind": "IdResultType"}, {"category": "Id", "kind": "IdResult"},
    {"category": "Id", "kind": "IdRef"}
  ]
})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kGrammar;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  const auto set = read_spirv_grammar(text, "g.json");
  if (set) return "accepted";
  EXPECT_EQ(set.error().code(), base::ErrorCode::kCorruptData);
  return set.error().message();
}

const Instruction& instruction_of(const InstructionSet& set, std::string_view name) {
  return set.instructions.at(index_of(set.instructions, name));
}

Texts operand_types(const InstructionSet& set, std::string_view name) {
  Texts names;
  for (const Operand& operand : instruction_of(set, name).forms.at(0).operands) {
    names.push_back(
        operand.operand_type == kNoIndex ? "?" : set.operand_types[operand.operand_type].name);
  }
  return names;
}

TEST(SpirvGrammar, HeadingIsThatOfItsVersion) {
  const InstructionSet set = read_spirv_grammar(kGrammar, "/a/g.json").value();
  EXPECT_EQ(set.id, "khronos/spirv1_7");
  EXPECT_EQ(set.architecture, "SPIR-V 1.7");
  EXPECT_EQ(set.basis, "imported");
  ASSERT_EQ(set.sources.size(), 1U);
  EXPECT_EQ(set.sources[0].title, "g.json");
  EXPECT_EQ(set.sources[0].licence, "MIT");
  EXPECT_EQ(set.sources[0].schema_version, "1.7 revision 3");
  EXPECT_EQ(set.sources[0].sha256.size(), 64U);
  EXPECT_EQ(read_spirv_grammar(with("Permission", "No permission"), "g").value().sources[0].licence,
            "");
}

TEST(SpirvGrammar, InstructionsHaveOpcodesOperandsAndRequirements) {
  const InstructionSet set = read_spirv_grammar(kGrammar, "g.json").value();
  ASSERT_EQ(set.instructions.size(), 4U);
  EXPECT_EQ(set.instructions[0].group, "");
  const Instruction& group = instruction_of(set, "OpGroup");
  EXPECT_EQ(group.group, "Group");
  EXPECT_EQ(group.capabilities, (Texts{"Groups", "Kernel"}));
  EXPECT_EQ(group.extensions, Texts{"SPV_KHR_groups"});
  EXPECT_EQ(group.since, "1.3");
  EXPECT_EQ(group.description, "%result = OpGroup %IdResultType [%IdRef ...]");
  EXPECT_EQ(group.is_branch, std::nullopt);
  ASSERT_EQ(group.forms.size(), 1U);
  EXPECT_EQ(group.forms[0].opcode, 264U);
  EXPECT_TRUE(group.forms[0].operands[1].output);
  EXPECT_TRUE(group.forms[0].operands[2].input);
  EXPECT_EQ(operand_types(set, "OpGroup"), (Texts{"IdResultType", "IdResult", "IdRef*"}));
  EXPECT_EQ(operand_types(set, "OpStore"), (Texts{"IdRef", "IdRef", "MemoryAccess?"}));
  EXPECT_EQ(instruction_of(set, "OpStore").description, "OpStore %Pointer %Object [MemoryAccess]");
  EXPECT_EQ(instruction_of(set, "OpReserved").since, "none");
}

TEST(SpirvGrammar, EnumerantsAreValuesOfTheirKind) {
  const InstructionSet set = read_spirv_grammar(kGrammar, "g.json").value();
  const OperandType& access = set.operand_types.at(index_of(set.operand_types, "MemoryAccess"));
  ASSERT_EQ(access.values.size(), 2U);
  EXPECT_EQ(access.values[1].name, "Aligned");
  EXPECT_EQ(access.values[1].value, 2U);
  EXPECT_TRUE(set.operand_types.at(index_of(set.operand_types, "MemoryAccess?")).values.empty());
}

TEST(SpirvGrammar, WhatIsNamedAndNotDefinedIsCollected) {
  const InstructionSet set = read_spirv_grammar(kGrammar, "g.json").value();
  ASSERT_EQ(set.unresolved.size(), 2U);
  EXPECT_EQ(set.unresolved[0].path, "/instructions/3/capabilities");
  EXPECT_EQ(set.unresolved[0].what, "\"Riddles\" is no enumerant of the kind Capability.");
  EXPECT_EQ(set.unresolved[1].path, "/instructions/3/operands/0/kind");
  EXPECT_EQ(set.unresolved[1].what, "\"Mystery\" is no kind of operands.");
  EXPECT_EQ(operand_types(set, "OpReserved"), Texts{"?"});
}

TEST(SpirvGrammar, WhatIsReadCanBeWrittenAndReadAgain) {
  const std::string text = write_instruction_set(read_spirv_grammar(kGrammar, "g.json").value());
  const auto again = parse_instruction_set(text, "i.json");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(write_instruction_set(*again), text);
  const Instruction& group = instruction_of(*again, "OpGroup");
  EXPECT_EQ(group.capabilities, (Texts{"Groups", "Kernel"}));
  EXPECT_EQ(group.extensions, Texts{"SPV_KHR_groups"});
  EXPECT_EQ(group.since, "1.3");
}

TEST(SpirvGrammar, WrongFormsAreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("{}"), "g.json: /major_version is missing.");
  EXPECT_EQ(refusal(with("\"opcode\": 62", "\"opcode\": 65536")),
            "g.json: /instructions/1/opcode is 65536, outside 0 to 65535.");
  EXPECT_EQ(refusal(with("OpStore", "OpNop")),
            "g.json: /instructions/1/opname is \"OpNop\", which stands twice.");
  EXPECT_EQ(refusal(with("\"kind\": \"IdRef\"}\n", "\"kind\": \"IdResult\"}\n")),
            "g.json: /operand_kinds/4/kind is \"IdResult\", which stands twice.");
  EXPECT_EQ(refusal(with("\"quantifier\": \"?\"", "\"quantifier\": \"+\"")),
            "g.json: /instructions/1/operands/2/quantifier is \"+\", not one of \"?\", \"*\".");
  EXPECT_EQ(refusal(with("0x0002", "0x1ffffffff")),
            "g.json: /operand_kinds/0/enumerants/1/value is \"0x1ffffffff\", no hexadecimal number "
            "of 32 bits.");
  EXPECT_EQ(refusal(with("0x0002", "two")),
            "g.json: /operand_kinds/0/enumerants/1/value is \"two\", no hexadecimal number of 32 "
            "bits.");
  EXPECT_EQ(refusal(with("OpStore", std::string(257, 'O'))),
            "g.json: /instructions/1/opname has 257 bytes, not 1 to 256.");
}

// The text of Debian's spirv-headers, or nothing where it is not installed.
std::optional<std::string> installed_grammar() {
  const std::string path = "/usr/include/spirv/unified1/spirv.core.grammar.json";
  if (!std::filesystem::exists(path)) {
    EXPECT_EQ(std::getenv("CI"), nullptr) << path << " is not there.";
    std::cout << "[ LEFT OUT ] Khronos's SPIR-V grammar (spirv-headers is not installed.)\n";
    return std::nullopt;
  }
  return base::read_text_file(path, std::size_t{16} << 20).value();
}

TEST(SpirvGrammar, InstalledGrammarIsReadWhole) {
  const auto text = installed_grammar();
  if (!text) return;
  const auto read = read_spirv_grammar(*text, "spirv.core.grammar.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->unresolved.empty());
  EXPECT_GE(read->instructions.size(), 703U);
  EXPECT_EQ(instruction_of(*read, "OpFAdd").forms[0].opcode, 129U);
  EXPECT_EQ(operand_types(*read, "OpLoad"),
            (Texts{"IdResultType", "IdResult", "IdRef", "MemoryAccess?"}));
  EXPECT_EQ(instruction_of(*read, "OpGroupNonUniformFAdd").since, "1.3");
  const OperandType& storage =
      read->operand_types.at(index_of(read->operand_types, "StorageClass"));
  EXPECT_EQ(storage.values.at(index_of(storage.values, "StorageBuffer")).value, 12U);
}

TEST(SpirvGrammar, ShippedTableIsThatOfTheInstalledGrammar) {
  const std::string shipped =
      base::read_text_file(HALYARD_INSTRUCTION_SETS "/../khronos/spirv1_6.instruction_set.json",
                           std::size_t{16} << 20)
          .value();
  const auto set = parse_instruction_set(shipped, "spirv1_6.instruction_set.json");
  ASSERT_TRUE(set) << set.error().message();
  EXPECT_EQ(set->id, "khronos/spirv1_6");
  EXPECT_EQ(set->instructions.size(), 703U);
  EXPECT_EQ(write_instruction_set(*set), shipped);
  const auto text = installed_grammar();
  if (!text) return;
  const InstructionSet installed = read_spirv_grammar(*text, "spirv.core.grammar.json").value();
  if (installed.sources[0].sha256 == set->sources[0].sha256) {
    EXPECT_EQ(write_instruction_set(installed), shipped);
  }
}

}  // namespace
}  // namespace halyard::isa
