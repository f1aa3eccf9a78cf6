// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/occupancy.h"

#include <algorithm>

namespace halyard::emulator {
namespace {

// Of one SIMD, and of the compute unit that it is part of.
struct SimdResources {
  std::uint32_t vector_registers = 0;  // rows of the narrower wave
  std::uint32_t granule = 0;           // of them, for that wave
  std::uint32_t scalar_registers = 0;  // 0: each wave has its own
  std::uint32_t waves = 16;
  std::uint32_t simds = 2;
  std::uint32_t lds_bytes = 65536;
  std::uint32_t lds_granule = 1024;
  std::uint32_t lanes = 32;
};

SimdResources resources_of(std::string_view processor) {
  if (processor.starts_with("gfx9")) return {512, 8, 800, 8, 4, 65536, 512, 64};
  if (processor == "gfx1102" || processor == "gfx1103" || processor == "gfx1150")
    return {1024, 16, 0, 16, 2, 65536, 1024, 32};
  return {1536, 24, 0, 16, 2, 65536, 1024, 32};
}

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t granule) {
  return (value + granule - 1) / granule * granule;
}

void limit_to(Occupancy& occupancy, std::uint32_t waves, const char* name) {
  if (waves >= occupancy.waves_per_simd) return;
  occupancy.waves_per_simd = waves;
  occupancy.limit = name;
}

}  // namespace

Occupancy theoretical_occupancy(std::string_view processor, const OccupancyUse& use) {
  const SimdResources has = resources_of(processor);
  Occupancy occupancy{has.waves, has.waves, "waves"};
  const std::uint32_t wider = std::max(1U, use.lanes / has.lanes);
  const std::uint32_t granule = std::max(1U, has.granule / wider);
  const std::uint32_t registers = rounded_up(std::max(1U, use.vector_registers), granule);
  limit_to(occupancy, has.vector_registers / wider / registers, "vector registers");
  if (has.scalar_registers != 0 && use.scalar_registers != 0)
    limit_to(occupancy, has.scalar_registers / rounded_up(use.scalar_registers, 16),
             "scalar registers");
  if (use.lds_bytes != 0) {
    const std::uint32_t workgroups = has.lds_bytes / rounded_up(use.lds_bytes, has.lds_granule);
    const std::uint32_t waves = workgroups * std::max(1U, use.waves);
    limit_to(occupancy, (waves + has.simds - 1) / has.simds, "LDS");
  }
  return occupancy;
}

}  // namespace halyard::emulator
