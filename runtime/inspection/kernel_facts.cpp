// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/kernel_facts.h"

#include "runtime/base/text.h"
#include "runtime/inspection/capability_text.h"
#include "runtime/inspection/contract_traits.h"
#include "runtime/inspection/fact_sheet.h"
#include "runtime/inspection/instruction_text.h"
#include "runtime/inspection/instruction_topics.h"
#include "runtime/inspection/matrix_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace halyard::services {
namespace {

using base::concat;
using descriptors::Descriptor;
using isa::InstructionSet;
using operators::Contract;
using operators::ContractFields;

// Groups of capabilities whose keys name an element type; a contract needs those of its types.
constexpr std::array<std::string_view, 3> kTypedGroups = {"matrix.", "rate.", "peak."};
// Groups without which no kernel is written.
constexpr std::array<std::string_view, 13> kHeadGroups = {
    "target.", "cpu.", "compute.", "subgroup.", "simd.",   "vgpr.", "accvgpr.",
    "sgpr.",   "lds.", "limit.",   "cache.",    "memory.", "clock."};

template <typename Prefixes>
bool has_prefix(std::string_view key, const Prefixes& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return key.starts_with(prefix); });
}

// Whether a key such as "rate.matrix_bf16_sparse" is about a type that the contract has.
bool is_about_types(std::string_view key, const ContractTraits& traits) {
  std::string_view rest = key.substr(key.find('.') + 1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    if (traits.contains(concat("type.", rest.substr(0, end)))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool is_head_key(std::string_view key, const ContractTraits* traits) {
  if (has_prefix(key, kHeadGroups)) return true;
  if (!has_prefix(key, kTypedGroups)) return false;
  if (traits == nullptr) return true;
  const bool of_matrices = key.find("matrix") != std::string_view::npos;
  return is_about_types(key, *traits) && (!of_matrices || traits->contains("product"));
}

void add_head(const KernelTarget& target, const ContractTraits* traits, FactSheet& sheet) {
  const Descriptor& descriptor = *target.descriptor;
  const std::string subject = target.contract == nullptr
                                  ? std::string("Kernels")
                                  : concat("A kernel of ", target.contract->name());
  sheet.begin(concat(subject, " for ", descriptor.id, ": ", descriptor.name));
  if (!descriptor.targets.empty()) {
    sheet.add(concat("machine code: ", base::join(descriptor.targets)));
  }
  sheet.add(capability_lines(descriptor.capabilities,
                             [&](std::string_view key) { return is_head_key(key, traits); }));
  std::vector<std::string> unknown;
  for (const std::string& key : descriptor.missing) {
    if (is_head_key(key, traits)) unknown.push_back(key);
  }
  if (!unknown.empty()) sheet.add(concat("not known: ", base::join(unknown)));
}

const char* role_name(operators::TensorRole role) {
  switch (role) {
    case operators::TensorRole::kInput:
      return "reads";
    case operators::TensorRole::kOutput:
      return "writes";
    case operators::TensorRole::kInOut:
      return "updates";
  }
  return "has";
}

std::string tensor_text(const operators::ContractTensor& tensor) {
  std::string text = concat(role_name(tensor.role), ' ', tensor.name, ": ", tensor.type, '[',
                            base::join(tensor.shape), ']');
  if (tensor.constant) text += " constant";
  if (tensor.strides != operators::StrideRule::kDense) {
    text += tensor.strides == operators::StrideRule::kRows ? " any row stride" : " any strides";
  }
  return concat(text, " aligned to ", tensor.alignment_bytes);
}

void add_contract(const Contract& contract, FactSheet& sheet) {
  const ContractFields& fields = contract.fields();
  sheet.begin("The contract");
  sheet.add(concat(fields.name, ' ', fields.version, ": ", fields.summary));
  std::vector<std::string> types;
  for (const operators::TypeBindings& binding : fields.types)
    types.push_back(operators::type_bindings_text(binding));
  sheet.add(concat("types: ", base::join(types, " | "), "; sums in ",
                   base::data_type_name(fields.accumulation),
                   fields.bitwise ? "; the same bits each time" : ""));
  for (const operators::ContractTensor& tensor : fields.tensors)
    sheet.add(tensor_text(tensor));
  sheet.add(concat("operations: ", fields.flops, "; least bytes: ", fields.bytes));
}

void add_rules(const Contract& contract, FactSheet& sheet) {
  sheet.begin("Rules of the contract");
  for (const auto& [name, sentence] : contract.fields().rules)
    sheet.add(concat(name, ": ", sentence));
}

void add_notes(const Descriptor& descriptor, std::string_view topic, std::string title,
               FactSheet& sheet) {
  sheet.begin(std::move(title));
  for (const descriptors::Note& note : descriptor.notes) {
    if (note.topic == topic) sheet.add(note.text);
  }
}

// Notes of topics that have no section of their own.
void add_other_notes(const Descriptor& descriptor, FactSheet& sheet) {
  constexpr std::array<std::string_view, 4> kTopics = {"launch", "registers", "waits", "hazards"};
  sheet.begin("Notes");
  for (const descriptors::Note& note : descriptor.notes) {
    if (std::find(kTopics.begin(), kTopics.end(), note.topic) == kTopics.end()) {
      sheet.add(concat(note.topic, ": ", note.text));
    }
  }
}

// Whether a product of the contract's types with its sums can be made of an operation.
bool serves(const descriptors::MatrixOperation& operation, const Contract& contract,
            const ContractTraits& traits) {
  const bool either_sign = operation.a_type.starts_with("iu");
  const std::string_view type = operation.a_type;
  const bool known = either_sign ? traits.contains(concat("type.i", type.substr(2))) ||
                                       traits.contains(concat("type.u", type.substr(2)))
                                 : traits.contains(concat("type.", type));
  const std::string_view sums = base::data_type_name(contract.fields().accumulation);
  return traits.contains("product") && known && operation.c_type == sums;
}

void add_matrix_operations(const KernelTarget& target, const ContractTraits* traits, bool sparse,
                           FactSheet& sheet) {
  std::vector<const descriptors::MatrixOperation*> wanted;
  for (const descriptors::MatrixOperation& operation : target.descriptor->matrix_operations) {
    if (operation.sparse != sparse) continue;
    if (traits == nullptr || serves(operation, *target.contract, *traits)) {
      wanted.push_back(&operation);
    }
  }
  sheet.begin(sparse ? "Sparse matrix operations" : "Matrix operations");
  sheet.add(matrix_lines(wanted));
}

// Encodings that a line of instruction_line() names, each once, in the order of the table.
void add_encodings(const InstructionSet& set, const std::set<std::uint32_t>& used,
                   FactSheet& sheet) {
  sheet.begin("Encodings");
  std::set<std::string_view> named;
  for (const std::uint32_t index : used) {
    const isa::Encoding& encoding = set.encodings[index];
    const std::string_view name = base_encoding_name(encoding.name);
    if (encoding_form_name(encoding.name).empty() && named.insert(name).second) {
      sheet.add(encoding_line(encoding));
    }
  }
}

void add_instructions(const KernelTarget& target, const ContractTraits* traits, FactSheet& sheet) {
  if (target.instruction_set == nullptr) {
    const std::string& id = target.descriptor->instruction_set;
    if (!id.empty()) sheet.leave_out(concat("The instruction set ", id, " is not known here."));
    return;
  }
  const InstructionSet& set = *target.instruction_set;
  const TopicList list = instructions_by_topic(set, traits);
  sheet.begin("Instructions");
  sheet.add(concat("From ", set.id, " (", set.basis, "). ", instruction_line_key(set)));
  std::set<std::uint32_t> encodings;
  for (const TopicInstructions& topic : list.topics) {
    sheet.begin(topic.title);
    for (const std::uint32_t index : topic.instructions) {
      sheet.add(instruction_line(set, set.instructions[index]));
      for (const isa::Form& form : set.instructions[index].forms) {
        if (form.encoding != isa::kNoIndex) encodings.insert(form.encoding);
      }
    }
  }
  add_encodings(set, encodings, sheet);
  if (list.left_out != 0) {
    sheet.leave_out(concat(list.left_out, " instructions are not listed, since ",
                           target.contract->name(), " does not need them."));
  }
}

void add_products(const Descriptor& descriptor, FactSheet& sheet) {
  if (descriptor.kind == descriptors::DescriptorKind::kProduct) return;
  sheet.begin("Products");
  for (const descriptors::Product& product : descriptor.products) {
    const std::vector<std::string> lines =
        capability_lines(product.capabilities, [](std::string_view) { return true; });
    sheet.add(lines.empty() ? product.name : concat(product.name, ": ", base::join(lines, "; ")));
  }
}

}  // namespace

base::Result<std::string> kernel_facts(const KernelTarget& target, std::size_t token_budget) {
  const Descriptor& descriptor = *target.descriptor;
  std::optional<ContractTraits> known;
  if (target.contract != nullptr) {
    known = traits_of(*target.contract);
    if (descriptor.capabilities.has(descriptors::CapabilityKey::kMatrixCooperative)) {
      known->insert("cooperative");
    }
  }
  const ContractTraits* const traits = known ? &*known : nullptr;
  FactSheet sheet;
  add_head(target, traits, sheet);
  if (target.contract != nullptr) add_contract(*target.contract, sheet);
  add_notes(descriptor, "launch", "How a kernel starts", sheet);
  add_matrix_operations(target, traits, false, sheet);
  add_notes(descriptor, "waits", "Waits", sheet);
  add_notes(descriptor, "hazards", "Hazards", sheet);
  add_notes(descriptor, "registers", "Registers", sheet);
  add_instructions(target, traits, sheet);
  if (target.contract != nullptr) add_rules(*target.contract, sheet);
  add_matrix_operations(target, traits, true, sheet);
  add_other_notes(descriptor, sheet);
  sheet.begin("Other capabilities");
  sheet.add(capability_lines(descriptor.capabilities,
                             [&](std::string_view key) { return !is_head_key(key, traits); }));
  add_products(descriptor, sheet);
  return sheet.text(token_budget, descriptor.id);
}

}  // namespace halyard::services
