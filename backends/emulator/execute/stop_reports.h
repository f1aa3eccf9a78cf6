// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

// Reports of what stops a wave at an instruction. Their texts are put together in a file that is
// compiled for any CPU: what the standard library instantiates there is shared with all others.
namespace halyard::emulator {

void stop_branch(Wave& wave, const Operation& operation);
void stop_branch_to(Wave& wave, const Operation& operation, std::uint64_t address);
void stop_behind_code(Wave& wave, const Operation& operation);
void stop_trap(Wave& wave, const Operation& operation);
// M0 leads from register `base` beyond `limit` registers.
void stop_relative_move(Wave& wave, const Operation& operation, std::uint32_t base,
                        std::uint32_t limit);

}  // namespace halyard::emulator
