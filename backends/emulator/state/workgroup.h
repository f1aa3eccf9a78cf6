// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/emulated_target.h"
#include "backends/emulator/observe/report.h"
#include "backends/emulator/state/wave.h"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace halyard::emulator {

class AddressSpace;
class Observer;
struct MemoryRegion;

// What the waves of one workgroup share. One thread at a time.
struct Workgroup {
  Generation generation = Generation::kGfx11;
  std::array<std::uint32_t, 3> id{};
  std::uint64_t flat_id = 0;  // in the grid, x fastest
  std::vector<Wave> waves;
  std::span<std::byte> lds;    // as much as the kernel asks for
  std::uint32_t barriers = 0;  // completed so far
  const AddressSpace* memory = nullptr;
  const MemoryRegion* recent_region = nullptr;  // of `memory`, where the last access was: a guess
  Observer* observer = nullptr;                 // null in bounds mode
  std::optional<Report> report;                 // the first
  // What the launch sets before the first instruction: dwords of Wave::scalar, and how many vector
  // registers from v0 on, in the lanes of a wave's initial EXEC. A detector takes the others for
  // undefined.
  std::bitset<kScalarCount> initial_scalars;
  std::uint32_t initial_vectors = 1;
};

}  // namespace halyard::emulator
