// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

#include <bit>
#include <cmath>

namespace halyard::emulator::testing {

namespace {

constexpr unsigned kOnThoseWithFp8 = kOnGfx12 | kOnGfx9;

// None of them 0.
CaseArgument divisors(std::uint64_t seed, std::size_t count) {
  Numbers numbers(seed);
  std::vector<std::uint64_t> items(count);
  for (std::uint64_t& item : items) {
    const std::uint64_t shift = numbers.next() & 63;
    item = numbers.next() >> shift | 1;
  }
  return input(items);
}

// Numbers that lie between two of 16 bits, on one, and just beside the middle.
CaseArgument around_halves(std::size_t count) {
  Numbers numbers(11);
  std::vector<float> items(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint32_t>(numbers.next());
    std::uint32_t bits = number & 0xffffe000;
    if (i % 4 == 1) bits |= 0x1000;
    if (i % 4 == 2) bits |= 0x1001;
    if (i % 4 == 3) bits = (bits & 0xffff0000) | 0x8000;
    // Most within the range of 16 bits, many of them below the smallest normal number.
    if (i % 3 != 0) bits = (bits & 0x87ffffff) | (96U + number % 3 * 8) << 23;
    items[i] = std::bit_cast<float>(bits);
  }
  return input(items);
}

CaseArgument small_powers(std::uint64_t seed, std::size_t count) {
  Numbers numbers(seed);
  std::vector<float> items(count);
  for (float& item : items) {
    const auto exponent = static_cast<int>(numbers.next() % 22) - 14;
    item = static_cast<float>(std::ldexp(numbers.between(-1.8, 1.8), exponent));
  }
  return input(items);
}

// Every number of 16 bits; 0 for NaNs.
CaseArgument all_halves() {
  std::vector<float> items(65536);
  for (std::uint32_t bits = 0; bits < items.size(); ++bits) {
    const double number = half_value(static_cast<std::uint16_t>(bits));
    if (!std::isnan(number)) items[bits] = static_cast<float>(number);
  }
  return input(items);
}

std::vector<KernelCase> integer_cases() {
  return {
      {"integer",
       "integer_divide64",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(1, 1024), divisors(2, 128), output(4096)}},
      {"integer",
       "integer_wide",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(3, 1024), random_bytes(4, 1024), output(8192)}},
      {"integer",
       "integer_divide32",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(5, 512), random_bytes(6, 512), output(4096)}},
      {"integer",
       "integer_bits",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(7, 512), random_bytes(8, 512), output(12288)}},
      {"integer",
       "integer_short",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(9, 256), random_bytes(10, 256), output(2048)}},
      {"integer",
       "integer_packed",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(11, 512), random_bytes(12, 512), output(4096)}},
  };
}

std::vector<KernelCase> double_cases() {
  constexpr Comparison kDoubles = Comparison::kDoubles;
  return {
      {"double",
       "double_dot",
       {2, 1, 1},
       {64, 1, 1},
       {doubles(1, 512, -1, 1), doubles(2, 512, -1, 1), output(16)}},
      {"double",
       "double_polynomial",
       {2, 1, 1},
       {64, 1, 1},
       {doubles(3, 128, -2, 2), output(1024)}},
      {"double",
       "double_divide",
       {4, 1, 1},
       {64, 1, 1},
       {any_doubles(4, 256), any_doubles(5, 256), output(2048, kDoubles)}},
      {"double",
       "double_root",
       {4, 1, 1},
       {64, 1, 1},
       {any_doubles(6, 256), output(2048, kDoubles)}},
      {"double",
       "double_round",
       {2, 1, 1},
       {64, 1, 1},
       {doubles(7, 128, -9, 9), output(4096), output(512), output(512)}},
      {"double",
       "double_convert",
       {2, 1, 1},
       {64, 1, 1},
       {any_floats(8, 128), random_bytes(9, 1024), output(4096, kDoubles),
        output(1024, Comparison::kFloats)}},
  };
}

