// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_instruction.h"

#include "capability-descriptors/isa/index_of.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace halyard::isa {
namespace {

using base::concat;

std::optional<bool> flag(const pugi::xml_node& flags, const char* name) {
  return boolean_of(child_text(flags, name));
}

bool attribute_is_true(const pugi::xml_node& node, const char* name) {
  return boolean_of(node.attribute(name).value()).value_or(false);
}

class InstructionReader {
 public:
  InstructionReader(const ReferencedNames& names, InstructionSet& set, ImportFindings& findings)
      : names_(names),
        set_(set),
        findings_(findings) {}

  void read(const pugi::xml_node& node, const ElementPath& path) {
    Instruction instruction;
    instruction.name = child_text(node, "InstructionName");
    if (instruction.name.empty()) {
      findings_.add(path, "The instruction has no name; it is left out.");
      return;
    }
    read_names_and_flags(node, instruction);
    read_group(node.child("FunctionalGroup"), path, instruction);
    const auto index = static_cast<std::uint32_t>(set_.instructions.size());
    const bool is_new = known_.add(child_text(node, "InstructionName"), index);
    const std::uint32_t place = known_.find(instruction.name);
    read_forms(node.child("InstructionEncodings"), {&path, "InstructionEncodings", 0}, place,
               instruction);
    if (is_new) {
      set_.instructions.push_back(std::move(instruction));
      return;
    }
    findings_.add(path, concat("Instruction ", instruction.name,
                               " stands twice; its encodings are added to those of the first."));
    auto& forms = set_.instructions[place].forms;
    std::move(instruction.forms.begin(), instruction.forms.end(), std::back_inserter(forms));
  }

 private:
  static void read_names_and_flags(const pugi::xml_node& node, Instruction& instruction) {
    for (const pugi::xml_node& alias :
         node.child("AliasedInstructionNames").children("InstructionName"))
      instruction.aliases.emplace_back(text_of(alias));
    instruction.description = plain_text(child_text(node, "Description"));
    const pugi::xml_node flags = node.child("InstructionFlags");
    instruction.is_branch = flag(flags, "IsBranch");
    instruction.is_conditional_branch = flag(flags, "IsConditionalBranch");
    instruction.is_indirect_branch = flag(flags, "IsIndirectBranch");
    instruction.is_terminator = flag(flags, "IsProgramTerminator");
    instruction.is_immediately_executed = flag(flags, "IsImmediatelyExecuted");
  }

  void read_group(const pugi::xml_node& group, const ElementPath& path, Instruction& instruction) {
    instruction.group = child_text(group, "Name");
    if (names_.lists_groups && !instruction.group.empty() &&
        names_.groups.find(instruction.group) == kNoIndex)
      findings_.add(path, concat("Functional group ", instruction.group, " is not defined."));
    // Old files have one Subgroup in the group, later ones a list of them.
    const pugi::xml_node list = group.child("FunctionalSubgroups");
    for (const pugi::xml_node& subgroup : (list ? list : group).children("Subgroup")) {
      const std::string_view name = text_of(subgroup);
      if (name.empty() || name == "NOT_ASSIGNED") continue;
      instruction.subgroups.emplace_back(name);
      if (names_.lists_subgroups && names_.subgroups.find(name) == kNoIndex)
        findings_.add(path, concat("Functional subgroup ", name, " is not defined."));
    }
  }

  void read_forms(const pugi::xml_node& list, const ElementPath& path, std::uint32_t place,
                  Instruction& instruction) {
    std::size_t number = 0;
    for (const pugi::xml_node& node : list.children("InstructionEncoding")) {
      const ElementPath form_path = {&path, "InstructionEncoding", ++number};
      Form form = read_form(node, form_path);
      note_opcode(form, form_path, place, instruction.name);
      instruction.forms.push_back(std::move(form));
    }
  }

  Form read_form(const pugi::xml_node& node, const ElementPath& path) {
    Form form;
    const std::string_view encoding = child_text(node, "EncodingName");
    form.encoding = names_.encodings.find(encoding);
    if (form.encoding == kNoIndex)
      findings_.add(path, concat("Encoding ", encoding, " is not defined."));
    const pugi::xml_node condition_node = node.child("EncodingCondition");
    const std::string_view condition =
        condition_node ? text_of(condition_node) : child_text(node, "ConditionName");
    if (form.encoding != kNoIndex) {
      form.condition = index_of(set_.encodings[form.encoding].conditions, condition);
      if (form.condition == kNoIndex)
        findings_.add(path, concat("Encoding ", encoding, " has no condition ", condition, '.'));
    }
    const auto opcode = child_number(node, "Opcode");
    if (opcode && *opcode <= std::numeric_limits<std::uint32_t>::max()) {
      form.opcode = static_cast<std::uint32_t>(*opcode);
    } else {
      findings_.add(path, concat("Opcode \"", child_text(node, "Opcode"), "\" is no number."));
    }
    read_operands(node.child("Operands"), {&path, "Operands", 0}, form);
    return form;
  }

