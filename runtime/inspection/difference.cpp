// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/difference.h"

#include "capability-descriptors/descriptor_diff.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"
#include "runtime/inspection/document_json.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace halyard::services {
namespace {

namespace json = boost::json;
using descriptors::Capability;
using descriptors::CapabilityDifference;
using descriptors::Descriptor;
using isa::InstructionSet;

json::value value_of(const std::optional<Capability>& capability) {
  if (!capability) return nullptr;
  return capability_value(*capability);
}

json::array differences(const std::vector<CapabilityDifference>& found) {
  json::array array;
  for (const CapabilityDifference& difference : found) {
    const Capability& one = difference.left ? *difference.left : *difference.right;
    array.push_back(json::object{{"key", difference.key},
                                 {"unit", one.unit},
                                 {"left", value_of(difference.left)},
                                 {"right", value_of(difference.right)}});
  }
  return array;
}

const char* side_name(bool in_left, bool in_right) {
  if (in_left && in_right) return "both";
  return in_left ? "left" : "right";
}

json::object difference_of(const Descriptor& left, const Descriptor& right) {
  const descriptors::DescriptorDifference found = descriptors::compare_descriptors(left, right);
  json::array operations;
  for (const descriptors::MatrixOperationDifference& difference : found.matrix_operations) {
    operations.push_back(
        json::object{{"operation", difference.operation},
                     {"in", side_name(difference.left.has_value(), difference.right.has_value())}});
  }
  json::array products;
  for (const descriptors::ProductDifference& difference : found.products) {
    products.push_back(json::object{{"product", difference.product},
                                    {"in", side_name(difference.in_left, difference.in_right)},
                                    {"capabilities", differences(difference.capabilities)}});
  }
  return {{"kind", "descriptor"},
          {"capabilities", differences(found.capabilities)},
          {"matrix_operations", std::move(operations)},
          {"products", std::move(products)}};
}

json::value opcode_of(const std::optional<std::uint32_t>& opcode) {
  if (!opcode) return nullptr;
  return *opcode;
}

json::object difference_of(const InstructionSet& left, const InstructionSet& right) {
  const descriptors::InstructionSetDifference found =
      descriptors::compare_instruction_sets(left, right);
  json::array opcodes;
  for (const descriptors::OpcodeDifference& difference : found.opcodes) {
    opcodes.push_back(json::object{{"instruction", difference.instruction},
                                   {"encoding", difference.encoding},
                                   {"condition", difference.condition},
                                   {"left", opcode_of(difference.left)},
                                   {"right", opcode_of(difference.right)}});
  }
  return {{"kind", "instruction_set"},
          {"only_left", text_array(found.only_left)},
          {"only_right", text_array(found.only_right)},
          {"opcodes", std::move(opcodes)}};
}

template <typename T>
base::Result<std::string> compare(const Subject& left, const Subject& right) {
  json::object document = difference_of(std::get<T>(left), std::get<T>(right));
  document["format"] = "halyard.descriptor_diff/1";
  document["left"] = subject_id(left);
  document["right"] = subject_id(right);
  return base::canonical_json(document);
}

}  // namespace

base::Result<std::string> compare_subjects(const Subject& left, const Subject& right) {
  if (left.index() != right.index()) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("\"", subject_id(left), "\" and \"", subject_id(right),
                                    "\" are not compared: one is a descriptor, the other an "
                                    "instruction set."));
  }
  return std::holds_alternative<Descriptor>(left) ? compare<Descriptor>(left, right)
                                                  : compare<InstructionSet>(left, right);
}

}  // namespace halyard::services
