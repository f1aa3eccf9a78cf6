// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace halyard::emulator {

// What a kernel takes of a compute unit.
struct OccupancyUse {
  std::uint32_t lanes = 32;
  std::uint32_t vector_registers = 0;  // of a lane, accumulation registers included
  std::uint32_t scalar_registers = 0;  // 0: not known
  std::uint32_t lds_bytes = 0;         // of a workgroup
  std::uint32_t waves = 1;             // of a workgroup
};

// How many waves a SIMD holds at once, at most, and what allows no more.
struct Occupancy {
  std::uint32_t waves_per_simd = 0;
  std::uint32_t most_waves_per_simd = 0;  // of the target
  std::string limit;                      // "vector registers", "LDS", "scalar registers", "waves"
};

// The target's register files and LDS as its documents give them; one workgroup is taken to stay
// within one compute unit.
Occupancy theoretical_occupancy(std::string_view processor, const OccupancyUse& use);

}  // namespace halyard::emulator