  void read_operands(const pugi::xml_node& list, const ElementPath& path, Form& form) {
    std::vector<std::pair<int, Operand>> operands;
    std::size_t number = 0;
    for (const pugi::xml_node& node : list.children("Operand")) {
      ++number;
      operands.emplace_back(node.attribute("Order").as_int(static_cast<int>(number)),
                            read_operand(node, {&path, "Operand", number}, form.encoding));
    }
    std::stable_sort(operands.begin(), operands.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [order, operand] : operands)
      form.operands.push_back(operand);
  }

  Operand read_operand(const pugi::xml_node& node, const ElementPath& path,
                       std::uint32_t encoding) {
    Operand operand;
    operand.input = attribute_is_true(node, "Input");
    operand.output = attribute_is_true(node, "Output");
    operand.is_implicit = attribute_is_true(node, "IsImplicit");
    operand.in_microcode =
        !operand.is_implicit && attribute_is_true(node, "IsBinaryMicrocodeRequired");
    for (const pugi::xml_node& child : node.children()) {
      const std::string_view name = child.name();
      const std::string_view text = text_of(child);
      if (name == "FieldName") {
        operand.field = field_index(encoding, text, path);
      } else if (name == "DataFormatName") {
        operand.data_format = names_.data_formats.find(text);
        if (operand.data_format == kNoIndex)
          findings_.add(path, concat("Data format ", text, " is not defined."));
      } else if (name == "OperandType") {
        operand.operand_type = names_.operand_types.find(text);
        if (operand.operand_type == kNoIndex)
          findings_.add(path, concat("Operand type ", text, " is not defined."));
      } else if (name == "OperandSize") {
        const auto bits = number_of(child);
        if (!bits || *bits > 1'000'000) {
          findings_.add(path, concat("Operand size \"", text, "\" is no number of bits."));
        } else {
          operand.bits = static_cast<std::uint32_t>(*bits);
        }
      }
    }
    return operand;
  }

  std::uint32_t field_index(std::uint32_t encoding, std::string_view name,
                            const ElementPath& path) {
    if (encoding == kNoIndex) return kNoIndex;  // found already
    const std::uint32_t field = index_of(set_.encodings[encoding].fields, name);
    if (field != kNoIndex) return field;
    findings_.add(path,
                  concat("Encoding ", set_.encodings[encoding].name, " has no field ", name, '.'));
    return kNoIndex;
  }

  void note_opcode(const Form& form, const ElementPath& path, std::uint32_t place,
                   std::string_view name) {
    if (form.encoding == kNoIndex) return;
    const auto [other, is_new] =
        opcodes_.try_emplace(OpcodeKey{form.encoding, form.condition, form.opcode}, place);
    if (is_new || other->second == place) return;
    findings_.add(
        path, concat("Opcode ", form.opcode, " of encoding ", set_.encodings[form.encoding].name,
                     " belongs to ", set_.instructions[other->second].name, " already; ", name,
                     " has it too."));
  }

  struct OpcodeKey {
    std::uint32_t encoding;
    std::uint32_t condition;
    std::uint32_t opcode;
    bool operator==(const OpcodeKey&) const = default;
  };
  struct OpcodeHash {
    std::size_t operator()(const OpcodeKey& key) const {
      return (std::size_t{key.encoding} << 48) ^ (std::size_t{key.condition & 0xffffU} << 32) ^
             key.opcode;
    }
  };

  const ReferencedNames& names_;
  InstructionSet& set_;
  ImportFindings& findings_;
  NameIndex known_;
  std::unordered_map<OpcodeKey, std::uint32_t, OpcodeHash> opcodes_;
};

}  // namespace

void read_instructions(const pugi::xml_node& list, const ElementPath& path,
                       const ReferencedNames& names, InstructionSet& set,
                       ImportFindings& findings) {
  InstructionReader reader(names, set, findings);
  std::size_t number = 0;
  for (const pugi::xml_node& node : list.children("Instruction"))
    reader.read(node, {&path, "Instruction", ++number});
}

}  // namespace halyard::isa
