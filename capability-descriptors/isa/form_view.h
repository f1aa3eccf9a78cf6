// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/encoding_layout.h"
#include "capability-descriptors/isa/field_value.h"
#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace halyard::isa {

// What assemblers' texts differ by.
enum class TextGeneration : std::uint8_t { kGfx9, kGfx10, kGfx11, kGfx12 };

// Of an instruction set by its id; the newest for one that is not known.
TextGeneration text_generation(std::string_view instruction_set_id);

// A form of an instruction with the bits that encode it, as the parts of its text need it. Borrows
// everything; lives while one text is made.
struct FormView {
  const InstructionSet& set;
  const Instruction& instruction;
  const Form& form;
  const Encoding& encoding;
  const EncodingLayout& layout;
  std::span<const EncodingLayout> layouts;  // of all encodings of the set
  std::span<const std::uint32_t> words;
  TextGeneration generation;
  std::uint32_t wavefront_size;
  std::string_view label;  // what a branch goes to; "" where only the distance is known

  bool has(FieldId id) const { return layout.has(id); }
  // 0 where the encoding lacks the field.
  std::uint64_t value(FieldId id) const {
    const std::uint32_t index = layout.index_of(id);
    return index == kNoIndex ? 0 : field_value(encoding, index, words);
  }
  bool is_set(FieldId id) const { return value(id) != 0; }

  // "" for an operand without field.
  std::string_view field_name(const Operand& operand) const {
    return operand.field == kNoIndex ? std::string_view() : encoding.fields[operand.field].name;
  }
  std::string_view type_name(const Operand& operand) const {
    return operand.operand_type == kNoIndex ? std::string_view()
                                            : set.operand_types[operand.operand_type].name;
  }
  // The name that assemblers use, upper case.
  std::string_view name() const {
    return instruction.assembly_name.empty() ? instruction.name : instruction.assembly_name;
  }
  // The dword that follows the instruction's own.
  std::uint32_t literal() const {
    if (has(FieldId::kLiteral)) return static_cast<std::uint32_t>(value(FieldId::kLiteral));
    const std::size_t index = (encoding.bits + 31) / 32;
    return index < words.size() ? words[index] : 0;
  }
};

}  // namespace halyard::isa
