// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

namespace halyard::emulator {

// Copies a dword of each located lane into the LDS: that of lane i to M0's low half plus the
// instruction's offset plus 4 * i.
void move_to_lds(Wave& wave, const Operation& operation, const LaneAddresses& from);

}  // namespace halyard::emulator
