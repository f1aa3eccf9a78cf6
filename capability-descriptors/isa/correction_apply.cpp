// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/correction.h"
#include "capability-descriptors/isa/index_of.h"
#include "runtime/base/expression.h"
#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::isa {
namespace {

using base::concat;
using base::Result;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Puts `opcode` into the first dword, where the fields of the opcode lie there.
std::uint32_t opcode_bits(const Encoding& encoding, std::uint32_t opcode) {
  std::uint32_t dword = 0;
  std::uint32_t done = 0;
  for (const std::uint32_t field :
       encoding.opcodes.empty() ? OpcodeFields() : encoding.opcodes.front()) {
    for (const BitRange& range : encoding.fields[field].ranges) {
      const std::uint64_t piece = (std::uint64_t{opcode} >> done) & ((1ULL << range.count) - 1);
      if (range.offset < 32) dword |= static_cast<std::uint32_t>(piece << range.offset);
      done += range.count;
    }
  }
  return dword;
}

void identify(Encoding& encoding, std::uint32_t opcode) {
  if (encoding.mask == 0 || encoding.identifiers.empty() || encoding.opcodes.size() > 1) return;
  const std::uint32_t all = opcode_bits(encoding, 0xffffffff);
  const std::uint32_t identifier =
      (encoding.identifiers.front() & ~all) | opcode_bits(encoding, opcode);
  auto& list = encoding.identifiers;
  const auto place = std::lower_bound(list.begin(), list.end(), identifier);
  if (place == list.end() || *place != identifier) list.insert(place, identifier);
}

// One visitor for all operations; each returns whether it changed the set.
class Corrector {
 public:
  explicit Corrector(InstructionSet& set) : set_(set) {}

  Result<bool> operator()(const ProvideInstruction& provide) {
    std::vector<Form> forms;
    for (const NamedForm& named : provide.forms) {
      if (auto form = resolve(named)) forms.push_back(std::move(*form));
    }
    std::uint32_t index = index_of(set_.instructions, provide.name);
    if (index != kNoIndex && has_operands(set_.instructions[index])) return false;
    if (forms.empty() || (index != kNoIndex && forms.front().operands.empty())) return false;
    if (index == kNoIndex) {
      index = static_cast<std::uint32_t>(set_.instructions.size());
      set_.instructions.push_back({});
      set_.instructions.back().name = provide.name;
      set_.instructions.back().group = provide.group;
    }
    for (const Form& form : forms)
      identify(set_.encodings[form.encoding], form.opcode);
    set_.instructions[index].forms = std::move(forms);
    return true;
  }

  Result<bool> operator()(const RemoveInstructions& remove) {
    return std::erase_if(set_.instructions, [&](const Instruction& instruction) {
             return contains(remove.names, instruction.name);
           }) != 0;
  }

  Result<bool> operator()(const SetAssemblyName& set) {
    const std::uint32_t index = index_of(set_.instructions, set.name);
    if (index == kNoIndex || set_.instructions[index].assembly_name == set.assembly_name)
      return false;
    set_.instructions[index].assembly_name = set.assembly_name;
    return true;
  }

  Result<bool> operator()(const ProvideCondition& provide) {
    bool changed = false;
    for (const std::string& name : provide.encodings) {
      const std::uint32_t encoding = index_of(set_.encodings, name);
      if (encoding == kNoIndex ||
          index_of(set_.encodings[encoding].conditions, provide.condition) != kNoIndex)
        continue;
      HALYARD_TRY_ASSIGN(const std::uint32_t condition,
                         add_condition(encoding, provide.condition, provide.expression));
      for_each_form([&](const Instruction&, Form& form) {
        if (form.encoding == encoding && form.condition == kNoIndex) form.condition = condition;
      });
      changed = true;
    }
    return changed;
  }

