// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/index_of.h"
#include "capability-descriptors/isa/instruction_set_flags.h"
#include "capability-descriptors/isa/instruction_set_json.h"
#include "capability-descriptors/isa/instruction_set_tables.h"
#include "capability-descriptors/isa/json_list.h"
#include "capability-descriptors/isa/operand_flags.h"
#include "runtime/base/control_character.h"
#include "runtime/base/text.h"

#include <array>
#include <optional>
#include <unordered_set>

namespace halyard::isa {
namespace {

using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

// An operand whose field is still a name, since it stands for every encoding with such a field.
struct SharedOperand {
  std::string_view field;
  Operand operand;
};

class InstructionParser {
 public:
  explicit InstructionParser(InstructionSet& set) : set_(set) {}

  Status read_operands(const JsonObject& document) {
    HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(document, "operands"));
    for (std::size_t i = 0; i < list.size(); ++i) {
      HALYARD_TRY_ASSIGN(const JsonList entry, list.list(i, 5));
      SharedOperand shared;
      if (!entry.is_null(0)) {
        HALYARD_TRY_ASSIGN(shared.field, entry.text(0));
      }
      HALYARD_TRY_ASSIGN(shared.operand.data_format, name_index(entry, 1, set_.data_formats));
      HALYARD_TRY_ASSIGN(shared.operand.operand_type, name_index(entry, 2, set_.operand_types));
      HALYARD_TRY_ASSIGN(shared.operand.bits, entry.number(3));
      HALYARD_TRY(read_operand_flags(entry, 4, shared.operand));
      operands_.push_back(shared);
    }
    return base::ok();
  }

  Status read_unknown_flags(const JsonObject& document) {
    HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(document, "unknown_flags"));
    return mark_flags(list, unknown_);
  }

  Result<Instruction> read(const JsonObject& object) {
    HALYARD_TRY(object.refuse_unknown_keys(
        {"name", "assembly_name", "aliases", "group", "subgroups", "flags", "unknown_flags",
         "description", "capabilities", "extensions", "since", "operands", "forms"}));
    Instruction instruction;
    HALYARD_TRY_ASSIGN(instruction.name, object.required_string("name"));
    if (!names_.insert(instruction.name).second)
      return object.error("name", concat("is \"", instruction.name, "\", which stands twice"));
    HALYARD_TRY_ASSIGN(instruction.assembly_name, object.optional_string("assembly_name", ""));
    HALYARD_TRY_ASSIGN(instruction.aliases, object.optional_strings("aliases"));
    HALYARD_TRY_ASSIGN(instruction.group, object.optional_string("group", ""));
    HALYARD_TRY_ASSIGN(instruction.subgroups, object.optional_strings("subgroups"));
    HALYARD_TRY_ASSIGN(instruction.description, object.optional_string("description", ""));
    HALYARD_TRY_ASSIGN(instruction.capabilities, object.optional_strings("capabilities"));
    HALYARD_TRY_ASSIGN(instruction.extensions, object.optional_strings("extensions"));
    HALYARD_TRY_ASSIGN(instruction.since, object.optional_string("since", ""));
    HALYARD_TRY(read_instruction_flags(object, instruction));
    HALYARD_TRY_ASSIGN(const JsonList lists, JsonList::member(object, "operands"));
    HALYARD_TRY_ASSIGN(const JsonList forms, JsonList::member(object, "forms"));
    for (std::size_t i = 0; i < forms.size(); ++i) {
      HALYARD_TRY_ASSIGN(const JsonList piece, forms.list(i));
      HALYARD_TRY(read_forms(piece, lists, instruction));
    }
    return instruction;
  }

 private:
  using FlagSet = std::array<bool, kInstructionFlags.size()>;

