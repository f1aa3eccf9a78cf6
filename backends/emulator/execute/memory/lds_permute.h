// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"

#include <cstdint>

namespace halyard::emulator {

// The lane that DS_SWIZZLE_B32 with this pattern of 16 bits reads for `lane`.
std::uint32_t swizzled_lane(std::uint32_t pattern, std::uint32_t lane);

// How many lanes an address of DS_PERMUTE_B32 and DS_BPERMUTE_B32 reaches: all of a wave of gfx9,
// else those of a half.
constexpr std::uint32_t permuted_lanes(Generation generation) {
  return generation == Generation::kGfx9 ? 64 : 32;
}
// The lane that the address means for `lane`.
std::uint32_t addressed_lane(std::uint32_t lane, std::uint32_t address, std::uint32_t reach);

}  // namespace halyard::emulator
