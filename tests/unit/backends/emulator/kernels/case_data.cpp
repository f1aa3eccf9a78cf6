// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

#include <bit>
#include <cmath>
#include <utility>

namespace halyard::emulator::testing {

namespace {

template <typename T, typename Make>
CaseArgument made(std::uint64_t seed, std::size_t count, Make make) {
  Numbers numbers(seed);
  std::vector<T> items(count);
  for (T& item : items)
    item = static_cast<T>(make(numbers));
  return input(items);
}

template <typename T>
CaseArgument whole(std::uint64_t seed, std::size_t count, int low, int high) {
  const auto range = static_cast<std::uint64_t>(high - low) + 1;
  return made<T>(seed, count, [&](Numbers& numbers) {
    return low + static_cast<std::int64_t>(numbers.next() % range);
  });
}

template <typename T>
CaseArgument shuffled(std::uint64_t seed, std::uint32_t count) {
  Numbers numbers(seed);
  std::vector<T> items(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t other = numbers.next() % (i + 1);
    items[i] = items[other];
    items[other] = static_cast<T>(i);
  }
  return input(items);
}

// Every second one from `special`, the others any bits.
template <typename T>
CaseArgument any(std::uint64_t seed, std::size_t count, std::span<const T> special) {
  return made<T>(seed, count, [&](Numbers& numbers) {
    const std::uint64_t number = numbers.next();
    if ((number >> 60 & 1) != 0) return static_cast<T>(number);
    return special[number % special.size()];
  });
}

}  // namespace

std::uint16_t half_bits(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // The distance of neighbours is 2^-24 up to 2^-13, then grows with the exponent.
  const int step = std::max(exponent - 11, -24);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));
  return static_cast<std::uint16_t>(sign | (units + (static_cast<std::uint32_t>(step + 24) << 10)));
}

double half_value(std::uint16_t bits) {
  const unsigned exponent = bits >> 10 & 31;
  const unsigned mantissa = bits & 0x3ff;
  double magnitude = std::ldexp(mantissa, -24);
  if (exponent == 31) {
    magnitude = mantissa == 0 ? INFINITY : NAN;
  } else if (exponent != 0) {
    magnitude = std::ldexp(mantissa + 1024, static_cast<int>(exponent) - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

CaseArgument random_bytes(std::uint64_t seed, std::size_t count) {
  return made<std::uint8_t>(seed, count, [](Numbers& numbers) { return numbers.next() >> 40; });
}
CaseArgument floats(std::uint64_t seed, std::size_t count, double low, double high) {
  return made<float>(seed, count, [&](Numbers& numbers) { return numbers.between(low, high); });
}
CaseArgument doubles(std::uint64_t seed, std::size_t count, double low, double high) {
  return made<double>(seed, count, [&](Numbers& numbers) { return numbers.between(low, high); });
}
CaseArgument halves(std::uint64_t seed, std::size_t count, double low, double high) {
  return made<std::uint16_t>(
      seed, count, [&](Numbers& numbers) { return half_bits(numbers.between(low, high)); });
}
CaseArgument bfloats(std::uint64_t seed, std::size_t count, double low, double high) {
  return made<std::uint16_t>(seed, count, [&](Numbers& numbers) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(numbers.between(low, high))) >> 16;
  });
}
CaseArgument whole_bytes(std::uint64_t seed, std::size_t count, int low, int high) {
  return whole<std::uint8_t>(seed, count, low, high);
}
CaseArgument whole_shorts(std::uint64_t seed, std::size_t count, int low, int high) {
  return whole<std::uint16_t>(seed, count, low, high);
}
CaseArgument whole_words(std::uint64_t seed, std::size_t count, int low, int high) {
  return whole<std::uint32_t>(seed, count, low, high);
}
CaseArgument shuffled_words(std::uint64_t seed, std::uint32_t count) {
  return shuffled<std::uint32_t>(seed, count);
}
CaseArgument shuffled_shorts(std::uint64_t seed, std::uint32_t count) {
  return shuffled<std::uint16_t>(seed, count);
}

CaseArgument any_floats(std::uint64_t seed, std::size_t count) {
  static constexpr std::array<std::uint32_t, 16> kSpecial = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 1,          0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000,
      0x40200000, 0x4b000001, 0x3effffff, 0xc0600000};
  return any<std::uint32_t>(seed, count, kSpecial);
}
CaseArgument any_doubles(std::uint64_t seed, std::size_t count) {
  static constexpr std::array<std::uint64_t, 14> kSpecial = {0,
                                                             0x8000000000000000,
                                                             0x3ff0000000000000,
                                                             0xbff8000000000000,
                                                             0x7ff0000000000000,
                                                             0xfff0000000000000,
                                                             0x7ff8000000000000,
                                                             1,
                                                             0x800fffffffffffff,
                                                             0x0010000000000000,
                                                             0x7fefffffffffffff,
                                                             0x4004000000000000,
                                                             0x41dfffffffe00000,
                                                             0xc1e0000000000000};
  return any<std::uint64_t>(seed, count, kSpecial);
}
CaseArgument any_halves(std::uint64_t seed, std::size_t count) {
  static constexpr std::array<std::uint16_t, 12> kSpecial = {
      0, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 1, 0x83ff, 0x0400, 0x7bff, 0x3800};
  return any<std::uint16_t>(seed, count, kSpecial);
}

CaseArgument value(std::uint32_t number) {
  CaseArgument argument;
  argument.is_value = true;
  argument.value = number;
  return argument;
}

CaseArgument in_out(CaseArgument argument, Comparison comparison, double tolerance) {
  argument.is_writable = true;
  argument.comparison = comparison;
  argument.tolerance = tolerance;
  return argument;
}

CaseArgument output(std::size_t bytes, Comparison comparison, double tolerance) {
  CaseArgument argument;
  argument.bytes.resize(bytes);
  return in_out(std::move(argument), comparison, tolerance);
}

}  // namespace halyard::emulator::testing
