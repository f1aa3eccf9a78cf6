// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/float_formats.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace halyard::base {
namespace {

constexpr int kDoubleFraction = 52;
constexpr int kDoubleBias = 1023;

struct FloatFormat {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t sign() const { return 1U << (exponent_bits + fraction_bits); }
  // The first pattern past the finite values, without sign.
  constexpr std::uint32_t past_finite() const {
    const std::uint32_t all_exponents = ((1U << exponent_bits) - 1U) << fraction_bits;
    return has_infinity ? all_exponents : (sign() - 1U);
  }
  constexpr std::uint32_t quiet_nan() const {
    return has_infinity ? past_finite() | (1U << (fraction_bits - 1)) : past_finite();
  }
};

constexpr FloatFormat kF16 = {5, 10, true};
constexpr FloatFormat kBf16 = {8, 7, true};
constexpr FloatFormat kE4m3 = {4, 3, false};
constexpr FloatFormat kE5m2 = {5, 2, true};

std::uint64_t shift_right_to_even(std::uint64_t value, int shift) {
  if (shift >= 64) return 0;
  const std::uint64_t kept = value >> shift;
  const std::uint64_t lost = value & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  return kept + (lost > half || (lost == half && (kept & 1) != 0) ? 1 : 0);
}

template <FloatFormat format>
std::uint32_t narrow(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint32_t sign = (bits >> 63) != 0 ? format.sign() : 0;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kDoubleFraction) - 1);
  const int exponent = static_cast<int>((bits >> kDoubleFraction) & 0x7ff);
  constexpr int kDropped = kDoubleFraction - format.fraction_bits;
  if (exponent == 0x7ff) {
    if (fraction == 0) return sign | format.past_finite();
    const auto payload = format.has_infinity ? static_cast<std::uint32_t>(fraction >> kDropped) : 0;
    return sign | format.quiet_nan() | payload;
  }
  // A subnormal double is far below half of the smallest value of every narrow format.
  if (exponent == 0) return sign;
  const int biased = exponent - kDoubleBias + format.bias();
  const std::uint64_t significand = fraction | (std::uint64_t{1} << kDoubleFraction);
  std::uint64_t magnitude = 0;
  if (biased >= 1) {
    // The hidden bit of the significand adds one to the exponent field.
    magnitude = (static_cast<std::uint64_t>(biased - 1) << format.fraction_bits) +
                shift_right_to_even(significand, kDropped);
  } else {
    magnitude = shift_right_to_even(significand, kDropped + 1 - biased);
  }
  if (magnitude >= format.past_finite()) return sign | format.past_finite();
  return sign | static_cast<std::uint32_t>(magnitude);
}

template <FloatFormat format>
double widen(std::uint32_t bits) {
  const std::uint64_t sign = (bits & format.sign()) != 0 ? std::uint64_t{1} << 63 : 0;
  const std::uint32_t magnitude = bits & (format.sign() - 1);
  constexpr int kAdded = kDoubleFraction - format.fraction_bits;
  if (magnitude >= format.past_finite()) {
    constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << kDoubleFraction;
    constexpr std::uint64_t kNan = kInfinity | (std::uint64_t{1} << (kDoubleFraction - 1));
    if (!format.has_infinity) return std::bit_cast<double>(sign | kNan);
    const std::uint64_t fraction = magnitude - format.past_finite();
    return std::bit_cast<double>(sign | kInfinity | (fraction << kAdded));
  }
  const int exponent = static_cast<int>(magnitude >> format.fraction_bits);
  if (exponent == 0) {
    const double value = std::ldexp(magnitude, 1 - format.bias() - format.fraction_bits);
    return sign != 0 ? -value : value;
  }
  const int wide_exponent = exponent - format.bias() + kDoubleBias;
  const auto exponent_bits = static_cast<std::uint64_t>(wide_exponent) << kDoubleFraction;
  const std::uint64_t fraction = magnitude & ((1U << format.fraction_bits) - 1U);
  return std::bit_cast<double>(sign | exponent_bits | (fraction << kAdded));
}

