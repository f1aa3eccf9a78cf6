// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operand.h"

#include <cstdint>
#include <string>

namespace halyard::emulator {

// The registers of a wave as one list, for what detectors note of each: dwords of Wave::scalar,
// SCC, and rows of vector registers.
inline constexpr std::uint16_t kSccCell = kSinkIndex;
inline constexpr std::uint16_t kVectorCell = 136;
inline constexpr std::uint16_t kCellCount = kVectorCell + kTemporaryRow;

// Registers that lie next to one another.
struct CellRange {
  std::uint16_t first = 0;
  std::uint16_t count = 0;

  bool covers(unsigned cell) const { return cell >= first && cell - first < count; }
};

// The cells of an operand; none for constants and for what is written to nowhere. The operand has
// been checked when its program was made; a range never leaves the list.
CellRange cells_of(const Operand& operand);

// "v3", "a0", "s12", "vcc_lo", "exec_lo", "m0", "ttmp7", "scc".
std::string cell_name(unsigned cell);

}  // namespace halyard::emulator
