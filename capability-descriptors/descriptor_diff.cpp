// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/descriptor_diff.h"

#include <map>
#include <tuple>
#include <utility>

namespace halyard::descriptors {
namespace {

// Calls visit(key, left or null, right or null) for every key of two maps, ascending.
template <typename Map, typename Visit>
void for_each_key(const Map& left, const Map& right, const Visit& visit) {
  auto l = left.begin();
  auto r = right.begin();
  while (l != left.end() || r != right.end()) {
    if (r == right.end() || (l != left.end() && l->first < r->first)) {
      visit(l->first, &l->second, nullptr);
      ++l;
    } else if (l == left.end() || r->first < l->first) {
      visit(r->first, nullptr, &r->second);
      ++r;
    } else {
      visit(l->first, &l->second, &r->second);
      ++l;
      ++r;
    }
  }
}

template <typename T>
std::optional<T> copy_of(const T* value) {
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

std::vector<CapabilityDifference> compare(const CapabilitySet& left, const CapabilitySet& right) {
  std::vector<CapabilityDifference> differences;
  for_each_key(left.all(), right.all(),
               [&](const std::string& key, const Capability* l, const Capability* r) {
                 if (l != nullptr && r != nullptr && same_value(*l, *r)) return;
                 differences.push_back({key, copy_of(l), copy_of(r)});
               });
  return differences;
}

std::map<std::string, MatrixOperation> by_name(const std::vector<MatrixOperation>& operations) {
  std::map<std::string, MatrixOperation> named;
  for (const MatrixOperation& each : operations)
    named.emplace(matrix_operation_name(each), each);
  return named;
}

bool same_layout(const LaneLayout& left, const LaneLayout& right) {
  return std::tie(left.items, left.row, left.column, left.block) ==
         std::tie(right.items, right.row, right.column, right.block);
}

bool same_facts(const MatrixOperation& left, const MatrixOperation& right) {
  return std::tie(left.m, left.n, left.k, left.blocks, left.lanes, left.cycles,
                  left.operations_per_unit_clock) ==
             std::tie(right.m, right.n, right.k, right.blocks, right.lanes, right.cycles,
                      right.operations_per_unit_clock) &&
         same_layout(left.a, right.a) && same_layout(left.b, right.b) &&
         same_layout(left.d, right.d);
}

std::map<std::string, const Product*> by_name(const std::vector<Product>& products) {
  std::map<std::string, const Product*> named;
  for (const Product& product : products)
    named.emplace(product.name, &product);
  return named;
}

// The opcode of each form, by encoding and condition. A pair that occurs twice (the X and Y halves
// of a dual instruction) has the opcode of the first.
using Opcodes = std::map<std::pair<std::string, std::string>, std::uint32_t>;

Opcodes opcodes_of(const isa::InstructionSet& set, const isa::Instruction& instruction) {
  Opcodes opcodes;
  for (const isa::Form& form : instruction.forms) {
    if (form.encoding >= set.encodings.size()) continue;
    const isa::Encoding& encoding = set.encodings[form.encoding];
    const bool conditional = form.condition < encoding.conditions.size();
    opcodes.emplace(std::pair(encoding.name, conditional ? encoding.conditions[form.condition].name
                                                         : std::string()),
                    form.opcode);
  }
  return opcodes;
}

std::map<std::string, const isa::Instruction*> by_name(const isa::InstructionSet& set) {
  std::map<std::string, const isa::Instruction*> named;
  for (const isa::Instruction& instruction : set.instructions)
    named.emplace(instruction.name, &instruction);
  return named;
}

}  // namespace

DescriptorDifference compare_descriptors(const Descriptor& left, const Descriptor& right) {
  DescriptorDifference difference;
  difference.capabilities = compare(left.capabilities, right.capabilities);
  for_each_key(by_name(left.matrix_operations), by_name(right.matrix_operations),
               [&](const std::string& name, const MatrixOperation* l, const MatrixOperation* r) {
                 if (l != nullptr && r != nullptr && same_facts(*l, *r)) return;
                 difference.matrix_operations.push_back({name, copy_of(l), copy_of(r)});
               });
  for_each_key(by_name(left.products), by_name(right.products),
               [&](const std::string& name, const Product* const* l, const Product* const* r) {
                 ProductDifference product{name, l != nullptr, r != nullptr, {}};
                 if (l != nullptr && r != nullptr) {
                   product.capabilities = compare((*l)->capabilities, (*r)->capabilities);
                   if (product.capabilities.empty()) return;
                 }
                 difference.products.push_back(std::move(product));
               });
  return difference;
}

InstructionSetDifference compare_instruction_sets(const isa::InstructionSet& left,
                                                  const isa::InstructionSet& right) {
  InstructionSetDifference difference;
  const auto compare_forms = [&](const isa::Instruction& l, const isa::Instruction& r) {
    for_each_key(
        opcodes_of(left, l), opcodes_of(right, r),
        [&](const auto& form, const std::uint32_t* left_opcode, const std::uint32_t* right_opcode) {
          if (left_opcode != nullptr && right_opcode != nullptr && *left_opcode == *right_opcode) {
            return;
          }
          difference.opcodes.push_back(
              {l.name, form.first, form.second, copy_of(left_opcode), copy_of(right_opcode)});
        });
  };
  for_each_key(by_name(left), by_name(right),
               [&](const std::string& name, const isa::Instruction* const* l,
                   const isa::Instruction* const* r) {
                 if (r == nullptr) {
                   difference.only_left.push_back(name);
                 } else if (l == nullptr) {
                   difference.only_right.push_back(name);
                 } else {
                   compare_forms(**l, **r);
                 }
               });
  return difference;
}

}  // namespace halyard::descriptors
