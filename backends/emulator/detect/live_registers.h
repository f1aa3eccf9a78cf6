// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/operation_facts.h"

#include <bitset>
#include <cstdint>
#include <vector>

namespace halyard::emulator {

// How many registers are read later, before one operation.
struct LiveCount {
  std::uint16_t vectors = 0;  // accumulation registers included
  std::uint16_t scalars = 0;
};

// For each operation, by its index. What a branch through a register goes to is not known: nothing
// is live there. Nothing at all is found of programs of more than 2^16 operations.
std::vector<LiveCount> live_registers(const ProgramFacts& facts);

}  // namespace halyard::emulator
