// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/occupancy.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace halyard::emulator {
namespace {

// Waves on a SIMD for 64, 96, 128, 168, 192 and 256 vector registers, as LLVM 19 has them.
struct RegisterRow {
  std::string_view processor;
  std::uint32_t lanes;
  std::array<std::uint32_t, 6> waves;
};

constexpr RegisterRow kRows[] = {
    {"gfx942", 64, {8, 5, 4, 3, 2, 2}},
    {"gfx1100", 32, {16, 16, 10, 9, 8, 5}},
    {"gfx1102", 32, {16, 10, 8, 5, 5, 4}},
    {"gfx1201", 32, {16, 16, 10, 9, 8, 5}},
};

}  // namespace

TEST(Occupancy, IsThatOfTheCompilerForEachNumberOfRegisters) {
  constexpr std::array<std::uint32_t, 6> kRegisters = {64, 96, 128, 168, 192, 256};
  for (const RegisterRow& row : kRows) {
    for (std::size_t i = 0; i < kRegisters.size(); ++i) {
      OccupancyUse use;
      use.lanes = row.lanes;
      use.vector_registers = kRegisters[i];
      EXPECT_EQ(theoretical_occupancy(row.processor, use).waves_per_simd, row.waves[i])
          << row.processor << ", " << kRegisters[i] << " registers";
    }
  }
}

TEST(Occupancy, IsLimitedByLds) {
  OccupancyUse use;
  use.vector_registers = 32;
  use.lds_bytes = 32768;
  use.waves = 4;
  const Occupancy occupancy = theoretical_occupancy("gfx1100", use);
  EXPECT_EQ(occupancy.waves_per_simd, 4U);
  EXPECT_EQ(occupancy.limit, "LDS");
}

TEST(Occupancy, IsLimitedByScalarRegistersWhereWavesShareThem) {
  OccupancyUse use;
  use.lanes = 64;
  use.vector_registers = 16;
  use.scalar_registers = 112;
  EXPECT_EQ(theoretical_occupancy("gfx942", use).waves_per_simd, 7U);
  EXPECT_EQ(theoretical_occupancy("gfx942", use).limit, "scalar registers");
  EXPECT_EQ(theoretical_occupancy("gfx1100", use).limit, "waves");
}

}  // namespace halyard::emulator
