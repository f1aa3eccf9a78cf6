// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace halyard::emulator {

// How the numbers of matrix operands and dot products lie in registers.
enum class Number : std::uint8_t {
  kF16,
  kBf16,
  kI8,
  kU8,
  kI4,
  kU4,
  kE4m3Fnuz,  // one NaN, no infinity, no negative zero; gfx9
  kE5m2Fnuz,
  kE4m3,  // OCP; gfx12
  kE5m2,
  kF32,
  kXf32,  // single precision without its low 13 bits
};

constexpr std::uint32_t bits_of(Number number) {
  switch (number) {
    case Number::kF16:
    case Number::kBf16:
      return 16;
    case Number::kI4:
    case Number::kU4:
      return 4;
    case Number::kF32:
    case Number::kXf32:
      return 32;
    default:
      return 8;
  }
}

constexpr bool is_integer(Number number) {
  return number == Number::kI8 || number == Number::kU8 || number == Number::kI4 ||
         number == Number::kU4;
}

constexpr bool is_byte_float(Number number) {
  return bits_of(number) == 8 && !is_integer(number);
}

// The value of a byte: `fraction_bits` of it, a bias, and what the last codes are.
constexpr float value_of_byte_float(std::uint32_t byte, std::uint32_t fraction_bits,
                                    std::int32_t bias, bool is_fnuz) {
  const float nan = std::bit_cast<float>(0x7fc00000U);
  const std::uint32_t fraction = byte & ((1U << fraction_bits) - 1);
  const std::uint32_t exponent = (byte & 0x7f) >> fraction_bits;
  const float sign = (byte & 0x80) != 0 ? -1.0F : 1.0F;
  if (is_fnuz) {
    if (byte == 0x80) return nan;
  } else if (fraction_bits == 3) {
    if ((byte & 0x7f) == 0x7f) return nan;
  } else if (exponent == 31) {
    const float infinity = std::bit_cast<float>(0x7f800000U);
    return fraction == 0 ? sign * infinity : nan;
  }
  float value = static_cast<float>(fraction) / static_cast<float>(1U << fraction_bits);
  std::int32_t power = 1 - bias;
  if (exponent != 0) {
    value += 1.0F;
    power = static_cast<std::int32_t>(exponent) - bias;
  }
  const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(power + 127) << 23);
  return sign * value * scale;
}

// All values of an 8-bit float, by its byte.
template <Number number>
constexpr std::array<float, 256> byte_float_values() {
  constexpr bool kIsFnuz = number == Number::kE4m3Fnuz || number == Number::kE5m2Fnuz;
  constexpr bool kHasThree = number == Number::kE4m3Fnuz || number == Number::kE4m3;
  constexpr std::int32_t kBias = (kHasThree ? 7 : 15) + (kIsFnuz ? 1 : 0);
  std::array<float, 256> values{};
  for (std::uint32_t byte = 0; byte < 256; ++byte)
    values[byte] = value_of_byte_float(byte, kHasThree ? 3 : 2, kBias, kIsFnuz);
  return values;
}

template <Number number>
inline constexpr std::array<float, 256> kByteFloats = byte_float_values<number>();

}  // namespace halyard::emulator