template <typename T>
T load(const void* source) {
  T value;
  std::memcpy(&value, source, sizeof value);
  return value;
}

template <typename T>
void store(T value, void* target) {
  std::memcpy(target, &value, sizeof value);
}

template <typename Integer>
Integer saturate(double value) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  // The first value past the maximum is a power of two, so exact; the maximum itself may not be.
  const double past = std::ldexp(1.0, Limits::digits);
  if (rounded >= past) return Limits::max();
  if (rounded <= static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<Integer>(rounded);
}

}  // namespace

std::uint16_t f16_from_double(double value) {
  return static_cast<std::uint16_t>(narrow<kF16>(value));
}
double f16_to_double(std::uint16_t bits) {
  return widen<kF16>(bits);
}
std::uint16_t f16_from_float(float value) {
  return f16_from_double(value);
}
float f16_to_float(std::uint16_t bits) {
  return static_cast<float>(f16_to_double(bits));
}

std::uint16_t bf16_from_double(double value) {
  return static_cast<std::uint16_t>(narrow<kBf16>(value));
}
double bf16_to_double(std::uint16_t bits) {
  return widen<kBf16>(bits);
}

std::uint16_t bf16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

float bf16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint8_t fp8_e4m3_from_double(double value) {
  return static_cast<std::uint8_t>(narrow<kE4m3>(value));
}
double fp8_e4m3_to_double(std::uint8_t bits) {
  return widen<kE4m3>(bits);
}
std::uint8_t fp8_e5m2_from_double(double value) {
  return static_cast<std::uint8_t>(narrow<kE5m2>(value));
}
double fp8_e5m2_to_double(std::uint8_t bits) {
  return widen<kE5m2>(bits);
}

double load_as_double(DataType type, const void* source) {
  switch (type) {
    case DataType::kF64:
      return load<double>(source);
    case DataType::kF32:
      return load<float>(source);
    case DataType::kF16:
      return f16_to_double(load<std::uint16_t>(source));
    case DataType::kBf16:
      return bf16_to_double(load<std::uint16_t>(source));
    case DataType::kI64:
      return static_cast<double>(load<std::int64_t>(source));
    case DataType::kI32:
      return load<std::int32_t>(source);
    case DataType::kI16:
      return load<std::int16_t>(source);
    case DataType::kI8:
      return load<std::int8_t>(source);
    case DataType::kU32:
      return load<std::uint32_t>(source);
    case DataType::kU8:
      return load<std::uint8_t>(source);
    case DataType::kU64:
      return static_cast<double>(load<std::uint64_t>(source));
    case DataType::kFp8E4m3:
      return fp8_e4m3_to_double(load<std::uint8_t>(source));
    case DataType::kFp8E5m2:
      return fp8_e5m2_to_double(load<std::uint8_t>(source));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

void store_from_double(DataType type, double value, void* target) {
  switch (type) {
    case DataType::kF64:
      return store(value, target);
    case DataType::kF32:
      return store(static_cast<float>(value), target);
    case DataType::kF16:
      return store(f16_from_double(value), target);
    case DataType::kBf16:
      return store(bf16_from_double(value), target);
    case DataType::kI64:
      return store(saturate<std::int64_t>(value), target);
    case DataType::kI32:
      return store(saturate<std::int32_t>(value), target);
    case DataType::kI16:
      return store(saturate<std::int16_t>(value), target);
    case DataType::kI8:
      return store(saturate<std::int8_t>(value), target);
    case DataType::kU32:
      return store(saturate<std::uint32_t>(value), target);
    case DataType::kU8:
      return store(saturate<std::uint8_t>(value), target);
    case DataType::kU64:
      return store(saturate<std::uint64_t>(value), target);
    case DataType::kFp8E4m3:
      return store(fp8_e4m3_from_double(value), target);
    case DataType::kFp8E5m2:
      return store(fp8_e5m2_from_double(value), target);
  }
}

}  // namespace halyard::base
