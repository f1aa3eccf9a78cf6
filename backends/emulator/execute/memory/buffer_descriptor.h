// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/operand.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {

// The four dwords that describe a buffer to an instruction.
struct BufferDescriptor {
  std::uint64_t base = 0;
  std::uint32_t stride = 0;   // bytes of a record
  std::uint32_t records = 0;  // bytes where the stride is 0
  bool is_plain = true;       // neither swizzled nor indexed by the lane's number

  // Four scalars from `index` on.
  static BufferDescriptor of(const Wave& wave, std::uint32_t index) {
    constexpr std::uint32_t kSwizzle = 0xc0000000;
    constexpr std::uint32_t kAddThread = 1U << 23;
    BufferDescriptor descriptor;
    const std::uint32_t second = wave.scalar[index + 1];
    descriptor.base = wave.scalar[index] | std::uint64_t{second & 0xffff} << 32;
    descriptor.stride = second >> 16 & 0x3fff;
    descriptor.records = wave.scalar[index + 2];
    descriptor.is_plain = (second & kSwizzle) == 0 && (wave.scalar[index + 3] & kAddThread) == 0;
    return descriptor;
  }
};

}  // namespace halyard::emulator
