// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::descriptors {

// A key that one of two sets lacks, or that has another value in each. Who says so and where is no
// difference.
struct CapabilityDifference {
  std::string key;
  std::optional<Capability> left;
  std::optional<Capability> right;
};

// A matrix operation that one side lacks, or whose facts differ.
struct MatrixOperationDifference {
  std::string operation;  // matrix_operation_name()
  std::optional<MatrixOperation> left;
  std::optional<MatrixOperation> right;
};

// A product that one side lacks, or whose own capabilities differ.
struct ProductDifference {
  std::string product;
  bool in_left = false;
  bool in_right = false;
  std::vector<CapabilityDifference> capabilities;  // where both have it
};

// All in the order of their names.
struct DescriptorDifference {
  std::vector<CapabilityDifference> capabilities;
  std::vector<MatrixOperationDifference> matrix_operations;
  std::vector<ProductDifference> products;
};

DescriptorDifference compare_descriptors(const Descriptor& left, const Descriptor& right);

// An instruction that both have, in a form that one lacks or that has another opcode in each.
struct OpcodeDifference {
  std::string instruction;
  std::string encoding;
  std::string condition;  // "default", "has_lit", …; "" where the form says none
  std::optional<std::uint32_t> left;
  std::optional<std::uint32_t> right;
};

// All in the order of their names.
struct InstructionSetDifference {
  std::vector<std::string> only_left;   // instructions
  std::vector<std::string> only_right;  // instructions
  std::vector<OpcodeDifference> opcodes;
};

InstructionSetDifference compare_instruction_sets(const isa::InstructionSet& left,
                                                  const isa::InstructionSet& right);

}  // namespace halyard::descriptors
