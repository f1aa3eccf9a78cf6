// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation.h"
#include "backends/emulator/program/program.h"
#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <span>

namespace halyard::emulator {

// One form of an instruction, read.
struct DecodedOperation {
  Operation operation;  // without handler, address and target
  LanePermutation permutation;
  SubDwordSelection sub_dword;
  bool has_permutation = false;
  bool has_sub_dword = false;
  // What keeps it from being executed: a register or a modifier that it cannot have. Its operands
  // are then incomplete.
  bool is_valid = true;
};

// Reads operands and modifiers by the tables of an instruction set. Borrows them.
class OperationDecoder {
 public:
  OperationDecoder(const IsaTables& tables, const ProgramLimits& limits);

  // `words` start with the instruction.
  DecodedOperation decode(const isa::DecodedForm& form, std::span<const std::uint32_t> words) const;

 private:
  const IsaTables& tables_;
  ProgramLimits limits_;
  isa::TextGeneration text_generation_;
};

}  // namespace halyard::emulator
