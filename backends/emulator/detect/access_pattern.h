// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/observe/observer.h"

#include <cstdint>

namespace halyard::emulator {

// How often an LDS of 32 banks of four bytes is asked for one access, and how often it would be if
// no two lanes met in a bank with different dwords.
struct BankUse {
  std::uint32_t passes = 0;
  std::uint32_t ideal = 0;
};
BankUse bank_use(const MemoryAccess& access);

// How many cache lines one access touches, and how many its bytes would fill.
struct LineUse {
  std::uint32_t lines = 0;
  std::uint32_t ideal = 0;
};
LineUse line_use(const MemoryAccess& access, std::uint32_t line_bytes);

}  // namespace halyard::emulator
