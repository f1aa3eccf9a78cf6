// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace halyard::emulator {

// What targets of one kind encode and start alike.
enum class Generation : std::uint8_t {
  kGfx9,   // gfx90a, gfx942: 64 lanes, accumulation registers
  kGfx11,  // gfx1100 to gfx1103, gfx1150, gfx1151
  kGfx12,  // gfx1200, gfx1201
};

// A processor whose code objects are executed here. Plain data.
struct EmulatedTarget {
  std::string processor;        // "gfx1100"
  std::string instruction_set;  // "amd/rdna3"
  Generation generation = Generation::kGfx11;
  std::uint32_t lds_bytes_per_workgroup = 65536;
};

}  // namespace halyard::emulator
