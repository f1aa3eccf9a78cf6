// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/program/operation.h"
#include "capability-descriptors/isa/encoding_layout.h"
#include "capability-descriptors/isa/instruction_decoder.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "capability-descriptors/isa/operand_text.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::emulator {

// The instruction set of a target with what is made of it once. Immutable; any number of threads.
class IsaTables {
 public:
  // Errors: those of isa::InstructionDecoder::create.
  static base::Result<IsaTables> create(EmulatedTarget target, isa::InstructionSet set);

  const EmulatedTarget& target() const { return target_; }
  const isa::InstructionSet& set() const { return *set_; }
  const isa::InstructionDecoder& decoder() const { return decoder_; }
  // Of all encodings of the set.
  std::span<const isa::EncodingLayout> layouts() const { return layouts_; }
  // For waves of 32 or 64 lanes.
  const isa::InstructionWriter& writer(std::uint32_t lanes) const;

 private:
  // Made when the first text is asked for.
  struct Writers {
    std::once_flag once;
    std::optional<isa::InstructionWriter> narrow;
    std::optional<isa::InstructionWriter> wide;
  };

  IsaTables(EmulatedTarget target, std::unique_ptr<const isa::InstructionSet> set,
            isa::InstructionDecoder decoder);

  EmulatedTarget target_;
  std::unique_ptr<const isa::InstructionSet> set_;
  isa::InstructionDecoder decoder_;
  std::vector<isa::EncodingLayout> layouts_;
  std::unique_ptr<Writers> writers_;
};

// What limits the registers that a program may name.
struct ProgramLimits {
  std::uint32_t lanes = 32;
  std::uint32_t vector_registers = 256;
  std::uint32_t accumulation_registers = 0;
};

// A function: dwords of a code section.
struct CodeStretch {
  std::uint32_t first_word = 0;
  std::uint32_t end_word = 0;
};

// The code of a kernel as a flat list of operations. Dwords that are no instruction, an instruction
// without semantics here and one that names a register beyond the limits become operations that
// stop whoever reaches them, with a report. Immutable; any number of threads.
class Program {
 public:
  // Borrows the tables. `words` is a code section; the stretches between `starts` (dword indices of
  // functions, ascending) are decoded each from its own start.
  // Errors: kInvalidArgument for starts that are not ascending indices of words.
  static base::Result<Program> create(const IsaTables& tables, std::vector<std::uint32_t> words,
                                      std::span<const std::uint32_t> starts,
                                      const ProgramLimits& limits);
  // As above, of some functions only, which do not overlap; to leave them is to leave the program.
  static base::Result<Program> create(const IsaTables& tables, std::span<const std::uint32_t> words,
                                      std::span<const CodeStretch> stretches,
                                      const ProgramLimits& limits);

  // By address. Behind each stretch there is one that stops who runs off its end.
  std::span<const Operation> operations() const { return operations_; }
  // The operation at a byte offset of the section; null where none starts there.
  const Operation* at(std::uint64_t offset) const noexcept;
  const IsaTables& tables() const { return *tables_; }
  // Whether an instruction combines what it stores with what memory holds.
  bool has_memory_atomics() const { return has_memory_atomics_; }
  // "v_add_f32_e32 v0, s1, v2"
  std::string text(const Operation& operation) const;
  // The dwords of an instruction.
  std::span<const std::uint32_t> encoding(const Operation& operation) const;

 private:
  friend class ProgramBuilder;

  // Where the dwords of a stretch lie in words_.
  struct Part {
    CodeStretch stretch;
    std::size_t first = 0;
  };

  Program() = default;

  const IsaTables* tables_ = nullptr;
  std::uint32_t lanes_ = 32;
  bool has_memory_atomics_ = false;
  std::vector<std::uint32_t> words_;
  std::vector<Part> parts_;
  std::vector<Operation> operations_;
  std::vector<std::unique_ptr<const Operation>> halves_;
  std::vector<std::unique_ptr<const LanePermutation>> permutations_;
  std::vector<std::unique_ptr<const SubDwordSelection>> selections_;
};

}  // namespace halyard::emulator
