// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/kernels/kernel_comparison.h"

#include "tests/unit/backends/emulator/kernels/case_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace halyard::emulator::testing {

namespace {

std::size_t item_bytes(Comparison comparison) {
  switch (comparison) {
    case Comparison::kDoubles:
      return 8;
    case Comparison::kHalves:
      return 2;
    default:
      return 4;
  }
}

double number_of(std::uint64_t bits, Comparison comparison) {
  switch (comparison) {
    case Comparison::kFloats:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Comparison::kHalves:
      return half_value(static_cast<std::uint16_t>(bits));
    case Comparison::kDoubles:
      return std::bit_cast<double>(bits);
    case Comparison::kBits:
      break;
  }
  return 0;
}

bool is_same(const CaseArgument& argument, std::uint64_t found, std::uint64_t expected) {
  if (found == expected) return true;
  if (argument.comparison == Comparison::kBits) return false;
  const double a = number_of(found, argument.comparison);
  const double b = number_of(expected, argument.comparison);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (argument.tolerance == 0) return false;
  return std::fabs(a - b) <= argument.tolerance * std::max(1.0, std::fabs(b));
}

}  // namespace

std::string difference(const CaseArgument& argument, std::span<const std::byte> found,
                       std::span<const std::byte> expected) {
  const std::size_t bytes = item_bytes(argument.comparison);
  std::size_t count = 0;
  std::ostringstream first;
  for (std::size_t at = 0; at < expected.size(); at += bytes) {
    const std::size_t size = std::min(bytes, expected.size() - at);
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, &found[at], size);
    std::memcpy(&b, &expected[at], size);
    if (is_same(argument, a, b)) continue;
    if (count++ != 0) continue;
    first << "item " << at / bytes << " is 0x" << std::hex << a << " and not 0x" << b << std::dec;
    if (argument.comparison != Comparison::kBits) {
      first << " (" << number_of(a, argument.comparison) << ", "
            << number_of(b, argument.comparison) << ")";
    }
  }
  if (count == 0) return "";
  first << "; " << count << " of " << (expected.size() + bytes - 1) / bytes << " differ.";
  return first.str();
}

}  // namespace halyard::emulator::testing
