// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/memory/lds_direct.h"

#include "backends/emulator/execute/memory/lane_transfer.h"
#include "backends/emulator/program/operand.h"

#include <cstdint>
#include <cstring>

namespace halyard::emulator {

void move_to_lds(Wave& wave, const Operation& operation, const LaneAddresses& from) {
  LaneAddresses to;
  to.lanes = from.lanes;
  const std::uint64_t start =
      (wave.scalar[kM0Index] & 0xffff) + static_cast<std::uint64_t>(operation.immediate);
  for (std::uint32_t lane = 0; lane < wave.lanes; ++lane)
    to.address[lane] = start + std::uint64_t{4} * lane;
  if (!locate(wave, operation, store_of(MemorySegment::kLds, 4), to)) return;
  for_each_lane(wave, to.lanes,
                [&](std::uint32_t lane) { std::memcpy(to.bytes(lane), from.bytes(lane), 4); });
}

}  // namespace halyard::emulator
