// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/identifier_list.h"
#include "capability-descriptors/isa/json_list.h"
#include "capability-descriptors/isa/operand_flags.h"
#include "runtime/base/text.h"

#include <array>

namespace halyard::isa {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;

constexpr std::string_view kFormat = "halyard.isa_corrections/1";

Result<NamedForm> parse_form(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"encoding", "condition", "opcode", "operands"}));
  NamedForm form;
  HALYARD_TRY_ASSIGN(form.encoding, object.required_string("encoding"));
  HALYARD_TRY_ASSIGN(form.condition, object.required_string("condition"));
  HALYARD_TRY_ASSIGN(const std::int64_t opcode, object.required_integer("opcode", {0, 0xffff}));
  form.opcode = static_cast<std::uint32_t>(opcode);
  HALYARD_TRY_ASSIGN(const JsonList operands, JsonList::member(object, "operands"));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList entry, operands.list(i, 5));
    std::array<std::string_view, 3> names;
    for (std::size_t j = 0; j < names.size(); ++j) {
      HALYARD_TRY_ASSIGN(names[j], entry.text(j));
    }
    NamedOperand operand = {
        std::string(names[0]), std::string(names[1]), std::string(names[2]), {}};
    HALYARD_TRY_ASSIGN(operand.operand.bits, entry.number(3));
    HALYARD_TRY(read_operand_flags(entry, 4, operand.operand));
    form.operands.push_back(std::move(operand));
  }
  return form;
}

Result<CorrectionOperation> parse_provide_instruction(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "name", "group", "forms"}));
  ProvideInstruction provide;
  HALYARD_TRY_ASSIGN(provide.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(provide.group, object.required_string("group"));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> forms, object.required_objects("forms"));
  for (const JsonObject& form : forms) {
    HALYARD_TRY_ASSIGN(NamedForm parsed, parse_form(form));
    provide.forms.push_back(std::move(parsed));
  }
  return CorrectionOperation(std::move(provide));
}

Result<CorrectionOperation> parse_remove_instructions(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "names"}));
  RemoveInstructions remove;
  HALYARD_TRY_ASSIGN(remove.names, object.required_strings("names"));
  return CorrectionOperation(std::move(remove));
}

Result<CorrectionOperation> parse_set_assembly_name(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "name", "assembly_name"}));
  SetAssemblyName set;
  HALYARD_TRY_ASSIGN(set.name, object.required_string("name"));
  HALYARD_TRY_ASSIGN(set.assembly_name, object.required_string("assembly_name"));
  return CorrectionOperation(std::move(set));
}

Result<CorrectionOperation> parse_provide_condition(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "encodings", "condition", "expression"}));
  ProvideCondition provide;
  HALYARD_TRY_ASSIGN(provide.encodings, object.required_strings("encodings"));
  HALYARD_TRY_ASSIGN(provide.condition, object.required_string("condition"));
  HALYARD_TRY_ASSIGN(provide.expression, object.required_string("expression"));
  return CorrectionOperation(std::move(provide));
}

Result<CorrectionOperation> parse_change_condition(const JsonObject& object) {
  HALYARD_TRY(
      object.refuse_unknown_keys({"do", "instructions", "encoding", "condition", "expression"}));
  ChangeCondition change;
  HALYARD_TRY_ASSIGN(change.instructions, object.required_strings("instructions"));
  HALYARD_TRY_ASSIGN(change.encoding, object.required_string("encoding"));
  HALYARD_TRY_ASSIGN(change.condition, object.required_string("condition"));
  HALYARD_TRY_ASSIGN(change.expression, object.required_string("expression"));
  return CorrectionOperation(std::move(change));
}

Result<CorrectionOperation> parse_set_identifiers(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "encoding", "mask", "identifiers"}));
  SetIdentifiers set;
  HALYARD_TRY_ASSIGN(set.encoding, object.required_string("encoding"));
  HALYARD_TRY_ASSIGN(set.mask, read_hexadecimal(object, "mask"));
  HALYARD_TRY_ASSIGN(const JsonObject identifiers, object.required_object("identifiers"));
  HALYARD_TRY_ASSIGN(set.identifiers, read_identifiers(identifiers));
  return CorrectionOperation(std::move(set));
}

Result<CorrectionOperation> parse_hold_two_instructions(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys(
      {"do", "encodings", "mask", "first_opcode", "second_opcode", "second_fields"}));
  HoldTwoInstructions hold;
  HALYARD_TRY_ASSIGN(hold.encodings, object.required_strings("encodings"));
  HALYARD_TRY_ASSIGN(hold.mask, read_hexadecimal(object, "mask"));
  HALYARD_TRY_ASSIGN(hold.first_opcode, object.required_string("first_opcode"));
  HALYARD_TRY_ASSIGN(hold.second_opcode, object.required_string("second_opcode"));
  HALYARD_TRY_ASSIGN(hold.second_fields, object.required_strings("second_fields"));
  return CorrectionOperation(std::move(hold));
}