std::vector<KernelCase> half_cases() {
  constexpr Comparison kHalves = Comparison::kHalves;
  constexpr Comparison kFloats = Comparison::kFloats;
  return {
      {"half",
       "half_packed",
       {4, 1, 1},
       {64, 1, 1},
       {any_halves(1, 512), any_halves(2, 512), output(8192, kHalves)}},
      {"half",
       "half_scalar",
       {2, 1, 1},
       {64, 1, 1},
       {halves(3, 128, -90, 90), halves(4, 128, -9, 9), output(2048, kHalves),
        output(1024, kFloats)}},
      {"half",
       "half_divide",
       {2, 1, 1},
       {64, 1, 1},
       {any_halves(5, 128), any_halves(6, 128), output(256, kHalves, 0x1p-10)}},
      {"half",
       "half_dot",
       {1, 1, 1},
       {64, 1, 1},
       {halves(7, 512, -1, 1), halves(8, 512, -1, 1), output(256, kFloats, 1e-5)}},
      {"half",
       "bfloat_axpy",
       {2, 1, 1},
       {64, 1, 1},
       {bfloats(9, 128, -3, 3), in_out(bfloats(10, 128, -3, 3)), floats(11, 1, 0.3, 0.4)}},
      {"half",
       "half_exhaustive",
       {256, 1, 1},
       {256, 1, 1},
       {output(262144, kFloats), output(131072, kHalves), output(262144, kFloats)}},
      {"half",
       "half_narrow",
       {64, 1, 1},
       {256, 1, 1},
       {around_halves(16384), output(32768, kHalves), output(32768)}},
  };
}

std::vector<KernelCase> small_float_cases() {
  constexpr Comparison kFloats = Comparison::kFloats;
  return {
      {"float8",
       "fp8_decode",
       {4, 1, 1},
       {64, 1, 1},
       {output(1024, kFloats), output(1024, kFloats)},
       kOnThoseWithFp8},
      {"float8",
       "fp8_encode",
       {32, 1, 1},
       {64, 1, 1},
       {small_powers(1, 4096), output(4096), output(4096)},
       kOnThoseWithFp8},
      {"float8",
       "fp8_encode",
       {512, 1, 1},
       {64, 1, 1},
       {all_halves(), output(65536), output(65536)},
       kOnThoseWithFp8},
      {"float8",
       "gemv_fp8",
       {1, 1, 1},
       {64, 1, 1},
       {random_bytes(2, 2048), floats(3, 32, -1, 1), output(256, kFloats)},
       kOnThoseWithFp8},
  };
}

std::vector<KernelCase> quantized_cases() {
  return {
      {"quantized",
       "gemv_int4",
       {4, 1, 1},
       {64, 1, 1},
       {random_bytes(1, 512), halves(2, 32, 0.01, 0.1), random_bytes(3, 32), floats(4, 256, -1, 1),
        output(16)}},
      {"quantized",
       "dot_int8",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(5, 2048), random_bytes(6, 2048), output(512), output(512)}},
      {"quantized",
       "gemv_int8",
       {1, 1, 1},
       {64, 1, 1},
       {random_bytes(7, 64 * 20), random_bytes(8, 20), floats(9, 1, 0.01, 0.02), output(256),
        value(20)}},
      {"quantized",
       "quantize_int8",
       {2, 1, 1},
       {64, 1, 1},
       {floats(10, 256, -3, 3), output(512), output(8)}},
  };
}

std::vector<KernelCase> special_cases() {
  constexpr Comparison kFloats = Comparison::kFloats;
  return {
      {"special",
       "special_dots",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(1, 512), random_bytes(2, 512), output(2048), output(512, kFloats, 1e-5)}},
      {"special",
       "special_converts",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(3, 512), floats(4, 128, -300, 300), output(4096, kFloats), output(2048)}},
      {"special",
       "special_middles",
       {2, 1, 1},
       {64, 1, 1},
       {random_bytes(5, 512), random_bytes(6, 512), output(4096)}},
      {"special",
       "special_pairs",
       {2, 1, 1},
       {64, 1, 1},
       {halves(7, 128, -2, 2), random_bytes(8, 128), output(512, Comparison::kHalves),
        output(512)}},
      {"modes",
       "mode_rounding",
       {2, 1, 1},
       {64, 1, 1},
       {any_floats(9, 128), any_floats(10, 128), output(8192, kFloats)}},
  };
}

}  // namespace

std::vector<KernelCase> number_cases() {
  std::vector<KernelCase> cases;
  for (auto* const make : {integer_cases, double_cases, half_cases, small_float_cases,
                           quantized_cases, special_cases}) {
    for (KernelCase& one : make())
      cases.push_back(std::move(one));
  }
  return cases;
}

}  // namespace halyard::emulator::testing
