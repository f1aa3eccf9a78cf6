// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/program/operand.h"
#include "backends/emulator/program/program.h"
#include "capability-descriptors/isa/form_view.h"

#include <cstdint>
#include <optional>

namespace halyard::emulator {

// How the numbers of an operand lie in its registers.
struct NumberFormat {
  std::uint32_t bits = 32;  // of one number: 8, 16, 32 or 64; 0 where the tables do not say
  bool is_float = false;
  bool is_brain_float = false;
  bool is_signed = false;
  bool is_packed = false;     // several of them
  bool is_lane_mask = false;  // one bit for each lane
};

NumberFormat number_format(const isa::InstructionSet& set, const isa::Operand& operand);

// Resolves the operands of one form of an instruction. Borrows everything; lives while one
// instruction is read.
class OperandReader {
 public:
  OperandReader(const isa::FormView& view, Generation generation, const ProgramLimits& limits)
      : view_(view),
        generation_(generation),
        limits_(limits) {}

  // Nothing for a code that means nothing there, and for a register that the kernel does not have.
  // For a half of a register that a short form names by its highest bit, *takes_high_half is set.
  std::optional<Operand> read(const isa::Operand& operand, bool* takes_high_half) const;

  // As a source's code, whatever the tables say of the field.
  std::optional<Operand> read_source(const isa::Operand& operand, std::uint64_t code) const;
  // `count` vector registers from `first` on; of accumulation where that is wanted.
  std::optional<Operand> vector(std::uint64_t first, std::uint32_t count, bool accumulates) const;
  std::optional<Operand> scalar(std::uint64_t code, std::uint32_t count, bool is_written) const;
  Operand lane_mask(std::uint16_t index) const;
  // The dword behind the instruction, widened for the operand.
  Operand literal(const isa::Operand& operand) const;

  // How many dwords the tables give it.
  std::uint32_t dwords(const isa::Operand& operand) const;
  std::uint64_t code_of(const isa::Operand& operand) const;
  bool is_literal(const isa::Operand& operand) const;

 private:
  std::optional<Operand> read_vector(const isa::Operand& operand, std::uint64_t code,
                                     bool* takes_high_half) const;
  std::optional<Operand> inline_constant(const isa::Operand& operand, std::uint64_t code) const;
  bool accumulates(const isa::Operand& operand, bool is_source_code) const;
  bool names_halves(const isa::Operand& operand) const;

  const isa::FormView& view_;
  Generation generation_;
  const ProgramLimits& limits_;
};

}  // namespace halyard::emulator