Result<CorrectionOperation> parse_invert_padding(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "encodings", "field", "inverted"}));
  InvertPadding invert;
  HALYARD_TRY_ASSIGN(invert.encodings, object.required_strings("encodings"));
  HALYARD_TRY_ASSIGN(invert.field, object.required_string("field"));
  HALYARD_TRY_ASSIGN(invert.inverted, object.required_string("inverted"));
  return CorrectionOperation(std::move(invert));
}

Result<CorrectionOperation> parse_locate_operands(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "encodings", "operand_type", "field"}));
  LocateOperands locate;
  HALYARD_TRY_ASSIGN(locate.encodings, object.required_strings("encodings"));
  HALYARD_TRY_ASSIGN(locate.operand_type, object.required_string("operand_type"));
  HALYARD_TRY_ASSIGN(locate.field, object.required_string("field"));
  return CorrectionOperation(std::move(locate));
}

Result<CorrectionOperation> parse_mark_as_read(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "instructions", "field"}));
  MarkAsRead mark;
  HALYARD_TRY_ASSIGN(mark.instructions, object.required_strings("instructions"));
  HALYARD_TRY_ASSIGN(mark.field, object.required_string("field"));
  return CorrectionOperation(std::move(mark));
}

Result<CorrectionOperation> parse_set_field_bits(const JsonObject& object) {
  HALYARD_TRY(object.refuse_unknown_keys({"do", "encodings", "field", "bits"}));
  SetFieldBits set;
  HALYARD_TRY_ASSIGN(set.encodings, object.required_strings("encodings"));
  HALYARD_TRY_ASSIGN(set.field, object.required_string("field"));
  HALYARD_TRY_ASSIGN(const JsonList bits, JsonList::member(object, "bits"));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList range, bits.list(i, 2));
    HALYARD_TRY_ASSIGN(const std::uint32_t offset, range.number(0, 4096));
    HALYARD_TRY_ASSIGN(const std::uint32_t count, range.number(1, 64));
    set.ranges.push_back({static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(count)});
  }
  return CorrectionOperation(std::move(set));
}

struct OperationKind {
  std::string_view name;
  Result<CorrectionOperation> (*parse)(const JsonObject& object);
};
constexpr std::array<OperationKind, 11> kOperations = {{
    {"provide_instruction", parse_provide_instruction},
    {"remove_instructions", parse_remove_instructions},
    {"set_assembly_name", parse_set_assembly_name},
    {"provide_condition", parse_provide_condition},
    {"change_condition", parse_change_condition},
    {"set_identifiers", parse_set_identifiers},
    {"hold_two_instructions", parse_hold_two_instructions},
    {"invert_padding", parse_invert_padding},
    {"locate_operands", parse_locate_operands},
    {"mark_as_read", parse_mark_as_read},
    {"set_field_bits", parse_set_field_bits},
}};

Result<CorrectionOperation> parse_operation(const JsonObject& object) {
  std::vector<std::string_view> names;
  names.reserve(kOperations.size());
  for (const OperationKind& kind : kOperations)
    names.push_back(kind.name);
  HALYARD_TRY_ASSIGN(const std::string name, object.required_choice("do", names));
  std::size_t kind = 0;
  while (kOperations[kind].name != name)
    ++kind;
  return kOperations[kind].parse(object);
}

Result<Correction> parse_correction(const JsonObject& object) {
  HALYARD_TRY(
      object.refuse_unknown_keys({"id", "architectures", "what", "why", "source", "operations"}));
  Correction correction;
  HALYARD_TRY_ASSIGN(correction.id, object.required_string("id"));
  HALYARD_TRY_ASSIGN(correction.architectures, object.required_strings("architectures"));
  HALYARD_TRY_ASSIGN(correction.what, object.required_string("what"));
  HALYARD_TRY_ASSIGN(correction.why, object.required_string("why"));
  HALYARD_TRY_ASSIGN(correction.source, object.required_string("source"));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> operations,
                     object.required_objects("operations"));
  for (const JsonObject& operation : operations) {
    HALYARD_TRY_ASSIGN(CorrectionOperation parsed, parse_operation(operation));
    correction.operations.push_back(std::move(parsed));
  }
  return correction;
}

}  // namespace

Result<std::vector<Correction>> parse_corrections(std::string_view text,
                                                  std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  HALYARD_TRY(document.refuse_unknown_keys({"format", "corrections"}));
  constexpr std::array<std::string_view, 1> kFormats = {kFormat};
  HALYARD_TRY(document.required_choice("format", kFormats));
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects,
                     document.required_objects("corrections"));
  std::vector<Correction> corrections;
  for (const JsonObject& object : objects) {
    HALYARD_TRY_ASSIGN(Correction correction, parse_correction(object));
    for (const Correction& other : corrections) {
      if (other.id == correction.id)
        return object.error("id", concat("is \"", correction.id, "\", which stands twice"));
    }
    corrections.push_back(std::move(correction));
  }
  return corrections;
}

}  // namespace halyard::isa
