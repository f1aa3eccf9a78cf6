// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::isa {

// Stands for "none" wherever an index into one of the tables below may be missing.
inline constexpr std::uint32_t kNoIndex = 0xffffffff;

struct NamedValue {
  std::string name;
  std::uint64_t value = 0;
};

// `count` bits from bit `offset` on; bit 0 is bit 0 of the first dword of the encoding.
struct BitRange {
  std::uint16_t offset = 0;
  std::uint16_t count = 0;
};

// A named part of an encoding or of an immediate. Its raw value is the concatenation of its ranges,
// the first being the least significant; its value is `raw << padding_bits | padding`.
struct Field {
  std::string name;
  std::vector<BitRange> ranges;
  std::uint16_t padding_bits = 0;
  std::uint64_t padding = 0;
  // An index into the fields of the same encoding: bit 0 of the value, which is padding, is the
  // inverse of bit 0 of that field.
  std::uint32_t inverted_bit_of = kNoIndex;
  bool conditional = false;
  std::string signedness;  // of a data format: "Signed", "Unsigned", "SignedByModifier" or ""
  std::vector<NamedValue> values;
};

// When a form of an instruction applies: an expression in the language of base::Expression over the
// field names of the encoding ("SRC0 != 255 && SRC1 != 255"); "1" is always, "" was not understood
// (InstructionSet::unresolved says why).
struct Condition {
  std::string name;  // "default", "has_lit", …
  std::string expression;
};

// The opcode of one instruction in an encoding: the values of these fields (indices), the first
// being the least significant.
using OpcodeFields = std::vector<std::uint32_t>;

// A layout of bits. `(first dword) & mask` equals one of `identifiers` where the encoding is used;
// a mask of zero identifies nothing.
struct Encoding {
  std::string name;
  std::int32_t order = 0;  // lower is tried first
  std::uint32_t bits = 0;
  std::uint32_t mask = 0;
  std::vector<std::uint32_t> identifiers;  // ascending, each once
  std::vector<Field> fields;
  std::vector<Condition> conditions;  // names are unique
  // One for each instruction that the encoding holds: none where it has no opcode, two where two
  // instructions are issued together (Form::part says which).
  std::vector<OpcodeFields> opcodes;
};

// How numbers lie in an operand: "FMT_NUM_PK2_F16" is two 16-bit floats.
struct DataFormat {
  std::string name;
  std::string type;              // "float", "integer", "bits", "descriptor", "unknown"
  std::uint32_t bits = 0;        // of the whole; 0: not said
  std::uint32_t components = 0;  // 0: not said
  // Mantissa, exponent, sign … of the lowest component; the others follow at equal distances.
  std::vector<Field> fields;
};

// `count` registers named prefix + number, from `first_number` on, encoded from `first_value` on.
struct RegisterRange {
  std::string prefix;  // "v", "s", "ttmp", "acc"
  std::uint32_t first_number = 0;
  std::uint32_t first_value = 0;
  std::uint32_t count = 0;
};

// What an operand may be.
struct OperandType {
  std::string name;                      // "OPR_SRC"
  std::vector<RegisterRange> registers;  // runs of two registers or more
  std::vector<NamedValue> values;        // everything else that has a name
  std::vector<Field> fields;             // of a partitioned immediate
};

struct Operand {
  std::uint32_t field = kNoIndex;  // into Encoding::fields; none: implicit or not in the bits
  std::uint32_t data_format = kNoIndex;
  std::uint32_t operand_type = kNoIndex;
  std::uint32_t bits = 0;
  bool input = false;
  bool output = false;
  bool is_implicit = false;   // in neither the bits nor the text
  bool in_microcode = false;  // false and not implicit: in the text only
};

// One way to encode an instruction.
struct Form {
  std::uint32_t encoding = kNoIndex;
  std::uint32_t condition = kNoIndex;  // into Encoding::conditions
  std::uint32_t opcode = 0;
  std::uint32_t part = 0;         // into Encoding::opcodes
  std::vector<Operand> operands;  // in the order of the text
};

struct Instruction {
  std::string name;           // upper case, "V_ADD_F32"; SPIR-V: "OpFAdd"
  std::string assembly_name;  // upper case, as assemblers call it; "" where it is the name
  std::vector<std::string> aliases;
  // A flag that the source does not say is unknown.
  std::optional<bool> is_branch;
  std::optional<bool> is_conditional_branch;
  std::optional<bool> is_indirect_branch;
  std::optional<bool> is_terminator;
  std::optional<bool> is_immediately_executed;
  std::string group;                   // "VALU"; "" where not said
  std::vector<std::string> subgroups;  // "FLOATING_POINT"
  std::string description;             // one sentence; not kept in shipped tables
  // What a module must declare to use it; SPIR-V only.
  std::vector<std::string> capabilities;  // one of them is enough
  std::vector<std::string> extensions;  // one of them is enough, and none is needed from `since` on
  std::string since;  // the version, "1.3"; "" is the first one, "none" no version yet
  std::vector<Form> forms;
};

// Something that the source names and does not define, or that cannot be read.
struct Unresolved {
  std::string path;  // "/Spec/ISA/Instructions/Instruction[12]/InstructionEncodings/…"
  std::string what;  // one sentence
};

// Where an instruction set comes from.
struct InstructionSetSource {
  std::string title;    // "amdgpu_isa_rdna4.xml", or what it was derived from
  std::string sha256;   // of the file that was imported; "" where there is none
  std::string date;     // of release, ISO 8601; "" where not said
  std::string licence;  // "MIT"
  std::string schema_version;
};

// The instructions of an architecture. Plain data; names are unique within each table.
struct InstructionSet {
  std::string id;            // "amd/rdna4"
  std::string architecture;  // "AMD RDNA 4"
  std::optional<std::int64_t> architecture_id;
  std::string basis;  // "imported" (from a vendor's file), "derived" or "reconstructed"
  std::string note;   // what the basis means here, one sentence; may be empty
  std::vector<InstructionSetSource> sources;
  std::vector<std::string> corrections;  // ids of the corrections that were applied
  std::vector<Encoding> encodings;
  std::vector<Instruction> instructions;
  std::vector<DataFormat> data_formats;
  std::vector<OperandType> operand_types;
  std::vector<Unresolved> unresolved;
};

}  // namespace halyard::isa
