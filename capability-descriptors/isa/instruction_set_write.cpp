// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/identifier_list.h"
#include "capability-descriptors/isa/instruction_set_flags.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "capability-descriptors/isa/operand_flags.h"
#include "runtime/base/text.h"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>

namespace halyard::isa {
namespace {

namespace json = boost::json;
using base::concat;

json::value text_value(std::string_view text) {
  return json::value(json::string_view(text.data(), text.size()));
}

json::array texts(const std::vector<std::string>& values) {
  json::array out;
  for (const std::string& value : values)
    out.push_back(text_value(value));
  return out;
}

void set_text(json::object& object, json::string_view key, std::string_view text) {
  if (!text.empty()) object[key] = text_value(text);
}

json::array named_values(const std::vector<NamedValue>& values) {
  json::array out;
  for (const NamedValue& value : values)
    out.push_back(json::array{text_value(value.name), value.value});
  return out;
}

json::array fields_value(const std::vector<Field>& fields) {
  json::array out;
  for (const Field& field : fields) {
    json::object object;
    object["name"] = text_value(field.name);
    json::array ranges;
    for (const BitRange& range : field.ranges)
      ranges.push_back(json::array{range.offset, range.count});
    object["bits"] = std::move(ranges);
    if (field.padding_bits != 0) object["padding"] = {field.padding_bits, field.padding};
    if (field.inverted_bit_of != kNoIndex)
      object["inverted_bit_of"] = text_value(fields[field.inverted_bit_of].name);
    if (field.conditional) object["conditional"] = true;
    set_text(object, "signedness", field.signedness);
    if (!field.values.empty()) object["values"] = named_values(field.values);
    out.push_back(std::move(object));
  }
  return out;
}

json::object data_format_value(const DataFormat& format) {
  json::object object;
  object["name"] = text_value(format.name);
  set_text(object, "type", format.type);
  if (format.bits != 0) object["bits"] = format.bits;
  if (format.components != 0) object["components"] = format.components;
  if (!format.fields.empty()) object["fields"] = fields_value(format.fields);
  return object;
}

json::object operand_type_value(const OperandType& type) {
  json::object object;
  object["name"] = text_value(type.name);
  json::array registers;
  for (const RegisterRange& range : type.registers) {
    registers.push_back(
        json::array{text_value(range.prefix), range.first_number, range.first_value, range.count});
  }
  if (!registers.empty()) object["registers"] = std::move(registers);
  if (!type.values.empty()) object["values"] = named_values(type.values);
  if (!type.fields.empty()) object["fields"] = fields_value(type.fields);
  return object;
}

json::object encoding_value(const Encoding& encoding) {
  json::object object;
  object["name"] = text_value(encoding.name);
  object["order"] = encoding.order;
  object["bits"] = encoding.bits;
  object["mask"] = text_value(hexadecimal(encoding.mask));
  if (!encoding.identifiers.empty())
    object["identifiers"] = write_identifiers(encoding.identifiers);
  object["fields"] = fields_value(encoding.fields);
  json::array opcodes;
  for (const OpcodeFields& fields : encoding.opcodes) {
    json::array names;
    for (const std::uint32_t field : fields)
      names.push_back(text_value(encoding.fields[field].name));
    opcodes.push_back(std::move(names));
  }
  object["opcodes"] = std::move(opcodes);
  json::array conditions;
  for (const Condition& condition : encoding.conditions)
    conditions.push_back(json::array{text_value(condition.name), text_value(condition.expression)});
  object["conditions"] = std::move(conditions);
  return object;
}

// Collects the distinct operands of all instructions while these are written.
class InstructionWriter {
 public:
  explicit InstructionWriter(const InstructionSet& set) : set_(set) {
    for (std::size_t i = 0; i < kInstructionFlags.size(); ++i) {
      for (const Instruction& instruction : set.instructions)
        is_known_[i] = is_known_[i] || (instruction.*kInstructionFlags[i].member).has_value();
    }
  }

  // The flags that are unknown of every instruction.
  json::array unknown_flags() const {
    json::array names;
    for (std::size_t i = 0; i < kInstructionFlags.size(); ++i) {
      if (!is_known_[i]) names.push_back(text_value(kInstructionFlags[i].name));
    }
    return names;
  }

  json::object write(const Instruction& instruction) {
    json::object object;
    object["name"] = text_value(instruction.name);
    set_text(object, "assembly_name", instruction.assembly_name);
    if (!instruction.aliases.empty()) object["aliases"] = texts(instruction.aliases);
    set_text(object, "group", instruction.group);
    if (!instruction.subgroups.empty()) object["subgroups"] = texts(instruction.subgroups);
    write_flags(instruction, object);
    set_text(object, "description", instruction.description);
    if (!instruction.capabilities.empty()) object["capabilities"] = texts(instruction.capabilities);
    if (!instruction.extensions.empty()) object["extensions"] = texts(instruction.extensions);
    set_text(object, "since", instruction.since);
    write_forms(instruction, object);
    return object;
  }

  const std::vector<json::array>& operands() const { return operands_; }

 private:
  void write_flags(const Instruction& instruction, json::object& object) const {
    json::array set;
    json::array unknown;
    for (std::size_t i = 0; i < kInstructionFlags.size(); ++i) {
      const std::optional<bool> flag = instruction.*kInstructionFlags[i].member;
      if (!flag && is_known_[i]) unknown.push_back(text_value(kInstructionFlags[i].name));
      if (flag.value_or(false)) set.push_back(text_value(kInstructionFlags[i].name));
    }
    if (!set.empty()) object["flags"] = std::move(set);
    if (!unknown.empty()) object["unknown_flags"] = std::move(unknown);
  }

