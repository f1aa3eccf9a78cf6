// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_diff.h"

#include <gtest/gtest.h>

namespace halyard::descriptors {
namespace {

MatrixOperation operation(std::string instruction, double cycles) {
  MatrixOperation made;
  made.instruction = std::move(instruction);
  made.a_type = made.b_type = made.c_type = "f32";
  made.lanes = 64;
  made.cycles = cycles;
  return made;
}

TEST(CompareDescriptors, EqualOnesHaveNoDifference) {
  Descriptor one;
  one.capabilities.set_number(CapabilityKey::kSubgroupSize, 32);
  one.matrix_operations = {operation("MUL", 8)};
  one.products = {{"Card", {}, {}, one.capabilities}};
  const DescriptorDifference difference = compare_descriptors(one, one);
  EXPECT_TRUE(difference.capabilities.empty());
  EXPECT_TRUE(difference.matrix_operations.empty());
  EXPECT_TRUE(difference.products.empty());
}

TEST(CompareDescriptors, CapabilitiesDifferByValueOrAreMissing) {
  Descriptor left;
  left.capabilities.set_number(CapabilityKey::kSubgroupSize, 32);
  left.capabilities.set_flag(CapabilityKey::kTypeF64, true);
  left.capabilities.set_number(CapabilityKey::kSimdLanes, 16, CapabilityOrigin::kDocumented);
  Descriptor right;
  right.capabilities.set_number(CapabilityKey::kSubgroupSize, 64);
  right.capabilities.set_number(CapabilityKey::kSimdLanes, 16, CapabilityOrigin::kMeasured);
  const auto differences = compare_descriptors(left, right).capabilities;
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].key, "subgroup.size");
  EXPECT_EQ(differences[0].left->number, 32);
  EXPECT_EQ(differences[0].right->number, 64);
  EXPECT_EQ(differences[1].key, "type.f64");
  EXPECT_FALSE(differences[1].right.has_value());
}

TEST(CompareDescriptors, MatrixOperationsDifferByTheirFacts) {
  Descriptor left;
  left.matrix_operations = {operation("MUL", 8), operation("OLD", 4)};
  Descriptor right;
  right.matrix_operations = {operation("MUL", 16)};
  const auto differences = compare_descriptors(left, right).matrix_operations;
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].operation, "MUL f32 f32 f32 of 64 lanes");
  EXPECT_EQ(differences[0].left->cycles, 8);
  EXPECT_EQ(differences[0].right->cycles, 16);
  EXPECT_FALSE(differences[1].right.has_value());
}

TEST(CompareDescriptors, ProductsDifferByTheirOwnCapabilities) {
  Descriptor left;
  left.products = {{"Card", {}, {}, {}}, {"Same", {}, {}, {}}};
  left.products[0].capabilities.set_number(CapabilityKey::kComputeUnits, 60);
  Descriptor right;
  right.products = {{"Card", {}, {}, {}}, {"New", {}, {}, {}}, {"Same", {}, {}, {}}};
  const auto differences = compare_descriptors(left, right).products;
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0].product, "Card");
  ASSERT_EQ(differences[0].capabilities.size(), 1U);
  EXPECT_EQ(differences[1].product, "New");
  EXPECT_FALSE(differences[1].in_left);
  EXPECT_TRUE(differences[1].in_right);
}

isa::Form form(std::uint32_t encoding, std::uint32_t condition, std::uint32_t opcode) {
  isa::Form made;
  made.encoding = encoding;
  made.condition = condition;
  made.opcode = opcode;
  return made;
}

isa::Instruction instruction(std::string name, std::vector<isa::Form> forms) {
  isa::Instruction made;
  made.name = std::move(name);
  made.forms = std::move(forms);
  return made;
}

isa::InstructionSet instruction_set(std::uint32_t add_opcode) {
  isa::InstructionSet set;
  set.encodings.resize(2);
  set.encodings[0].name = "ENC_A";
  set.encodings[0].conditions = {{"default", "1"}, {"has_lit", "X == 255"}};
  set.encodings[1].name = "ENC_B";
  set.instructions = {instruction("ADD", {form(0, 0, add_opcode), form(0, 1, 5)})};
  return set;
}

TEST(CompareInstructionSets, InstructionsAndOpcodesAreCompared) {
  isa::InstructionSet left = instruction_set(3);
  isa::InstructionSet right = instruction_set(4);
  left.instructions.push_back(instruction("OLD", {}));
  right.instructions.push_back(instruction("NEW", {}));
  right.instructions[0].forms.push_back(form(1, isa::kNoIndex, 7));
  const InstructionSetDifference difference = compare_instruction_sets(left, right);
  EXPECT_EQ(difference.only_left, std::vector<std::string>{"OLD"});
  EXPECT_EQ(difference.only_right, std::vector<std::string>{"NEW"});
  ASSERT_EQ(difference.opcodes.size(), 2U);
  EXPECT_EQ(difference.opcodes[0].instruction, "ADD");
  EXPECT_EQ(difference.opcodes[0].encoding, "ENC_A");
  EXPECT_EQ(difference.opcodes[0].condition, "default");
  EXPECT_EQ(difference.opcodes[0].left, 3U);
  EXPECT_EQ(difference.opcodes[0].right, 4U);
  EXPECT_EQ(difference.opcodes[1].encoding, "ENC_B");
  EXPECT_EQ(difference.opcodes[1].condition, "");
  EXPECT_EQ(difference.opcodes[1].left, std::nullopt);
  EXPECT_EQ(difference.opcodes[1].right, 7U);
}

TEST(CompareInstructionSets, EqualSetsHaveNoDifference) {
  const auto difference = compare_instruction_sets(instruction_set(3), instruction_set(3));
  EXPECT_TRUE(difference.only_left.empty());
  EXPECT_TRUE(difference.only_right.empty());
  EXPECT_TRUE(difference.opcodes.empty());
}

}  // namespace
}  // namespace halyard::descriptors
