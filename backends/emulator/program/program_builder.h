// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation_decoder.h"
#include "backends/emulator/program/program.h"
#include "backends/emulator/program/semantics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::emulator {

// Makes a program of dwords. Lives while one is made; borrows the tables.
class ProgramBuilder {
 public:
  ProgramBuilder(const IsaTables& tables, const ProgramLimits& limits);

  // `words` is the code section; the stretch lies in it, behind those that were added before.
  void add(std::span<const std::uint32_t> words, const CodeStretch& stretch);
  Program finish();

 private:
  void add_instruction(std::span<const std::uint32_t> words, std::uint32_t word,
                       const isa::DecodedInstruction& decoded);
  void add_end(std::uint32_t end_word);
  void push(Operation operation, std::uint32_t word, std::uint32_t size_bytes);
  Operation operation_of(const isa::DecodedForm& form, std::span<const std::uint32_t> words);
  Operation pair_of(const isa::DecodedInstruction& decoded, std::span<const std::uint32_t> words);
  void choose(Operation& operation, const isa::Instruction& instruction);
  void find_targets();

  const IsaTables& tables_;
  OperationDecoder decoder_;
  SemanticContext context_;
  Program program_;
  std::vector<std::size_t> branches_;  // indices of operations
};

}  // namespace halyard::emulator