  json::array operand_value(const Operand& operand, const Encoding* encoding) const {
    const bool has_field = encoding != nullptr && operand.field != kNoIndex;
    return {has_field ? text_value(encoding->fields[operand.field].name) : json::value(nullptr),
            operand.data_format == kNoIndex
                ? json::value(nullptr)
                : text_value(set_.data_formats[operand.data_format].name),
            operand.operand_type == kNoIndex
                ? json::value(nullptr)
                : text_value(set_.operand_types[operand.operand_type].name),
            operand.bits, text_value(operand_flags(operand))};
  }

  json::array operand_list(const Form& form, const Encoding* encoding) {
    json::array list;
    for (const Operand& operand : form.operands) {
      json::array value = operand_value(operand, encoding);
      const auto [place, is_new] = known_.try_emplace(json::serialize(value), operands_.size());
      if (is_new) operands_.push_back(std::move(value));
      list.push_back(json::value(place->second));
    }
    return list;
  }

  // Forms that share encoding, opcode and part, in one piece: [encoding, opcode, part, condition,
  // operands, condition, operands …].
  void write_forms(const Instruction& instruction, json::object& object) {
    json::array lists;
    std::map<std::string, std::size_t> places;
    json::array pieces;
    const Form* last = nullptr;
    for (const Form& form : instruction.forms) {
      const Encoding* const encoding =
          form.encoding == kNoIndex ? nullptr : &set_.encodings[form.encoding];
      json::array list = operand_list(form, encoding);
      const auto [place, is_new] = places.try_emplace(json::serialize(list), lists.size());
      if (is_new) lists.push_back(std::move(list));
      const bool joins = last != nullptr && last->encoding == form.encoding &&
                         last->opcode == form.opcode && last->part == form.part;
      if (!joins) {
        pieces.push_back(
            json::array{encoding == nullptr ? json::value(nullptr) : text_value(encoding->name),
                        form.opcode, form.part});
      }
      json::array& piece = pieces.back().get_array();
      piece.push_back(form.condition == kNoIndex ? json::value(nullptr)
                                                 : json::value(form.condition));
      piece.push_back(json::value(place->second));
      last = &form;
    }
    object["operands"] = std::move(lists);
    object["forms"] = std::move(pieces);
  }

  const InstructionSet& set_;
  std::array<bool, kInstructionFlags.size()> is_known_ = {};
  std::vector<json::array> operands_;
  std::map<std::string, std::size_t> known_;
};

// Writes one member of the document; the elements of a list stand on a line each, so that a change
// of one shows as a change of one line.
class DocumentText {
 public:
  void member(std::string_view name, const json::value& value) {
    begin(name);
    text_ += json::serialize(value);
  }

  template <typename Values, typename Write>
  void list(std::string_view name, const Values& values, const Write& write) {
    begin(name);
    text_ += '[';
    bool first = true;
    for (const auto& value : values) {
      text_ += first ? "\n" : ",\n";
      text_ += json::serialize(write(value));
      first = false;
    }
    text_ += first ? "]" : "\n]";
  }

  std::string finish() && { return std::move(text_) + "\n}\n"; }

 private:
  void begin(std::string_view name) {
    text_ += text_.empty() ? "{\n" : ",\n";
    text_ += concat('"', name, "\":");
  }

  std::string text_;
};

json::object source_value(const InstructionSetSource& source) {
  json::object object;
  object["title"] = text_value(source.title);
  set_text(object, "sha256", source.sha256);
  set_text(object, "date", source.date);
  set_text(object, "licence", source.licence);
  set_text(object, "schema_version", source.schema_version);
  return object;
}

// Sentences that say the same of many places are written once: [sentence, path, path …].
std::vector<json::array> unresolved_values(const std::vector<Unresolved>& unresolved) {
  std::vector<json::array> values;
  for (std::size_t i = 0; i < unresolved.size(); ++i) {
    if (i == 0 || unresolved[i].what != unresolved[i - 1].what)
      values.push_back(json::array{text_value(unresolved[i].what)});
    values.back().push_back(text_value(unresolved[i].path));
  }
  return values;
}

}  // namespace

std::string write_instruction_set(const InstructionSet& set) {
  InstructionWriter writer(set);
  std::vector<json::object> instructions;
  for (const Instruction& instruction : set.instructions)
    instructions.push_back(writer.write(instruction));
  const auto as_it_is = [](const auto& value) { return json::value(value); };
  DocumentText text;
  text.member("format", text_value(kInstructionSetFormat));
  text.member("id", text_value(set.id));
  text.member("architecture", text_value(set.architecture));
  if (set.architecture_id) text.member("architecture_id", *set.architecture_id);
  text.member("basis", text_value(set.basis));
  if (!set.note.empty()) text.member("note", text_value(set.note));
  text.list("sources", set.sources, source_value);
  text.member("corrections", texts(set.corrections));
  text.list("data_formats", set.data_formats, data_format_value);
  text.list("operand_types", set.operand_types, operand_type_value);
  text.list("encodings", set.encodings, encoding_value);
  text.list("operands", writer.operands(), as_it_is);
  text.member("unknown_flags", writer.unknown_flags());
  text.list("instructions", instructions, as_it_is);
  text.list("unresolved", unresolved_values(set.unresolved), as_it_is);
  return std::move(text).finish();
}

}  // namespace halyard::isa