  static Status mark_flags(const JsonList& list, FlagSet& flags) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      HALYARD_TRY_ASSIGN(const std::string_view name, list.text(i));
      std::size_t flag = 0;
      while (flag < kInstructionFlags.size() && kInstructionFlags[flag].name != name)
        ++flag;
      if (flag == kInstructionFlags.size())
        return list.error(i, concat("is \"", name, "\", which is no flag of an instruction"));
      flags[flag] = true;
    }
    return base::ok();
  }

  Status read_instruction_flags(const JsonObject& object, Instruction& instruction) const {
    FlagSet unknown = unknown_;
    FlagSet set = {};
    HALYARD_TRY_ASSIGN(const JsonList unknown_names, JsonList::member(object, "unknown_flags"));
    HALYARD_TRY_ASSIGN(const JsonList set_names, JsonList::member(object, "flags"));
    HALYARD_TRY(mark_flags(unknown_names, unknown));
    HALYARD_TRY(mark_flags(set_names, set));
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (set[i] && unknown[i]) {
        return object.error("flags", concat("hold ", kInstructionFlags[i].name,
                                            ", which is among the unknown flags"));
      }
      if (!unknown[i]) instruction.*kInstructionFlags[i].member = set[i];
    }
    return base::ok();
  }

  template <typename Named>
  static Result<std::uint32_t> name_index(const JsonList& entry, std::size_t at,
                                          const std::vector<Named>& table) {
    if (entry.is_null(at)) return kNoIndex;
    HALYARD_TRY_ASSIGN(const std::string_view name, entry.text(at));
    const std::uint32_t index = index_of(table, name);
    if (index == kNoIndex)
      return entry.error(at, concat("is \"", name, "\", which is not defined"));
    return index;
  }

  // One piece: [encoding, opcode, part, condition, operands, condition, operands …].
  Status read_forms(const JsonList& piece, const JsonList& lists, Instruction& instruction) const {
    Form form;
    if (piece.size() < 3 || piece.size() % 2 == 0)
      return piece.error(0, "starts an array that is no encoding, opcode, part and pairs");
    HALYARD_TRY_ASSIGN(form.encoding, name_index(piece, 0, set_.encodings));
    HALYARD_TRY_ASSIGN(form.opcode, piece.number(1));
    const Encoding* const encoding =
        form.encoding == kNoIndex ? nullptr : &set_.encodings[form.encoding];
    const std::size_t parts =
        encoding == nullptr ? 1 : std::max<std::size_t>(encoding->opcodes.size(), 1);
    HALYARD_TRY_ASSIGN(form.part, piece.number(2, static_cast<std::uint32_t>(parts - 1)));
    for (std::size_t i = 3; i < piece.size(); i += 2) {
      form.condition = kNoIndex;
      if (!piece.is_null(i)) {
        HALYARD_TRY_ASSIGN(form.condition, piece.number(i));
        if (encoding == nullptr || form.condition >= encoding->conditions.size())
          return piece.error(i, concat("is ", form.condition, ", no condition of the encoding"));
      }
      HALYARD_TRY_ASSIGN(const std::uint32_t list, piece.number(i + 1));
      if (list >= lists.size()) {
        return piece.error(i + 1,
                           concat("is ", list, "; there are ", lists.size(), " lists of operands"));
      }
      HALYARD_TRY_ASSIGN(const JsonList indices, lists.list(list));
      HALYARD_TRY_ASSIGN(form.operands, operands_of(indices, encoding));
      instruction.forms.push_back(form);
    }
    return base::ok();
  }

  Result<std::vector<Operand>> operands_of(const JsonList& indices,
                                           const Encoding* encoding) const {
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      HALYARD_TRY_ASSIGN(const std::uint32_t index, indices.number(i));
      if (index >= operands_.size()) {
        return indices.error(i,
                             concat("is ", index, "; there are ", operands_.size(), " operands"));
      }
      const SharedOperand& shared = operands_[index];
      operands.push_back(shared.operand);
      if (shared.field.empty()) continue;
      operands.back().field =
          encoding == nullptr ? kNoIndex : index_of(encoding->fields, shared.field);
      if (operands.back().field == kNoIndex) {
        return indices.error(
            i, concat("has field \"", shared.field, "\", which the encoding does not have"));
      }
    }
    return operands;
  }

  InstructionSet& set_;
  FlagSet unknown_ = {};
  std::vector<SharedOperand> operands_;
  std::unordered_set<std::string> names_;
};

