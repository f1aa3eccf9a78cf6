// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halyard::services::testing {

// Indices into the tables of small_instruction_set().
enum EncodingIndex : std::uint32_t { kVop2, kVop3, kVop3Dpp8, kVop3p, kGlobal, kSopp };
enum TypeIndex : std::uint32_t { kVgpr, kSrc, kSgpr, kVcc, kImmediate };
enum FormatIndex : std::uint32_t { kF32, kF16, kAny };

inline isa::Field field(std::string name, std::uint16_t offset, std::uint16_t count) {
  isa::Field made;
  made.name = std::move(name);
  made.ranges = {{offset, count}};
  return made;
}

inline isa::Encoding encoding(std::string name, std::uint32_t bits, std::uint32_t mask,
                              std::uint32_t identifier, std::vector<isa::Field> fields) {
  isa::Encoding made;
  made.name = std::move(name);
  made.bits = bits;
  made.mask = mask;
  made.identifiers = {identifier};
  made.fields = std::move(fields);
  made.opcodes = {{0}};
  made.conditions = {{"default", "1"}};
  return made;
}

inline isa::Operand operand(std::uint32_t type, std::uint32_t format, std::uint32_t bits,
                            bool output) {
  isa::Operand made;
  made.data_format = format;
  made.operand_type = type;
  made.bits = bits;
  made.input = !output;
  made.output = output;
  made.in_microcode = true;
  return made;
}

inline isa::Form form(std::uint32_t encoding, std::uint32_t opcode,
                      std::vector<isa::Operand> operands) {
  isa::Form made;
  made.encoding = encoding;
  made.condition = 0;
  made.opcode = opcode;
  made.operands = std::move(operands);
  return made;
}

inline isa::Instruction instruction(std::string name, std::string group,
                                    std::vector<isa::Form> forms) {
  isa::Instruction made;
  made.name = std::move(name);
  made.group = std::move(group);
  made.forms = std::move(forms);
  return made;
}

inline isa::OperandType operand_type(std::string name, std::vector<isa::RegisterRange> registers,
                                     std::vector<isa::NamedValue> values) {
  isa::OperandType made;
  made.name = std::move(name);
  made.registers = std::move(registers);
  made.values = std::move(values);
  return made;
}

inline isa::DataFormat data_format(std::string name) {
  isa::DataFormat made;
  made.name = std::move(name);
  return made;
}

// Some instructions of the RDNA kind, enough to speak of each kind of operand.
inline isa::InstructionSet small_instruction_set() {
  isa::InstructionSet set;
  set.id = "test/small";
  set.architecture = "Small";
  set.basis = "derived";
  set.encodings = {
      encoding("ENC_VOP2", 32, 0xfe000000, 0x06000000, {field("OP", 25, 6), field("SRC0", 0, 9)}),
      encoding("ENC_VOP3", 64, 0xffff0000, 0xd5000000, {field("OP", 16, 10), field("VDST", 0, 8)}),
      encoding("VOP3_VOP_DPP8", 96, 0xffff0000, 0xd5000000, {field("OP", 16, 10)}),
      encoding("ENC_VOP3P", 64, 0xffff0000, 0xcc400000, {field("OP", 16, 7), field("VDST", 0, 8)}),
      encoding("ENC_FLAT_GLOBAL", 64, 0xfffc0000, 0xdc520000, {field("OP", 18, 8)}),
      encoding("ENC_SOPP", 32, 0xffff0000, 0xbf890000, {field("OP", 16, 7)})};
  set.encodings[kVop3p].fields.push_back(field("OP_SEL_HI", 59, 2));
  set.encodings[kVop3p].fields.back().ranges.push_back({14, 1});
  set.operand_types = {operand_type("OPR_VGPR", {{"v", 0, 0, 256}}, {}),
                       operand_type("OPR_SRC", {{"s", 0, 0, 106}, {"v", 0, 256, 256}},
                                    {{"0", 128}, {"vcc_lo", 106}}),
                       operand_type("OPR_SREG", {{"s", 0, 0, 106}}, {}),
                       operand_type("OPR_VCC", {}, {{"vcc", 106}}),
                       operand_type("OPR_SIMM16", {}, {})};
  set.data_formats = {data_format("FMT_NUM_F32"), data_format("FMT_WMMA_AB_F16"),
                      data_format("FMT_ANY")};
  const isa::Operand vdst = operand(kVgpr, kF32, 32, true);
  const isa::Operand src = operand(kSrc, kF32, 32, false);
  isa::Operand sum = vdst;
  sum.input = true;
  isa::Operand carry = operand(kVcc, kAny, 32, false);
  carry.is_implicit = true;
  set.instructions = {
      instruction("V_ADD_F32", "VALU",
                  {form(kVop2, 3, {vdst, src, src}), form(kVop3, 0x103, {vdst, src, src}),
                   form(kVop3Dpp8, 0x103, {vdst, src, src})}),
      instruction("V_FMAC_F32", "VALU", {form(kVop2, 43, {sum, src, src})}),
      instruction("V_CNDMASK_B32", "VALU", {form(kVop2, 1, {vdst, src, src, carry})}),
      instruction("V_RSQ_F32", "VALU", {form(kVop3, 0x1ae, {vdst, src})}),
      instruction("V_WMMA_F32_16X16X16_F16", "VALU",
                  {form(kVop3p, 64,
                        {operand(kVgpr, kF32, 256, true), operand(kVgpr, kF16, 256, false),
                         operand(kVgpr, kF16, 256, false), operand(kVgpr, kF32, 256, false)})}),
      instruction("V_WMMA_F32_16X16X16_BF16", "VALU",
                  {form(kVop3p, 65, {operand(kVgpr, kF32, 256, true)})}),
      instruction("GLOBAL_LOAD_B128", "VMEM",
                  {form(kGlobal, 23,
                        {operand(kVgpr, kAny, 128, true), operand(kVgpr, kAny, 32, false),
                         operand(kSgpr, kAny, 64, false)})}),
      instruction("S_WAITCNT", "WAVE_CONTROL",
                  {form(kSopp, 9, {operand(kImmediate, kAny, 16, false)})}),
      instruction("IMAGE_SAMPLE", "VMEM", {})};
  return set;
}

}  // namespace halyard::services::testing
