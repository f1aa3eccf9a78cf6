// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/program_builder.h"

#include "backends/emulator/observe/report.h"
#include "backends/emulator/state/wave.h"
#include "capability-descriptors/isa/operand_order.h"
#include "runtime/base/text.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace halyard::emulator {
namespace {

using base::concat;

std::string hex_dwords(std::span<const std::uint32_t> words) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const std::uint32_t word : words) {
    out += out.empty() ? "0x" : " 0x";
    for (std::uint32_t shift = 32; shift > 0; shift -= 4)
      out += kDigits[word >> (shift - 4) & 15];
  }
  return out;
}

void stop_with(Wave& wave, const Operation& operation, ReportKind kind, std::string what) {
  Report report;
  report.kind = kind;
  report.what = std::move(what);
  report.address = operation.address;
  wave.stop(std::move(report));
}

std::string described(const Wave& wave, const Operation& operation) {
  const std::string_view name = operation.name.empty() ? "A dword" : operation.name;
  return concat(name, " (", hex_dwords(wave.program->encoding(operation)), " at code offset ",
                operation.address, ")");
}

void stop_undecodable(Wave& wave, const Operation& operation) {
  stop_with(wave, operation, ReportKind::kUnknownInstruction,
            concat(described(wave, operation), " is no instruction of ",
                   wave.program->tables().target().instruction_set, "."));
}

void stop_unknown(Wave& wave, const Operation& operation) {
  stop_with(wave, operation, ReportKind::kUnknownInstruction,
            concat(described(wave, operation),
                   " has no semantics here, or not with these operands and modifiers."));
}

void stop_invalid(Wave& wave, const Operation& operation) {
  stop_with(wave, operation, ReportKind::kUnknownInstruction,
            concat(described(wave, operation),
                   " names a register that the kernel does not have, or a mode that is not "
                   "executed here."));
}

void stop_outside(Wave& wave, const Operation& operation) {
  stop_with(
      wave, operation, ReportKind::kBranchOutside,
      concat("The wave runs off the end of its function at code offset ", operation.address, "."));
}

bool is_memory_atomic(const Operation& operation) {
  const bool is_memory = isa::is_flat(operation.family) || isa::is_buffer(operation.family) ||
                         operation.family == isa::EncodingFamily::kScalarMemory;
  return is_memory && operation.name.find("_ATOMIC_") != std::string_view::npos;
}

bool has_label(const isa::InstructionSet& set, const isa::DecodedForm& form) {
  for (const isa::Operand& operand : set.instructions[form.instruction].forms[form.form].operands) {
    if (operand.operand_type != isa::kNoIndex &&
        set.operand_types[operand.operand_type].name == "OPR_LABEL") {
      return true;
    }
  }
  return false;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const IsaTables& tables, const ProgramLimits& limits)
    : tables_(tables),
      decoder_(tables, limits),
      context_{tables.target().generation, limits.lanes} {
  program_.tables_ = &tables;
  program_.lanes_ = limits.lanes;
}

void ProgramBuilder::add(std::span<const std::uint32_t> words, const CodeStretch& stretch) {
  const auto code = words.subspan(stretch.first_word, stretch.end_word - stretch.first_word);
  program_.parts_.push_back({stretch, program_.words_.size()});
  program_.words_.insert(program_.words_.end(), code.begin(), code.end());
  for (std::uint32_t word = stretch.first_word; word < stretch.end_word;) {
    const auto rest = words.subspan(word, stretch.end_word - word);
    isa::DecodedInstruction decoded;
    if (tables_.decoder().decode(rest, &decoded)) {
      add_instruction(rest.first(decoded.size_bytes / 4), word, decoded);
      word += decoded.size_bytes / 4;
      continue;
    }
    Operation operation;
    operation.handler = stop_undecodable;
    push(operation, word, sizeof(std::uint32_t));
    ++word;
  }
  add_end(stretch.end_word);
}