  Result<bool> operator()(const ChangeCondition& change) {
    const std::uint32_t encoding = index_of(set_.encodings, change.encoding);
    const bool concerns =
        std::any_of(set_.instructions.begin(), set_.instructions.end(),
                    [&](const Instruction& i) { return contains(change.instructions, i.name); });
    if (encoding == kNoIndex || !concerns) return false;
    HALYARD_TRY_ASSIGN(const std::uint32_t condition,
                       add_condition(encoding, change.condition, change.expression));
    bool changed = false;
    for_each_form([&](const Instruction& instruction, Form& form) {
      if (form.encoding != encoding || form.condition == condition ||
          !contains(change.instructions, instruction.name))
        return;
      form.condition = condition;
      changed = true;
    });
    return changed;
  }

  Result<bool> operator()(const SetIdentifiers& set) {
    const std::uint32_t index = index_of(set_.encodings, set.encoding);
    if (index == kNoIndex) return false;
    Encoding& encoding = set_.encodings[index];
    if (encoding.mask == set.mask && encoding.identifiers == set.identifiers) return false;
    encoding.mask = set.mask;
    encoding.identifiers = set.identifiers;
    return true;
  }

  Result<bool> operator()(const HoldTwoInstructions& hold) {
    bool changed = false;
    for (const std::string& name : hold.encodings) {
      const std::uint32_t index = index_of(set_.encodings, name);
      if (index == kNoIndex) continue;
      Encoding& encoding = set_.encodings[index];
      const std::uint32_t first = index_of(encoding.fields, hold.first_opcode);
      const std::uint32_t second = index_of(encoding.fields, hold.second_opcode);
      if (first == kNoIndex || second == kNoIndex || encoding.opcodes.size() == 2) continue;
      encoding.opcodes = {{first}, {second}};
      encoding.mask = hold.mask;
      for (std::uint32_t& identifier : encoding.identifiers)
        identifier &= hold.mask;
      auto& list = encoding.identifiers;
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for_each_form([&](const Instruction&, Form& form) {
        if (form.encoding == index) form.part = lies_in(form, encoding, hold.second_fields) ? 1 : 0;
      });
      changed = true;
    }
    return changed;
  }

  Result<bool> operator()(const InvertPadding& invert) {
    return for_each_field(invert.encodings, invert.field, [&](Encoding& encoding, Field& field) {
      const std::uint32_t other = index_of(encoding.fields, invert.inverted);
      if (other == kNoIndex || field.padding_bits == 0 || field.inverted_bit_of == other)
        return false;
      field.inverted_bit_of = other;
      return true;
    });
  }

  Result<bool> operator()(const LocateOperands& locate) {
    const std::uint32_t type = index_of(set_.operand_types, locate.operand_type);
    bool changed = false;
    if (type == kNoIndex) return changed;
    for_each_form([&](const Instruction&, Form& form) {
      if (form.encoding == kNoIndex) return;
      const Encoding& encoding = set_.encodings[form.encoding];
      const std::uint32_t field = index_of(encoding.fields, locate.field);
      if (field == kNoIndex || !contains(locate.encodings, encoding.name)) return;
      for (Operand& operand : form.operands) {
        if (operand.operand_type != type || operand.field != kNoIndex || operand.is_implicit)
          continue;
        operand.field = field;
        operand.in_microcode = true;
        changed = true;
      }
    });
    return changed;
  }

  Result<bool> operator()(const MarkAsRead& mark) {
    bool changed = false;
    for_each_form([&](const Instruction& instruction, Form& form) {
      if (form.encoding == kNoIndex || !contains(mark.instructions, instruction.name)) return;
      const std::uint32_t field = index_of(set_.encodings[form.encoding].fields, mark.field);
      for (Operand& operand : form.operands) {
        if (field == kNoIndex || operand.field != field || operand.input) continue;
        operand.input = true;
        changed = true;
      }
    });
    return changed;
  }

