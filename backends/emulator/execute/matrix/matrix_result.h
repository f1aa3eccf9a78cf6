// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/matrix/lane_layout.h"
#include "backends/emulator/program/operand.h"
#include "backends/emulator/state/wave.h"

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace halyard::emulator {

// How numbers of C and D lie in the registers.
enum class ResultFormat : std::uint8_t {
  kSingle,
  kInteger,       // added to a sum of integers that a float holds exactly; wraps
  kIntegerClamp,  // stays within 32 bits
  kHalfLow,       // an f16 in the low half of each register; the high half is kept
  kHalfHigh,
  kHalfPacked,  // two consecutive items in each register
  kBrainLow,    // the same of bf16
  kBrainHigh,
  kBrainPacked,
};

struct ResultChange {
  bool negates = false;  // C
  bool is_absolute = false;
};

// Whether C is something that load_sums() reads.
inline bool is_matrix_source(const Operand& operand) {
  return operand.is_vector() || operand.kind == OperandKind::kConstant;
}

// The place of a lane's item among the sums: rows of as many as a group has lanes.
inline std::size_t place_of(const LaneLayout& layout, std::uint32_t rows, std::uint32_t item,
                            std::uint32_t lane) {
  const std::uint32_t group = lane / layout.size;
  const std::uint32_t row = layout.block(item, group) * rows + layout.position(item, group);
  return std::size_t{row} * layout.size + lane % layout.size;
}

// Fills the sums of all blocks with C as floats; with 0 for integers.
void load_sums(const Wave& wave, const LaneLayout& layout, std::uint32_t rows, ResultFormat format,
               const ResultChange& change, const Operand& source, float* sums);

// Rounds the sums to nearest even, adds C to integers, and writes D.
void store_sums(Wave& wave, const LaneLayout& layout, std::uint32_t rows, ResultFormat format,
                const Operand& source, const Operand& destination, const float* sums);

}  // namespace halyard::emulator
