// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

namespace halyard::emulator {

// Whether the operands are such that locate_buffer() takes.
bool has_buffer_address(const Operation& operation);

// Addresses and bytes of every lane of a BUFFER instruction; false where nothing is to be done.
// Hardware reads 0 outside of what the descriptor in SRSRC holds, and does not store there; here
// such an access stops the wave, as does a descriptor that swizzles. The one that a kernel of
// gfx90a gets for its private segment means the scratch of each lane.
bool locate_buffer(Wave& wave, const Operation& operation, const AccessKind& kind,
                   LaneAddresses& at);

}  // namespace halyard::emulator
