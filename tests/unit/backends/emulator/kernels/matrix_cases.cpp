// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/case_data.h"

namespace halyard::emulator::testing {

namespace {

// Whole numbers, so that no order of additions rounds: the result is the same to the bit.
template <typename T, typename Make>
CaseArgument whole_numbers(std::uint64_t seed, std::size_t count, Make make) {
  Numbers numbers(seed);
  std::vector<T> items(count);
  for (T& item : items)
    item = make(static_cast<double>(static_cast<int>(numbers.next() % 17) - 8));
  return input(items);
}

CaseArgument whole_floats(std::uint64_t seed, std::size_t count) {
  return whole_numbers<float>(seed, count, [](double v) { return static_cast<float>(v); });
}
CaseArgument whole_doubles(std::uint64_t seed, std::size_t count) {
  return whole_numbers<double>(seed, count, [](double v) { return v; });
}
CaseArgument whole_halves(std::uint64_t seed, std::size_t count) {
  return whole_numbers<std::uint16_t>(seed, count, [](double v) { return half_bits(v); });
}
CaseArgument whole_bfloats(std::uint64_t seed, std::size_t count) {
  return whole_numbers<std::uint16_t>(seed, count, [](double v) {
    const auto number = static_cast<float>(v);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &number, 4);
    return static_cast<std::uint16_t>(bits >> 16);
  });
}
// Numbers of either sign between 1/4 and 4, whose products and sums no order rounds.
CaseArgument small_fp8(std::uint64_t seed, std::size_t count) {
  Numbers numbers(seed);
  std::vector<std::uint8_t> items(count);
  for (std::uint8_t& item : items) {
    const std::uint64_t number = numbers.next();
    item = static_cast<std::uint8_t>(0x28 + number % 0x20);
    if ((number >> 40 & 1) != 0) item |= 0x80;
  }
  return input(items);
}

// Numbers of either sign around 1.
CaseArgument small_bf8(std::uint64_t seed, std::size_t count) {
  Numbers numbers(seed);
  std::vector<std::uint8_t> items(count);
  for (std::uint8_t& item : items) {
    const std::uint64_t number = numbers.next();
    item = static_cast<std::uint8_t>(0x38 + number % 0x10);
    if ((number >> 40 & 1) != 0) item |= 0x80;
  }
  return input(items);
}
CaseArgument whole_nibbles(std::uint64_t seed, std::size_t count) {
  return whole_bytes(seed, count, -8, 7);
}
CaseArgument some_halves(std::uint64_t seed, std::size_t count) {
  return halves(seed, count, -1, 1);
}
CaseArgument some_bfloats(std::uint64_t seed, std::size_t count) {
  return bfloats(seed, count, -1, 1);
}
CaseArgument some_floats(std::uint64_t seed, std::size_t count) {
  return floats(seed, count, -1, 1);
}

using Make = CaseArgument (*)(std::uint64_t seed, std::size_t count);

KernelCase product(std::string kernel, unsigned targets, Make left, Make right, Make sum,
                   std::array<std::uint32_t, 3> shape, std::uint32_t lanes) {
  constexpr std::uint32_t kBlocks = 2;
  const auto [m, n, k] = shape;
  return {"matrix",
          std::move(kernel),
          {kBlocks, 1, 1},
          {lanes, 1, 1},
          {left(1, std::size_t{kBlocks} * m * k), right(2, std::size_t{kBlocks} * k * n),
           in_out(sum(3, std::size_t{kBlocks} * m * n))},
          targets};
}

CaseArgument any_bytes(std::uint64_t seed, std::size_t count) {
  return random_bytes(seed, count);
}
CaseArgument any_words(std::uint64_t seed, std::size_t count) {
  return random_bytes(seed, count * 4);
}

}  // namespace

