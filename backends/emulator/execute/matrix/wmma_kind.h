// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/number_format.h"
#include "backends/emulator/program/operation.h"

#include <cstdint>

namespace halyard::emulator {

// What a WMMA or SWMMAC makes of 16 × 16 elements.
struct WmmaKind {
  std::uint32_t lanes = 32;
  std::uint32_t k = 16;
  Number a = Number::kF16;
  Number b = Number::kF16;
  ResultFormat format = ResultFormat::kSingle;
};

constexpr std::uint32_t kSignBit = 0x80000000;

// NEG and NEG_HI of A (0) or B (1) negate the low and the high halves of registers.
inline OperandChange change_of_operand(const Operation& operation, std::uint32_t which) {
  OperandChange change;
  if ((operation.negate >> which & 1) != 0) change.flip_low = kSignBit;
  if ((operation.negate_high >> which & 1) != 0) change.flip_high = kSignBit;
  return change;
}

// Of C NEG_HI takes the magnitude, NEG negates.
inline ResultChange change_of_source(const Operation& operation) {
  return {(operation.negate >> 2 & 1) != 0, (operation.negate_high >> 2 & 1) != 0};
}

// NEG means "signed" for integers; other modifiers than these are not defined. Operands of 8-bit
// floats have none.
inline bool are_wmma_modifiers_defined(const Operation& operation, Number number) {
  if (is_integer(number)) return (operation.negate & 4) == 0 && operation.negate_high == 0;
  if (is_byte_float(number)) return (operation.negate & 3) == 0 && (operation.negate_high & 3) == 0;
  return true;
}

}  // namespace halyard::emulator