Status read_sources(const JsonObject& document, InstructionSet& set) {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> objects, document.required_objects("sources"));
  for (const JsonObject& object : objects) {
    HALYARD_TRY(
        object.refuse_unknown_keys({"title", "sha256", "date", "licence", "schema_version"}));
    InstructionSetSource source;
    HALYARD_TRY_ASSIGN(source.title, object.required_string("title"));
    HALYARD_TRY_ASSIGN(source.sha256, object.optional_string("sha256", ""));
    HALYARD_TRY_ASSIGN(source.date, object.optional_string("date", ""));
    HALYARD_TRY_ASSIGN(source.licence, object.optional_string("licence", ""));
    HALYARD_TRY_ASSIGN(source.schema_version, object.optional_string("schema_version", ""));
    set.sources.push_back(std::move(source));
  }
  return base::ok();
}

bool has_control_character(std::string_view text) {
  constexpr std::string_view kBlanks = "\t\n\r";
  std::size_t at = base::find_control_character(text);
  while (at < text.size() && kBlanks.find(text[at]) != std::string_view::npos)
    at = base::find_control_character(text, at + 1);
  return at < text.size();
}

// The JSON pointer of a text that a terminal would act on, if there is one.
std::optional<std::string> control_character_path(const boost::json::value& value) {
  const auto* const text = value.if_string();
  if (text != nullptr && has_control_character({text->data(), text->size()})) return std::string();
  if (const auto* const values = value.if_array()) {
    for (std::size_t i = 0; i < values->size(); ++i) {
      const auto path = control_character_path((*values)[i]);
      if (path) return concat('/', i, *path);
    }
  } else if (const auto* const members = value.if_object()) {
    for (const auto& member : *members) {
      const auto path = control_character_path(member.value());
      if (path)
        return concat('/', std::string_view(member.key().data(), member.key().size()), *path);
    }
  }
  return std::nullopt;
}

Status read_heading(const JsonObject& document, InstructionSet& set) {
  HALYARD_TRY(document.refuse_unknown_keys(
      {"format", "id", "architecture", "architecture_id", "basis", "note", "sources", "corrections",
       "data_formats", "operand_types", "encodings", "operands", "unknown_flags", "instructions",
       "unresolved"}));
  constexpr std::array<std::string_view, 1> kFormats = {kInstructionSetFormat};
  constexpr std::array<std::string_view, 3> kBases = {"imported", "derived", "reconstructed"};
  HALYARD_TRY(document.required_choice("format", kFormats));
  HALYARD_TRY_ASSIGN(set.id, document.required_string("id"));
  HALYARD_TRY_ASSIGN(set.architecture, document.required_string("architecture"));
  if (document.has("architecture_id")) {
    HALYARD_TRY_ASSIGN(set.architecture_id, document.required_integer("architecture_id"));
  }
  HALYARD_TRY_ASSIGN(set.basis, document.required_choice("basis", kBases));
  HALYARD_TRY_ASSIGN(set.note, document.optional_string("note", ""));
  HALYARD_TRY_ASSIGN(set.corrections, document.optional_strings("corrections"));
  return read_sources(document, set);
}

Status read_unresolved(const JsonObject& document, InstructionSet& set) {
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(document, "unresolved"));
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonList entry, list.list(i));
    HALYARD_TRY_ASSIGN(const std::string_view what, entry.text(0));
    for (std::size_t j = 1; j < entry.size(); ++j) {
      HALYARD_TRY_ASSIGN(const std::string_view path, entry.text(j));
      set.unresolved.push_back({std::string(path), std::string(what)});
    }
  }
  return base::ok();
}

}  // namespace

Result<InstructionSet> parse_instruction_set(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(text, source_name));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  if (const auto path = control_character_path(value)) {
    return base::Error(base::ErrorCode::kCorruptData,
                       concat(source_name, ": ", *path, " holds a control character."));
  }
  InstructionSet set;
  HALYARD_TRY(read_heading(document, set));
  HALYARD_TRY(read_tables(document, set));
  InstructionParser parser(set);
  HALYARD_TRY(parser.read_operands(document));
  HALYARD_TRY(parser.read_unknown_flags(document));
  HALYARD_TRY(document.required_array("instructions"));
  HALYARD_TRY_ASSIGN(const JsonList list, JsonList::member(document, "instructions"));
  for (std::size_t i = 0; i < list.size(); ++i) {
    HALYARD_TRY_ASSIGN(const JsonObject object, list.object(i));
    HALYARD_TRY_ASSIGN(Instruction instruction, parser.read(object));
    set.instructions.push_back(std::move(instruction));
  }
  HALYARD_TRY(read_unresolved(document, set));
  return set;
}

}  // namespace halyard::isa
