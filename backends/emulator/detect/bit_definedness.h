// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/definedness_rule.h"

#include <array>
#include <cstdint>

namespace halyard::emulator {

// A value of up to 64 bits and which of them are undefined.
struct Bits {
  std::uint64_t value = 0;
  std::uint64_t undefined = 0;

  std::uint64_t known_ones() const { return value & ~undefined; }
  std::uint64_t known_zeros() const { return ~value & ~undefined; }
};

// The undefined bits of what a rule makes of three sources, `width` bits of it (32 or 64). Where an
// amount or a selection is itself undefined all bits are.
std::uint64_t undefined_bits(DefinednessRule rule, const std::array<Bits, 3>& source,
                             unsigned width);

}  // namespace halyard::emulator
