// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/bit_definedness.h"

namespace halyard::emulator {
namespace {

std::uint64_t undefined_and(const Bits& a, const Bits& b) {
  return (a.undefined | b.undefined) & ~(a.known_zeros() | b.known_zeros());
}

std::uint64_t undefined_or(const Bits& a, const Bits& b) {
  return (a.undefined | b.undefined) & ~(a.known_ones() | b.known_ones());
}

Bits inverted(const Bits& a) {
  return {~a.value, a.undefined};
}

std::uint64_t low_bits(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::uint64_t shifted_right(std::uint64_t undefined, unsigned by, unsigned width, bool is_signed) {
  std::uint64_t result = undefined >> by;
  const bool sign_undefined = (undefined >> (width - 1) & 1) != 0;
  if (is_signed && sign_undefined) result |= low_bits(width) & ~low_bits(width - by);
  return result;
}

std::uint64_t extracted(const std::array<Bits, 3>& source, bool is_signed) {
  if (((source[1].undefined | source[2].undefined) & 31) != 0) return ~std::uint64_t{0};
  const unsigned from = source[1].value & 31;
  const unsigned count = source[2].value & 31;
  if (count == 0) return 0;
  std::uint64_t result = (source[0].undefined & 0xffffffff) >> from & low_bits(count);
  if (is_signed && (result >> (count - 1) & 1) != 0) result |= ~low_bits(count);
  return result;
}

std::uint64_t inserted(const Bits& mask, const Bits& ones, const Bits& zeros) {
  const std::uint64_t chosen =
      (mask.known_ones() & ones.undefined) | (mask.known_zeros() & zeros.undefined);
  const std::uint64_t alike =
      (ones.known_ones() & zeros.known_ones()) | (ones.known_zeros() & zeros.known_zeros());
  return chosen | (mask.undefined & ~alike);
}

// v_perm_b32: bytes 0 to 3 are of source[1], 4 to 7 of source[0], 8 to 11 sign bits, then
// constants.
std::uint64_t permuted(const std::array<Bits, 3>& source) {
  const std::uint64_t both = (source[1].undefined & 0xffffffff) | (source[0].undefined & 0xffffffff)
                                                                      << 32;
  std::uint64_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const std::uint64_t selection = source[2].value >> 8 * byte & 0xff;
    std::uint64_t undefined = 0;
    if ((source[2].undefined >> 8 * byte & 0xff) != 0) {
      undefined = 0xff;
    } else if (selection < 8) {
      undefined = both >> 8 * selection & 0xff;
    } else if (selection < 12) {
      undefined = (both >> (16 * (selection - 8) + 15) & 1) != 0 ? 0xff : 0;
    }
    result |= undefined << 8 * byte;
  }
  return result;
}

std::uint64_t aligned(const std::array<Bits, 3>& source, unsigned unit) {
  const unsigned amounts = unit == 1 ? 31 : 3;
  if ((source[2].undefined & amounts) != 0) return ~std::uint64_t{0};
  const std::uint64_t both = (source[1].undefined & 0xffffffff) | (source[0].undefined & 0xffffffff)
                                                                      << 32;
  return both >> (source[2].value & amounts) * unit;
}

std::uint64_t reversed(std::uint64_t undefined, unsigned width) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < width; ++bit)
    result |= (undefined >> bit & 1) << (width - 1 - bit);
  return result;
}

std::uint64_t shifted(DefinednessRule rule, const std::array<Bits, 3>& source, unsigned width) {
  const unsigned amounts = width - 1;
  if ((source[0].undefined & amounts) != 0) return ~std::uint64_t{0};
  const auto by = static_cast<unsigned>(source[0].value & amounts);
  const std::uint64_t undefined = source[1].undefined & low_bits(width);
  if (rule == DefinednessRule::kShiftLeft) return undefined << by;
  return shifted_right(undefined, by, width, rule == DefinednessRule::kShiftArithmetic);
}

// All bits from the lowest undefined one on.
std::uint64_t from_lowest(std::uint64_t undefined) {
  return ~(undefined & (~undefined + 1)) + 1;
}

std::uint64_t undefined_unmasked(DefinednessRule rule, const std::array<Bits, 3>& source,
                                 unsigned width) {
  const Bits& a = source[0];
  const Bits& b = source[1];
  const Bits& c = source[2];
  switch (rule) {
    case DefinednessRule::kMove:
      return a.undefined;
    case DefinednessRule::kAnd:
      return undefined_and(a, b);
    case DefinednessRule::kAndNot:
      return undefined_and(a, inverted(b));
    case DefinednessRule::kNotAnd:
      return undefined_and(inverted(a), b);
    case DefinednessRule::kOr:
      return undefined_or(a, b);
    case DefinednessRule::kOrNot:
      return undefined_or(a, inverted(b));
    case DefinednessRule::kNotOr:
      return undefined_or(inverted(a), b);
    case DefinednessRule::kXor:
      return a.undefined | b.undefined;
    case DefinednessRule::kXor3:
      return a.undefined | b.undefined | c.undefined;
    case DefinednessRule::kShiftLeft:
    case DefinednessRule::kShiftRight:
    case DefinednessRule::kShiftArithmetic:
      return shifted(rule, source, width);
    case DefinednessRule::kExtractUnsigned:
    case DefinednessRule::kExtractSigned:
      return extracted(source, rule == DefinednessRule::kExtractSigned);
    case DefinednessRule::kInsert:
      return inserted(a, b, c);
    case DefinednessRule::kAndOr:
      return undefined_or({a.value & b.value, undefined_and(a, b)}, c);
    case DefinednessRule::kOr3:
      return undefined_or({a.value | b.value, undefined_or(a, b)}, c);
    case DefinednessRule::kShiftOr: {
      if ((b.undefined & 31) != 0) return ~std::uint64_t{0};
      const unsigned by = b.value & 31;
      return undefined_or({a.value << by, a.undefined << by}, c);
    }
    case DefinednessRule::kPermute:
      return permuted(source);
    case DefinednessRule::kAlignBit:
      return aligned(source, 1);
    case DefinednessRule::kAlignByte:
      return aligned(source, 8);
    case DefinednessRule::kCarry:
      return from_lowest(a.undefined | b.undefined | c.undefined);
    case DefinednessRule::kShiftAdd:
      if ((b.undefined & 63) != 0) return ~std::uint64_t{0};
      return from_lowest(a.undefined << (b.value & (width - 1)) | c.undefined);
    case DefinednessRule::kReverse:
      return reversed(a.undefined, width);
    case DefinednessRule::kPackHalves:
      return (a.undefined & 0xffff) | (b.undefined & 0xffff) << 16;
    case DefinednessRule::kConvertHalves:
      return (a.undefined != 0 ? 0xffffU : 0U) | (b.undefined != 0 ? 0xffff0000U : 0U);
    default:
      return (a.undefined | b.undefined | c.undefined) != 0 ? ~std::uint64_t{0} : 0;
  }
}

}  // namespace

std::uint64_t undefined_bits(DefinednessRule rule, const std::array<Bits, 3>& source,
                             unsigned width) {
  return undefined_unmasked(rule, source, width) & low_bits(width);
}

}  // namespace halyard::emulator
