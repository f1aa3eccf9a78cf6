// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/spirv_grammar.h"

#include "runtime/base/json.h"
#include "runtime/base/sha256.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace halyard::isa {
namespace {

namespace json = boost::json;
using base::concat;
using base::JsonObject;
using base::Result;
using base::Status;

constexpr std::size_t kLargestBytes = std::size_t{16} << 20;
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kLongestName = 256;
constexpr std::uint32_t kWordBits = 32;
constexpr std::uint16_t kHalfWordBits = 16;
constexpr std::int64_t kMostOpcode = 0xffff;

constexpr auto kQuantifiers = std::to_array<std::string_view>({"?", "*"});

// A name of at most kLongestName bytes.
Result<std::string> name_of(const JsonObject& object, std::string_view key) {
  HALYARD_TRY_ASSIGN(std::string name, object.required_string(key));
  if (name.empty() || name.size() > kLongestName) {
    return object.error(key, concat("has ", name.size(), " bytes, not 1 to ", kLongestName));
  }
  return name;
}

Status check_size(const JsonObject& object, std::string_view key, std::size_t size) {
  if (size <= kMostEntries) return base::ok();
  return object.error(key, concat("has ", size, " entries; the most is ", kMostEntries));
}

// A number, or a text such as "0x0020".
Result<std::uint64_t> value_of(const JsonObject& enumerant) {
  constexpr std::string_view kPrefix = "0x";
  constexpr std::int64_t kMost = 0xffffffff;
  const json::value* const value = enumerant.find("value");
  if (value == nullptr || !value->is_string()) {
    HALYARD_TRY_ASSIGN(const std::int64_t number, enumerant.required_integer("value", {0, kMost}));
    return static_cast<std::uint64_t>(number);
  }
  const std::string_view text = value->get_string();
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const bool is_prefixed = text.starts_with(kPrefix) && text.size() > kPrefix.size();
  const auto parsed = is_prefixed
                          ? std::from_chars(text.data() + kPrefix.size(), end, number, 16)
                          : std::from_chars_result{text.data(), std::errc::invalid_argument};
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    return enumerant.error("value", concat("is \"", text, "\", no hexadecimal number of 32 bits"));
  }
  return std::uint64_t{number};
}

class GrammarReader {
 public:
  explicit GrammarReader(const JsonObject& document) : document_(document) {}

  Result<InstructionSet> read(std::string_view text) {
    HALYARD_TRY(read_heading(text));
    add_encoding();
    HALYARD_TRY(read_kinds());
    HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list,
                       document_.required_objects("instructions"));
    HALYARD_TRY(check_size(document_, "instructions", list.size()));
    for (const JsonObject& object : list) {
      HALYARD_TRY_ASSIGN(Instruction instruction, read_instruction(object));
      set_.instructions.push_back(std::move(instruction));
    }
    return std::move(set_);
  }

 private:
  Status read_heading(std::string_view text);
  Result<std::string> licence() const;
  void add_encoding();
  Status read_kinds();
  Status read_kind(const JsonObject& object);
  Result<Instruction> read_instruction(const JsonObject& object);
  Status read_requirements(const JsonObject& object, Instruction& instruction);
  Result<Operand> read_operand(const JsonObject& object, std::string& syntax);
  std::uint32_t operand_type(const JsonObject& object, const std::string& kind,
                             const std::string& quantifier);
  void note_unresolved(std::string path, std::string what) {
    set_.unresolved.push_back({std::move(path), std::move(what)});
  }

  const JsonObject& document_;
  InstructionSet set_;
  std::map<std::string, std::uint32_t> types_;  // operand types by name
  std::set<std::string> kinds_;                 // those that the grammar defines
  std::set<std::string> capabilities_;
  std::set<std::string> names_;  // of instructions
};

Status GrammarReader::read_heading(std::string_view text) {
  constexpr base::IntegerRange kRange = {0, 1000};
  HALYARD_TRY_ASSIGN(const std::int64_t major, document_.required_integer("major_version", kRange));
  HALYARD_TRY_ASSIGN(const std::int64_t minor, document_.required_integer("minor_version", kRange));
  HALYARD_TRY_ASSIGN(const std::int64_t revision, document_.required_integer("revision", kRange));
  set_.id = concat("khronos/spirv", major, '_', minor);
  set_.architecture = concat("SPIR-V ", major, '.', minor);
  set_.basis = "imported";
  InstructionSetSource source;
  const std::string& path = document_.source_name();
  source.title = path.substr(path.find_last_of('/') + 1);
  source.sha256 = base::to_hex(base::Sha256::of(text));
  source.schema_version = concat(major, '.', minor, " revision ", revision);
  HALYARD_TRY_ASSIGN(source.licence, licence());
  set_.sources.push_back(std::move(source));
  return base::ok();
}

// Older grammars hold the text of the licence, newer ones its name.
Result<std::string> GrammarReader::licence() const {
  HALYARD_TRY_ASSIGN(const std::vector<std::string> lines, document_.optional_strings("copyright"));
  const bool is_mit = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("Permission is hereby granted, free of charge") ||
           line == "License: MIT";
  });
  return std::string(is_mit ? "MIT" : "");
}

void GrammarReader::add_encoding() {
  Encoding encoding;
  encoding.name = "SPIRV";
  encoding.bits = kWordBits;
  encoding.fields.resize(2);
  encoding.fields[0].name = "OPCODE";
  encoding.fields[0].ranges = {{0, kHalfWordBits}};
  encoding.fields[1].name = "WORD_COUNT";
  encoding.fields[1].ranges = {{kHalfWordBits, kHalfWordBits}};
  encoding.opcodes = {{0}};
  encoding.conditions = {{"default", "1"}};
  set_.encodings.push_back(std::move(encoding));
}

