// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace halyard::isa {

// The operations name what they change. Where a set has no such thing, or has it as wanted already,
// an operation changes nothing.

// An operand or a form by names, as they stand in the set that is corrected.
struct NamedOperand {
  std::string field;
  std::string data_format;
  std::string operand_type;
  Operand operand;  // without its indices
};
struct NamedForm {
  std::string encoding;
  std::string condition;
  std::uint32_t opcode = 0;
  std::vector<NamedOperand> operands;
};

// Adds an instruction that is missing, and gives operands to one that has none. The encodings
// identify its opcodes from then on.
struct ProvideInstruction {
  std::string name;
  std::string group;
  std::vector<NamedForm> forms;
};

struct RemoveInstructions {
  std::vector<std::string> names;
};

// Assemblers call the instruction otherwise.
struct SetAssemblyName {
  std::string name;
  std::string assembly_name;
};

// Adds a condition to encodings that lack it; forms without a condition get it.
struct ProvideCondition {
  std::vector<std::string> encodings;
  std::string condition;
  std::string expression;
};

// Gives the forms that instructions have in an encoding a condition of their own.
struct ChangeCondition {
  std::vector<std::string> instructions;
  std::string encoding;
  std::string condition;
  std::string expression;
};

struct SetIdentifiers {
  std::string encoding;
  std::uint32_t mask = 0;
  std::vector<std::uint32_t> identifiers;
};

// Two instructions share the encodings; `mask` covers what identifies both. A form is of the second
// part when an operand lies in one of `second_fields`.
struct HoldTwoInstructions {
  std::vector<std::string> encodings;
  std::uint32_t mask = 0;
  std::string first_opcode;
  std::string second_opcode;
  std::vector<std::string> second_fields;
};

// The padding of a field is the inverse of bit 0 of another one.
struct InvertPadding {
  std::vector<std::string> encodings;
  std::string field;
  std::string inverted;
};

// Operands of a type that say no field lie in `field`.
struct LocateOperands {
  std::vector<std::string> encodings;
  std::string operand_type;
  std::string field;
};

// The destination of instructions is read too.
struct MarkAsRead {
  std::vector<std::string> instructions;
  std::string field;
};

struct SetFieldBits {
  std::vector<std::string> encodings;
  std::string field;
  std::vector<BitRange> ranges;
};

using CorrectionOperation =
    std::variant<ProvideInstruction, RemoveInstructions, SetAssemblyName, ProvideCondition,
                 ChangeCondition, SetIdentifiers, HoldTwoInstructions, InvertPadding,
                 LocateOperands, MarkAsRead, SetFieldBits>;

// Something that vendors' files, or what was made of them, say wrongly or not at all.
struct Correction {
  std::string id;
  std::vector<std::string> architectures;  // ids of instruction sets
  std::string what;                        // one sentence
  std::string why;
  std::string source;
  std::vector<CorrectionOperation> operations;
};

// Reads a "halyard.isa_corrections/1" document (capability-descriptors/schema/).
// Errors: kCorruptData, with the source, line and column or JSON pointer.
base::Result<std::vector<Correction>> parse_corrections(std::string_view text,
                                                        std::string_view source_name);

// Applies those of `corrections` that are for the architecture of `set`, in their order, and adds
// the ids of those that changed something to set.corrections.
// Errors: kInvalidArgument for a condition that is no expression over the fields of its encoding.
base::Status apply_corrections(const std::vector<Correction>& corrections, InstructionSet& set);

}  // namespace halyard::isa
