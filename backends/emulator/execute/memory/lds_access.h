// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/memory/lane_addresses.h"
#include "backends/emulator/program/operation.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {

// The addresses of an LDS instruction, `offset` bytes behind those in its ADDR, which may be below
// zero: they have 32 bits. False where no lane takes part.
inline bool lds_addresses(const Wave& wave, const Operation& operation, std::uint64_t offset,
                          LaneAddresses& at) {
  at.lanes = wave.exec();
  if (at.lanes == 0) return false;
  const std::uint32_t* address = wave.row(operation.source[0].index);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
    at.address[lane] = static_cast<std::uint32_t>(address[lane] + offset);
  return true;
}

// One stretch for each lane.
inline bool locate_lds(Wave& wave, const Operation& operation, const AccessKind& kind,
                       LaneAddresses& at) {
  const auto offset = static_cast<std::uint64_t>(operation.immediate) & 0xffff;
  return lds_addresses(wave, operation, offset, at) && locate(wave, operation, kind, at);
}

}  // namespace halyard::emulator
