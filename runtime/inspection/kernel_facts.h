// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"
#include "runtime/operators/contract.h"

#include <cstddef>
#include <string>

namespace halyard::services {

// What the facts are about. Borrowed.
struct KernelTarget {
  const descriptors::Descriptor* descriptor = nullptr;
  const isa::InstructionSet* instruction_set = nullptr;  // NULL: the target has none
  const operators::Contract* contract = nullptr;         // NULL: any
};

// What a writer of kernels must know of a target, most relevant first: registers, limits and peaks;
// the contract; how a kernel starts; matrix operations with their lane layouts; waits and hazards;
// instructions with operands and encodings. What the contract does not need is not in it. Equal
// targets give equal texts.
// Errors: kInvalidArgument for a budget below the head of the text; 0 is no budget.
base::Result<std::string> kernel_facts(const KernelTarget& target, std::size_t token_budget);

}  // namespace halyard::services
