// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/constant_text.h"

#include "runtime/base/text.h"

#include <array>
#include <charconv>
#include <string_view>

namespace halyard::isa {
namespace {

// The floats that an instruction holds in its source code, with their bits in each size.
struct FloatConstant {
  std::uint32_t code;
  std::string_view text;
  std::string_view text64;
  std::uint16_t bits16;
  std::uint32_t bits32;
  std::uint32_t high_bits64;
};

constexpr std::array kFloatConstants = {
    FloatConstant{240, "0.5", "0.5", 0x3800, 0x3f000000, 0x3fe00000},
    FloatConstant{241, "-0.5", "-0.5", 0xb800, 0xbf000000, 0xbfe00000},
    FloatConstant{242, "1.0", "1.0", 0x3c00, 0x3f800000, 0x3ff00000},
    FloatConstant{243, "-1.0", "-1.0", 0xbc00, 0xbf800000, 0xbff00000},
    FloatConstant{244, "2.0", "2.0", 0x4000, 0x40000000, 0x40000000},
    FloatConstant{245, "-2.0", "-2.0", 0xc000, 0xc0000000, 0xc0000000},
    FloatConstant{246, "4.0", "4.0", 0x4400, 0x40800000, 0x40100000},
    FloatConstant{247, "-4.0", "-4.0", 0xc400, 0xc0800000, 0xc0100000},
    FloatConstant{248, "0.15915494", "0.15915494309189532", 0x3118, 0x3e22f983, 0},
};

constexpr std::uint32_t kFirstInteger = 128;          // 0
constexpr std::uint32_t kFirstNegativeInteger = 193;  // -1
constexpr std::uint32_t kEndOfIntegers = 209;

bool is_short(std::int64_t value) {
  return value >= -16 && value <= 64;
}

}  // namespace

NumberKind number_kind(const DataFormat* format, std::uint32_t bits) {
  NumberKind kind;
  if (format != nullptr) {
    if (format->bits != 0) bits = format->bits;
    if (format->components > 1) bits /= format->components;
    kind.is_float = format->type == "float";
  }
  kind.is_pair = format != nullptr && format->components == 2 && bits == 16;
  kind.bits = bits == 16 ? 16 : bits == 64 ? 64 : 32;
  return kind;
}

std::string hex_text(std::uint64_t value) {
  std::array<char, 18> digits = {'0', 'x'};
  const auto end = std::to_chars(digits.data() + 2, digits.data() + digits.size(), value, 16).ptr;
  return {digits.data(), end};
}

std::string short_or_hex_text(std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  return is_short(number) ? base::concat(number) : hex_text(value);
}

std::optional<std::string> inline_constant_text(std::uint64_t code, NumberKind kind) {
  if (code >= kFirstInteger && code < kFirstNegativeInteger) {
    return base::concat(code - kFirstInteger);
  }
  if (code >= kFirstNegativeInteger && code < kEndOfIntegers) {
    return base::concat('-', code - kFirstNegativeInteger + 1);
  }
  for (const FloatConstant& constant : kFloatConstants) {
    if (constant.code != code) continue;
    // A float has no meaning as a 16-bit integer, so its bits are written.
    if (kind.bits == 16 && !kind.is_float) return hex_text(constant.bits16);
    return std::string(kind.bits == 64 ? constant.text64 : constant.text);
  }
  return std::nullopt;
}

std::string literal_text(std::uint32_t literal, NumberKind kind) {
  if (kind.is_pair) return hex_text(literal);
  const std::uint32_t bits = kind.bits == 16 ? literal & 0xffff : literal;
  if (!(kind.bits == 64 && kind.is_float)) {
    const std::int64_t number =
        kind.bits == 16 ? static_cast<std::int16_t>(literal) : static_cast<std::int32_t>(literal);
    if (is_short(number)) return base::concat(number);
  }
  for (const FloatConstant& constant : kFloatConstants) {
    const bool same = kind.bits == 16   ? kind.is_float && bits == constant.bits16
                      : kind.bits == 64 ? kind.is_float && constant.high_bits64 != 0 &&
                                              bits == constant.high_bits64
                                        : bits == constant.bits32;
    if (same) return std::string(constant.text);
  }
  return hex_text(bits);
}

}  // namespace halyard::isa