std::vector<KernelCase> matrix_cases() {
  constexpr unsigned kRdna = kOnGfx11 | kOnGfx12;
  constexpr std::array<std::uint32_t, 3> kSquare = {16, 16, 16};
  const auto wmma = [&](const char* name, unsigned targets, Make a, Make b, Make d) {
    return product(name, targets, a, b, d, kSquare, 32);
  };
  const auto mfma = [](const char* name, Make a, Make b, Make d, std::uint32_t m, std::uint32_t k) {
    return product(name, kOnGfx9, a, b, d, {m, m, k}, 64);
  };
  // Sums of numbers that round; in which order is not said.
  const auto rounding = [](KernelCase test) {
    test.arguments[2].comparison = Comparison::kFloats;
    test.arguments[2].tolerance = 1e-5;
    return test;
  };
  KernelCase small = mfma("mfma_half_4", whole_halves, whole_halves, whole_floats, 4, 4);
  // Sixteen blocks a workgroup.
  small.arguments = {whole_halves(1, 512), whole_halves(2, 512), in_out(whole_floats(3, 512))};
  return {
      wmma("wmma_half", kRdna, whole_halves, whole_halves, whole_floats),
      wmma("wmma_bfloat", kRdna, whole_bfloats, whole_bfloats, whole_floats),
      wmma("wmma_signed_bytes", kRdna, any_bytes, any_bytes, any_words),
      wmma("wmma_mixed_bytes", kRdna, any_bytes, any_bytes, any_words),
      wmma("wmma_half_half", kRdna, whole_halves, whole_halves, whole_halves),
      wmma("wmma_nibbles", kRdna, whole_nibbles, whole_nibbles, any_words),
      wmma("wmma_fp8", kOnGfx12, small_fp8, small_fp8, whole_floats),
      wmma("wmma_fp8_bf8", kOnGfx12, small_fp8, small_bf8, whole_floats),
      wmma("wmma_bf8_fp8", kOnGfx12, small_bf8, small_fp8, whole_floats),
      wmma("wmma_bf8", kOnGfx12, small_bf8, small_bf8, whole_floats),
      rounding(wmma("wmma_half", kRdna, some_halves, some_halves, some_floats)),
      rounding(wmma("wmma_bfloat", kRdna, some_bfloats, some_bfloats, some_floats)),
      rounding(mfma("mfma_half_32", some_halves, some_halves, some_floats, 32, 8)),
      rounding(mfma("mfma_bfloat_16", some_bfloats, some_bfloats, some_floats, 16, 16)),
      rounding(mfma("mfma_float_16", some_floats, some_floats, some_floats, 16, 4)),
      mfma("mfma_fp8_bf8_16", small_fp8, small_bf8, whole_floats, 16, 32),
      mfma("mfma_bf8_fp8_16", small_bf8, small_fp8, whole_floats, 16, 32),
      mfma("mfma_bf8_32", small_bf8, small_bf8, whole_floats, 32, 16),
      mfma("mfma_half_16", whole_halves, whole_halves, whole_floats, 16, 16),
      mfma("mfma_half_32", whole_halves, whole_halves, whole_floats, 32, 8),
      mfma("mfma_bfloat_16", whole_bfloats, whole_bfloats, whole_floats, 16, 16),
      mfma("mfma_bfloat_32", whole_bfloats, whole_bfloats, whole_floats, 32, 8),
      mfma("mfma_float_16", whole_floats, whole_floats, whole_floats, 16, 4),
      mfma("mfma_float_32", whole_floats, whole_floats, whole_floats, 32, 2),
      mfma("mfma_xfloat_16", whole_floats, whole_floats, whole_floats, 16, 8),
      mfma("mfma_xfloat_32", whole_floats, whole_floats, whole_floats, 32, 4),
      mfma("mfma_bytes_16", any_bytes, any_bytes, any_words, 16, 32),
      mfma("mfma_bytes_32", any_bytes, any_bytes, any_words, 32, 16),
      mfma("mfma_fp8_16", small_fp8, small_fp8, whole_floats, 16, 32),
      mfma("mfma_fp8_32", small_fp8, small_fp8, whole_floats, 32, 16),
      mfma("mfma_double", whole_doubles, whole_doubles, whole_doubles, 16, 4),
      std::move(small),
  };
}

}  // namespace halyard::emulator::testing
