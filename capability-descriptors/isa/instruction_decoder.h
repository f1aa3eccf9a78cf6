// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/form_condition.h"
#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace halyard::isa {

// A form of an instruction of a set.
struct DecodedForm {
  std::uint32_t instruction = kNoIndex;  // into InstructionSet::instructions
  std::uint32_t form = kNoIndex;         // into Instruction::forms

  bool operator==(const DecodedForm&) const = default;
};

struct DecodedInstruction {
  DecodedForm first;
  DecodedForm second;  // issued together with the first; none for most instructions
  std::uint32_t size_bytes = 0;
};

// Finds the instruction that dwords encode, by the identifiers, opcodes and conditions of a set and
// nothing else. Of the forms whose bits match and whose condition holds it takes one whose
// condition is not the default, and of those the one of lowest order. Where two instructions share
// an encoding, each half is taken by itself, and the larger of the two sizes counts.
//
// Immutable: any number of threads may decode at once. Does not keep the set.
class InstructionDecoder {
 public:
  // The indices of `set` lie within their tables.
  // Errors: kCorruptData where identifiers match so much that the tables would be too large.
  static base::Result<InstructionDecoder> create(const InstructionSet& set);

  // False where the first dwords are no instruction of the set, or more of them are needed than
  // `words` has; *out is then untouched. Never reads beyond `words`.
  bool decode(std::span<const std::uint32_t> words, DecodedInstruction* out) const noexcept;

 private:
  friend class DecoderBuilder;

  // A form, found by the bits of its first dwords.
  struct Candidate {
    std::uint32_t mask = 0;
    std::uint32_t value = 0;
    std::uint32_t size_words = 0;
    std::uint32_t high_opcode = kNoIndex;  // into high_opcodes_
    ConditionId condition = kAlways;
    bool is_paired = false;  // another instruction must follow in the same encoding
    DecodedForm form;
  };

  // Opcode bits beyond the first dword.
  struct HighOpcode {
    std::uint32_t word = 0;
    std::uint32_t mask = 0;
    std::uint32_t value = 0;
  };

  // The candidates for some bits, in the order of preference: those of the first instruction, then
  // those of the second.
  struct Slot {
    std::uint32_t first_candidate = 0;
    std::uint16_t first_count = 0;
    std::uint16_t second_count = 0;
  };

  // Up to three runs of bits of a dword, put together to an index.
  struct BitGather {
    struct Run {
      std::uint32_t mask = 0;
      std::uint8_t right = 0;
      std::uint8_t left = 0;
    };
    std::array<Run, 3> runs;

    std::uint32_t operator()(std::uint32_t word) const noexcept {
      std::uint32_t index = 0;
      for (const Run& run : runs)
        index |= (word & run.mask) >> run.right << run.left;
      return index;
    }
  };

  // The slots for all dwords with the same nine highest bits.
  struct Bucket {
    std::uint32_t first_slot = 0;
    BitGather gather;
  };

  enum class Match : std::uint8_t { kNo, kYes, kCutOff };

  InstructionDecoder() = default;
  const Candidate* find(std::uint32_t first, std::uint32_t count,
                        std::span<const std::uint32_t> words) const noexcept;
  Match match(const Candidate& candidate, std::span<const std::uint32_t> words) const noexcept;

  static constexpr unsigned kBucketBits = 9;
  std::array<Bucket, 1U << kBucketBits> buckets_;
  std::vector<Slot> slots_;
  std::vector<Candidate> candidates_;
  std::vector<HighOpcode> high_opcodes_;
  ConditionTable conditions_;
};

}  // namespace halyard::isa
