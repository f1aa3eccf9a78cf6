// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <string>
#include <utility>

namespace halyard::isa::testing {

inline Field field(std::string name, std::uint16_t offset, std::uint16_t count) {
  Field field;
  field.name = std::move(name);
  field.ranges = {{offset, count}};
  return field;
}

inline Form form(std::uint32_t encoding, std::uint32_t condition, std::uint32_t opcode,
                 std::uint32_t part = 0) {
  Form form;
  form.encoding = encoding;
  form.condition = condition;
  form.opcode = opcode;
  form.part = part;
  return form;
}

inline Instruction instruction(std::string name, std::vector<Form> forms) {
  Instruction instruction;
  instruction.name = std::move(name);
  instruction.forms = std::move(forms);
  return instruction;
}

// A made-up set with what makes decoding hard: a plain encoding whose default condition is always
// true beside one with a literal (0, 1), a pair of instructions with and without a literal (2, 3),
// and an opcode that ends in the second dword (4).
inline InstructionSet small_instruction_set() {
  InstructionSet set;
  set.id = "test/small";
  Encoding plain;
  plain.name = "ENC_ONE";
  plain.order = -1;
  plain.bits = 32;
  plain.mask = 0xff80ff00;
  plain.identifiers = {0xbe800100, 0xbe800200};
  plain.fields = {field("SRC0", 0, 8), field("OP", 8, 8), field("DST", 16, 7)};
  plain.conditions = {{"default", "1"}};
  plain.opcodes = {{1}};
  Encoding literal = plain;
  literal.name = "ONE_LITERAL";
  literal.order = 7;
  literal.bits = 64;
  literal.identifiers = {0xbe800100};
  literal.fields.push_back(field("LITERAL", 32, 32));
  literal.conditions = {{"has_lit", "SRC0 == 255"}};
  Encoding pair;
  pair.name = "PAIR";
  pair.bits = 64;
  pair.mask = 0xffc00000;
  pair.identifiers = {0xc8000000, 0xc8400000};
  pair.fields = {field("SRCX0", 0, 9),  field("OPY", 17, 5),   field("OPX", 22, 4),
                 field("SRCY0", 32, 9), field("VDSTY", 49, 7), field("VDSTX", 56, 8)};
  pair.fields[4].padding_bits = 1;
  pair.fields[4].inverted_bit_of = 5;
  pair.conditions = {{"default", "SRCX0 != 255"}};
  pair.opcodes = {{2}, {1}};
  Encoding pair_literal = pair;
  pair_literal.name = "PAIR_LITERAL";
  pair_literal.order = 9;
  pair_literal.bits = 96;
  pair_literal.conditions = {{"has_lit", "SRCX0 == 255"}, {"default", "SRCX0 != 255"}};
  Encoding wide;
  wide.name = "WIDE";
  wide.bits = 64;
  wide.mask = 0xfc000000;
  wide.identifiers = {0xf0000000};
  wide.fields = {field("OP", 18, 8), field("OPM", 32, 1), field("SRC0", 40, 9),
                 field("SRC1", 49, 9)};
  wide.conditions = {{"default", "SRC0 != 250 && (SRC0 != 255 || SRC1 != 255)"},
                     {"has_pair", "SRC0 == SRC1 && SRC0 == 250"}};
  wide.opcodes = {{0, 1}};
  set.encodings = {plain, literal, pair, pair_literal, wide};
  set.instructions = {
      instruction("MOVE", {form(0, 0, 1), form(1, 0, 1)}),
      instruction("SEND", {form(0, 0, 2)}),
      instruction("ADD", {form(2, 0, 0), form(2, 0, 0, 1), form(3, 0, 0), form(3, 0, 0, 1)}),
      instruction("MADK", {form(3, 0, 1), form(3, 1, 1), form(3, 0, 1, 1), form(3, 1, 1, 1)}),
      instruction("MAX", {form(2, 0, 2), form(2, 0, 2, 1)}),
      instruction("LOW", {form(4, 0, 5)}),
      instruction("HIGH", {form(4, 0, 5 + 256), form(4, 1, 5 + 256)}),
  };
  return set;
}

}  // namespace halyard::isa::testing
