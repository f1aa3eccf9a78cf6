// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/instruction_text.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

namespace halyard::services {
namespace {

using base::concat;
using isa::Encoding;
using isa::Form;
using isa::Instruction;
using isa::InstructionSet;
using isa::kNoIndex;
using isa::Operand;
using isa::OperandType;

struct FormSuffix {
  std::string_view suffix;
  std::string_view form;
};

// What follows the name of an encoding where it is a form of another; the longer ones first.
constexpr std::array<FormSuffix, 9> kFormSuffixes = {{
    {"_INST_LITERAL", "literal"},
    {"_VOP_SDWA_SDST_ENC", "sdwa"},
    {"_VOP_SDWA", "sdwa"},
    {"_VOP_DPP16", "dpp16"},
    {"_VOP_DPP8", "dpp8"},
    {"_VOP_DPP", "dpp"},
    {"_NSA1", "nsa"},
    {"_NSA2", "nsa"},
    {"_NSA3", "nsa"},
}};

std::string hex(std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return concat("0x",
                std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

bool has_registers(const OperandType& type, std::string_view prefix) {
  return std::any_of(type.registers.begin(), type.registers.end(),
                     [&](const isa::RegisterRange& range) { return range.prefix == prefix; });
}

bool has_constants(const OperandType& type) {
  return std::any_of(type.values.begin(), type.values.end(),
                     [](const isa::NamedValue& value) { return value.name == "0"; });
}

// What may stand for an operand: "v", "s", "src", "vcc", "simm16".
std::string kind_of(const OperandType& type) {
  const bool vector = has_registers(type, "v");
  const bool scalar = has_registers(type, "s");
  const bool accumulation = has_registers(type, "acc");
  const bool constants = has_constants(type);
  if (vector && scalar) return "src";
  if (scalar) return constants ? "ssrc" : "s";
  std::string kind;
  if (vector) kind = "v";
  if (accumulation) kind += vector ? "/a" : "a";
  if (!kind.empty()) return constants ? kind + "/const" : kind;
  if (type.values.size() == 1) return lower_case(type.values.front().name);
  return lower_case(without_prefix(type.name, "OPR_"));
}

bool is_register_kind(std::string_view kind) {
  return kind.starts_with('v') ? kind == "v" || kind.starts_with("v/") || kind == "vcc"
                               : kind.starts_with("a/") || kind == "a" || kind == "s" ||
                                     kind == "src" || kind == "ssrc";
}

std::string operand_text(const InstructionSet& set, const Operand& operand) {
  constexpr std::uint32_t kRegisterBits = 32;
  std::string text = operand.operand_type == kNoIndex
                         ? std::string("any")
                         : kind_of(set.operand_types[operand.operand_type]);
  const std::uint32_t count = (operand.bits + kRegisterBits - 1) / kRegisterBits;
  if (count > 1 && is_register_kind(text) && text != "vcc") text += concat('[', count, ']');
  if (operand.data_format == kNoIndex) return text;
  const std::string_view format =
      without_prefix(without_prefix(set.data_formats[operand.data_format].name, "FMT_"), "NUM_");
  return format == "ANY" ? text : concat(text, ':', lower_case(format));
}

bool is_default(const InstructionSet& set, const Form& form) {
  const Encoding& encoding = set.encodings[form.encoding];
  return form.condition == kNoIndex || encoding.conditions[form.condition].name == "default";
}

// The plain form with the fewest bits; where there is none, the first form.
const Form* plainest_form(const InstructionSet& set, const Instruction& instruction) {
  const Form* best = nullptr;
  for (const Form& form : instruction.forms) {
    if (form.encoding == kNoIndex) continue;
    const auto rank = [&](const Form& candidate) {
      const Encoding& encoding = set.encodings[candidate.encoding];
      return std::pair(!encoding_form_name(encoding.name).empty() || !is_default(set, candidate),
                       encoding.bits);
    };
    if (best == nullptr || rank(form) < rank(*best)) best = &form;
  }
  return best;
}

std::string operands_text(const InstructionSet& set, const Form& form) {
  std::vector<std::string> written;
  std::vector<std::string> read;
  std::vector<std::string> implicit;
  for (const Operand& operand : form.operands) {
    std::string text = operand_text(set, operand);
    if (operand.is_implicit) {
      implicit.push_back(std::move(text));
    } else if (operand.output) {
      written.push_back((operand.input ? "+" : "") + std::move(text));
    } else {
      read.push_back(std::move(text));
    }
  }
  std::string text;
  if (!written.empty()) text = concat(' ', base::join(written), " =");
  if (!read.empty()) text += concat(' ', base::join(read));
  if (!implicit.empty()) text += concat(" (", base::join(implicit), ')');
  return text;
}

template <typename T>
void add_once(std::vector<T>& values, T value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(std::move(value));
}

std::string encodings_text(const InstructionSet& set, const Instruction& instruction) {
  std::vector<const Form*> by_size;
  for (const Form& form : instruction.forms) {
    if (form.encoding != kNoIndex) by_size.push_back(&form);
  }
  std::stable_sort(by_size.begin(), by_size.end(), [&](const Form* left, const Form* right) {
    return set.encodings[left->encoding].bits < set.encodings[right->encoding].bits;
  });
  std::vector<std::string> plain;
  std::vector<std::string> only_forms;
  std::vector<std::string> forms;
  for (const Form* const listed : by_size) {
    const Form& form = *listed;
    const std::string& name = set.encodings[form.encoding].name;
    const std::string_view kind = encoding_form_name(name);
    std::string text = concat(base_encoding_name(name), ' ', hex(form.opcode));
    if (kind.empty()) {
      add_once(plain, std::move(text));
    } else {
      add_once(only_forms, std::move(text));
      add_once(forms, concat(" +", kind));
    }
  }
  return concat(base::join(plain.empty() ? only_forms : plain), base::join(forms, ""));
}

// Whether the description is how the instruction is written: "%result = OpDot %IdResultType …".
bool shows_syntax(const Instruction& instruction) {
  std::string_view text = instruction.description;
  constexpr std::string_view kResult = "%result = ";
  if (text.starts_with(kResult)) text.remove_prefix(kResult.size());
  return text.substr(0, text.find(' ')) == instruction.name;
}

std::string syntax_line(const Instruction& instruction) {
  std::string line = instruction.description;
  if (!instruction.forms.empty()) line += concat(" | ", instruction.forms.front().opcode);
  if (!instruction.capabilities.empty()) {
    line += concat(", needs ", base::join(instruction.capabilities, " or "));
  }
  if (instruction.since == "none") {
    return instruction.extensions.empty()
               ? line + ", in no version"
               : concat(line, ", by ", base::join(instruction.extensions, " or "));
  }
  return instruction.since.empty() ? line : concat(line, ", since ", instruction.since);
}

std::string range_text(const isa::BitRange& range) {
  if (range.count < 2) return concat(range.offset);
  return concat(range.offset, '-', range.offset + range.count - 1);
}

std::uint32_t first_dword_bits(const isa::BitRange& range) {
  constexpr std::uint32_t kDwordBits = 32;
  std::uint32_t bits = 0;
  for (std::uint32_t bit = range.offset; bit < range.offset + range.count; ++bit) {
    if (bit < kDwordBits) bits |= std::uint32_t{1} << bit;
  }
  return bits;
}

// The bits of the first dword that hold opcodes.
std::uint32_t opcode_mask(const Encoding& encoding) {
  std::uint32_t mask = 0;
  for (const isa::OpcodeFields& opcode : encoding.opcodes) {
    for (const std::uint32_t field : opcode) {
      for (const isa::BitRange& range : encoding.fields[field].ranges)
        mask |= first_dword_bits(range);
    }
  }
  return mask;
}

}  // namespace

std::string_view base_encoding_name(std::string_view name) {
  for (const FormSuffix& row : kFormSuffixes) {
    if (!name.ends_with(row.suffix)) continue;
    name.remove_suffix(row.suffix.size());
    break;
  }
  return without_prefix(name, "ENC_");
}

std::string_view encoding_form_name(std::string_view name) {
  for (const FormSuffix& row : kFormSuffixes) {
    if (name.ends_with(row.suffix)) return row.form;
  }
  return {};
}

std::string_view assembly_name(const Instruction& instruction) {
  return instruction.assembly_name.empty() ? instruction.name : instruction.assembly_name;
}

std::string_view instruction_line_key(const InstructionSet& set) {
  if (!set.instructions.empty() && shows_syntax(set.instructions.front())) {
    return "A line is an instruction as it is written | opcode, a capability that it needs (one of "
           "them), the first version or the extension that has it.";
  }
  return "A line is NAME written = read (implicit) | encoding opcode, then forms that exist. v is "
         "a "
         "vector register, s a scalar one, a one of accumulation; src is any of v, s or an inline "
         "constant, ssrc is s or a constant; [n] is n registers in a row; a format follows ':'; + "
         "before an operand says that it is read too.";
}

std::string instruction_line(const InstructionSet& set, const Instruction& instruction) {
  if (shows_syntax(instruction)) return syntax_line(instruction);
  std::string line(assembly_name(instruction));
  if (const Form* const form = plainest_form(set, instruction)) line += operands_text(set, *form);
  const std::string encodings = encodings_text(set, instruction);
  return encodings.empty() ? line : concat(line, " | ", encodings);
}

std::string encoding_line(const Encoding& encoding) {
  std::vector<std::pair<std::uint16_t, std::string>> fields;  // by their lowest bit
  for (const isa::Field& field : encoding.fields) {
    if (field.name == "ENCODING" || field.ranges.empty()) continue;
    std::vector<std::string> ranges;
    for (const isa::BitRange& range : field.ranges)
      ranges.push_back(range_text(range));
    fields.emplace_back(field.ranges.front().offset,
                        concat(field.name, ' ', base::join(ranges, "+")));
  }
  std::sort(fields.begin(), fields.end());
  std::string line = concat(base_encoding_name(encoding.name), ": ", encoding.bits, " bits");
  const std::uint32_t mask = encoding.mask & ~opcode_mask(encoding);
  if (mask != 0 && !encoding.identifiers.empty()) {
    line += concat(", first dword & ", hex(mask), " = ", hex(encoding.identifiers.front() & mask));
  }
  std::vector<std::string> texts;
  texts.reserve(fields.size());
  for (auto& [bit, text] : fields)
    texts.push_back(std::move(text));
  return concat(line, "; ", base::join(texts));
}

}  // namespace halyard::services