void ProgramBuilder::add_end(std::uint32_t end_word) {
  Operation operation;
  operation.handler = stop_outside;
  push(operation, end_word, 0);
}

void ProgramBuilder::push(Operation operation, std::uint32_t word, std::uint32_t size_bytes) {
  operation.address = word * 4;
  operation.index = static_cast<std::uint32_t>(program_.operations_.size());
  operation.size_bytes = static_cast<std::uint8_t>(size_bytes);
  program_.operations_.push_back(operation);
}

// Semantics are found by AMD's name of the instruction, else by that of assemblers.
void ProgramBuilder::choose(Operation& operation, const isa::Instruction& instruction) {
  operation.handler = choose_handler(operation, context_);
  if (operation.handler == nullptr && !instruction.assembly_name.empty()) {
    operation.name = instruction.assembly_name;
    operation.handler = choose_handler(operation, context_);
    operation.name = instruction.name;
  }
  if (operation.handler == nullptr) operation.handler = stop_unknown;
}

Operation ProgramBuilder::operation_of(const isa::DecodedForm& form,
                                       std::span<const std::uint32_t> words) {
  DecodedOperation decoded = decoder_.decode(form, words);
  Operation& operation = decoded.operation;
  if (!decoded.is_valid) {
    operation.handler = stop_invalid;
    return operation;
  }
  if (decoded.has_permutation) {
    program_.permutations_.push_back(std::make_unique<LanePermutation>(decoded.permutation));
    operation.permutation = program_.permutations_.back().get();
  }
  if (decoded.has_sub_dword) {
    program_.selections_.push_back(std::make_unique<SubDwordSelection>(decoded.sub_dword));
    operation.sub_dword = program_.selections_.back().get();
  }
  choose(operation, tables_.set().instructions[form.instruction]);
  return operation;
}

Operation ProgramBuilder::pair_of(const isa::DecodedInstruction& decoded,
                                  std::span<const std::uint32_t> words) {
  std::array<Operation, 2> halves = {operation_of(decoded.first, words),
                                     operation_of(decoded.second, words)};
  Operation operation;
  operation.name = halves[0].name;
  operation.family = halves[0].family;
  operation.variant = halves[0].variant;
  for (const Operation& half : halves) {
    if (half.handler != stop_unknown && half.handler != stop_invalid) continue;
    operation.name = half.name;
    operation.handler = half.handler;
    return operation;
  }
  std::array<const Operation*, 2> kept{};
  for (std::size_t i = 0; i < halves.size(); ++i) {
    program_.halves_.push_back(std::make_unique<Operation>(halves[i]));
    kept[i] = program_.halves_.back().get();
  }
  operation.first_half = kept[0];
  operation.second_half = kept[1];
  operation.handler = choose_handler(operation, context_);
  if (operation.handler == nullptr) operation.handler = stop_unknown;
  return operation;
}

void ProgramBuilder::add_instruction(std::span<const std::uint32_t> words, std::uint32_t word,
                                     const isa::DecodedInstruction& decoded) {
  const bool is_pair = decoded.second.instruction != isa::kNoIndex;
  const Operation operation =
      is_pair ? pair_of(decoded, words) : operation_of(decoded.first, words);
  program_.has_memory_atomics_ = program_.has_memory_atomics_ || is_memory_atomic(operation);
  push(operation, word, decoded.size_bytes);
  if (!is_pair && has_label(tables_.set(), decoded.first)) {
    branches_.push_back(program_.operations_.size() - 1);
  }
}

void ProgramBuilder::find_targets() {
  for (const std::size_t index : branches_) {
    Operation& operation = program_.operations_[index];
    const std::int64_t address =
        std::int64_t{operation.address} + operation.size_bytes + operation.immediate * 4;
    if (address >= 0) operation.target = program_.at(static_cast<std::uint64_t>(address));
  }
}

Program ProgramBuilder::finish() {
  find_targets();
  return std::move(program_);
}

}  // namespace halyard::emulator
