// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halyard::emulator {

// A format of 8 bits. The FNUZ ones of gfx9 have one NaN, 0x80, and no infinity; of the OCP ones of
// gfx12 FP8 has a NaN of either sign, and BF8 is like IEEE's.
struct SmallFormat {
  int fraction_bits = 3;  // FP8 has three, BF8 two
  int bias = 7;
  bool is_fnuz = false;

  static constexpr SmallFormat fp8(bool is_fnuz) { return {3, is_fnuz ? 8 : 7, is_fnuz}; }
  static constexpr SmallFormat bf8(bool is_fnuz) { return {2, is_fnuz ? 16 : 15, is_fnuz}; }
};

// The bits of the float that a byte is. Of a NaN 0xffc00000.
std::uint32_t float_bits_of(std::uint8_t byte, const SmallFormat& format);

// The nearest number, the even one of two. What is beyond the format becomes its infinity, or its
// NaN where there is none, or with `saturates` the largest number; an infinity of a format without
// them becomes its NaN.
std::uint8_t small_float_of(float value, const SmallFormat& format, bool saturates);

}  // namespace halyard::emulator