Status GrammarReader::read_kinds() {
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list,
                     document_.required_objects("operand_kinds"));
  HALYARD_TRY(check_size(document_, "operand_kinds", list.size()));
  for (const JsonObject& object : list)
    HALYARD_TRY(read_kind(object));
  return base::ok();
}

Status GrammarReader::read_kind(const JsonObject& object) {
  OperandType type;
  HALYARD_TRY_ASSIGN(type.name, name_of(object, "kind"));
  if (!kinds_.insert(type.name).second) {
    return object.error("kind", concat("is \"", type.name, "\", which stands twice"));
  }
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> list, object.optional_objects("enumerants"));
  HALYARD_TRY(check_size(object, "enumerants", list.size()));
  for (const JsonObject& enumerant : list) {
    NamedValue value;
    HALYARD_TRY_ASSIGN(value.name, name_of(enumerant, "enumerant"));
    HALYARD_TRY_ASSIGN(value.value, value_of(enumerant));
    if (type.name == "Capability") capabilities_.insert(value.name);
    type.values.push_back(std::move(value));
  }
  types_.emplace(type.name, static_cast<std::uint32_t>(set_.operand_types.size()));
  set_.operand_types.push_back(std::move(type));
  return base::ok();
}

Result<Instruction> GrammarReader::read_instruction(const JsonObject& object) {
  Instruction instruction;
  HALYARD_TRY_ASSIGN(instruction.name, name_of(object, "opname"));
  if (!names_.insert(instruction.name).second) {
    return object.error("opname", concat("is \"", instruction.name, "\", which stands twice"));
  }
  HALYARD_TRY_ASSIGN(instruction.aliases, object.optional_strings("aliases"));
  HALYARD_TRY_ASSIGN(instruction.group, object.optional_string("class", ""));
  if (instruction.group.starts_with('@')) instruction.group.clear();  // in no chapter
  HALYARD_TRY(read_requirements(object, instruction));
  Form form;
  HALYARD_TRY_ASSIGN(const std::int64_t opcode,
                     object.required_integer("opcode", {0, kMostOpcode}));
  form.encoding = 0;
  form.condition = 0;
  form.opcode = static_cast<std::uint32_t>(opcode);
  HALYARD_TRY_ASSIGN(const std::vector<JsonObject> operands, object.optional_objects("operands"));
  HALYARD_TRY(check_size(object, "operands", operands.size()));
  std::string syntax = instruction.name;
  for (const JsonObject& entry : operands) {
    HALYARD_TRY_ASSIGN(Operand operand, read_operand(entry, syntax));
    form.operands.push_back(operand);
  }
  instruction.description = std::move(syntax);
  instruction.forms.push_back(std::move(form));
  return instruction;
}

Status GrammarReader::read_requirements(const JsonObject& object, Instruction& instruction) {
  HALYARD_TRY_ASSIGN(instruction.capabilities, object.optional_strings("capabilities"));
  for (const std::string& capability : instruction.capabilities) {
    if (capabilities_.contains(capability)) continue;
    note_unresolved(object.path_of("capabilities"),
                    concat("\"", capability, "\" is no enumerant of the kind Capability."));
  }
  HALYARD_TRY_ASSIGN(instruction.extensions, object.optional_strings("extensions"));
  HALYARD_TRY_ASSIGN(instruction.since, object.optional_string("version", ""));
  if (instruction.since == "None") instruction.since = "none";
  return base::ok();
}

// Adds the operand to `syntax`, the instruction as an assembler takes it.
Result<Operand> GrammarReader::read_operand(const JsonObject& object, std::string& syntax) {
  HALYARD_TRY_ASSIGN(const std::string kind, name_of(object, "kind"));
  HALYARD_TRY_ASSIGN(const std::string quantifier,
                     object.optional_choice("quantifier", kQuantifiers, ""));
  HALYARD_TRY_ASSIGN(std::string name, object.optional_string("name", ""));
  Operand operand;
  operand.operand_type = operand_type(object, kind, quantifier);
  operand.bits = kWordBits;
  operand.in_microcode = true;
  operand.output = kind == "IdResult";
  operand.input = !operand.output;
  if (operand.output) {
    syntax.insert(0, "%result = ");
    return operand;
  }
  // Names stand in quotes, and some are lists with line breaks: "'Operand 1', +\n'Operand 2', …".
  std::erase(name, '\'');
  if (name.empty() || name.find('\n') != std::string::npos) name = kind;
  const bool is_id = kind.starts_with("Id");
  const std::string text = concat(is_id ? "%" : "", name.substr(0, kLongestName));
  syntax += quantifier.empty() ? concat(' ', text)
                               : concat(" [", text, quantifier == "*" ? " ...]" : "]");
  return operand;
}

std::uint32_t GrammarReader::operand_type(const JsonObject& object, const std::string& kind,
                                          const std::string& quantifier) {
  if (!kinds_.contains(kind)) {
    note_unresolved(object.path_of("kind"), concat("\"", kind, "\" is no kind of operands."));
    return kNoIndex;
  }
  const auto [place, is_new] =
      types_.try_emplace(kind + quantifier, static_cast<std::uint32_t>(set_.operand_types.size()));
  if (is_new) {
    OperandType type;
    type.name = kind + quantifier;
    set_.operand_types.push_back(std::move(type));
  }
  return place->second;
}

}  // namespace

Result<InstructionSet> read_spirv_grammar(std::string_view text, std::string_view source_name) {
  HALYARD_TRY_ASSIGN(const json::value value,
                     base::parse_json(text, source_name, {.size_bytes = kLargestBytes}));
  HALYARD_TRY_ASSIGN(const JsonObject document, JsonObject::from(value, source_name));
  return GrammarReader(document).read(text);
}

}  // namespace halyard::isa