  Result<bool> operator()(const SetFieldBits& set) {
    return for_each_field(set.encodings, set.field, [&](Encoding& encoding, Field& field) {
      const auto same = [](const BitRange& a, const BitRange& b) {
        return a.offset == b.offset && a.count == b.count;
      };
      const bool fits = std::all_of(set.ranges.begin(), set.ranges.end(), [&](const BitRange& r) {
        return r.offset + std::uint32_t{r.count} <= encoding.bits;
      });
      if (!fits || std::equal(field.ranges.begin(), field.ranges.end(), set.ranges.begin(),
                              set.ranges.end(), same))
        return false;
      field.ranges = set.ranges;
      return true;
    });
  }

 private:
  template <typename Visit>
  void for_each_form(const Visit& visit) {
    for (Instruction& instruction : set_.instructions) {
      for (Form& form : instruction.forms)
        visit(instruction, form);
    }
  }

  template <typename Change>
  bool for_each_field(const std::vector<std::string>& encodings, const std::string& name,
                      const Change& change) {
    bool changed = false;
    for (Encoding& encoding : set_.encodings) {
      const std::uint32_t field = index_of(encoding.fields, name);
      if (field != kNoIndex && contains(encodings, encoding.name))
        changed = change(encoding, encoding.fields[field]) || changed;
    }
    return changed;
  }

  static bool has_operands(const Instruction& instruction) {
    return std::any_of(instruction.forms.begin(), instruction.forms.end(),
                       [](const Form& form) { return !form.operands.empty(); });
  }

  static bool lies_in(const Form& form, const Encoding& encoding,
                      const std::vector<std::string>& fields) {
    return std::any_of(form.operands.begin(), form.operands.end(), [&](const Operand& operand) {
      return operand.field != kNoIndex && contains(fields, encoding.fields[operand.field].name);
    });
  }

  std::optional<Form> resolve(const NamedForm& named) const {
    Form form;
    form.encoding = index_of(set_.encodings, named.encoding);
    if (form.encoding == kNoIndex) return std::nullopt;
    const Encoding& encoding = set_.encodings[form.encoding];
    form.condition = index_of(encoding.conditions, named.condition);
    form.opcode = named.opcode;
    for (const NamedOperand& operand : named.operands) {
      form.operands.push_back(operand.operand);
      if (!operand.field.empty())
        form.operands.back().field = index_of(encoding.fields, operand.field);
      form.operands.back().data_format = index_of(set_.data_formats, operand.data_format);
      form.operands.back().operand_type = index_of(set_.operand_types, operand.operand_type);
    }
    return form;
  }

  Result<std::uint32_t> add_condition(std::uint32_t encoding, const std::string& name,
                                      const std::string& expression) {
    Encoding& changed = set_.encodings[encoding];
    const std::uint32_t known = index_of(changed.conditions, name);
    if (known != kNoIndex) return known;
    HALYARD_TRY(base::Expression::compile(
        expression, [&](std::string_view field) -> std::optional<std::uint32_t> {
          const std::uint32_t index = index_of(changed.fields, field);
          return index == kNoIndex ? std::nullopt : std::optional(index);
        }));
    changed.conditions.push_back({name, expression});
    return static_cast<std::uint32_t>(changed.conditions.size() - 1);
  }

  InstructionSet& set_;
};

}  // namespace

base::Status apply_corrections(const std::vector<Correction>& corrections, InstructionSet& set) {
  Corrector corrector(set);
  for (const Correction& correction : corrections) {
    if (!contains(correction.architectures, set.id)) continue;
    bool changed = false;
    for (const CorrectionOperation& operation : correction.operations) {
      auto did = std::visit(corrector, operation);
      if (!did) {
        return std::move(did.error())
            .with_context(concat("applying the correction \"", correction.id, "\" to ", set.id));
      }
      changed = changed || *did;
    }
    if (changed && !contains(set.corrections, correction.id))
      set.corrections.push_back(correction.id);
  }
  return base::ok();
}

}  // namespace halyard::isa
