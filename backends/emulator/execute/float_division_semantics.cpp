// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <cmath>
#include <type_traits>

namespace halyard::emulator {
namespace {

using namespace lanes;

// The numbers that the steps of a division depend on.
struct SingleDivision {
  using Bits = std::uint32_t;
  using Float = float;
  static constexpr int kMantissaBits = 23;
  static constexpr int kExponentMask = 0xff;
  static constexpr int kScale = 64;  // powers of two
  static constexpr int kFar = 96;    // exponents apart that overflow, or underflow, on the way
  static constexpr int kUnderflow = -96;
  static constexpr int kLeast = 23;  // of a numerator that is scaled
  static constexpr int kDwords = 1;
};
struct DoubleDivision {
  using Bits = std::uint64_t;
  using Float = double;
  static constexpr int kMantissaBits = 52;
  static constexpr int kExponentMask = 0x7ff;
  static constexpr int kScale = 128;
  static constexpr int kFar = 768;
  static constexpr int kUnderflow = -1022;
  static constexpr int kLeast = 53;
  static constexpr int kDwords = 2;
};

template <class D>
constexpr typename D::Bits kSignBit = typename D::Bits{1} << (8 * sizeof(typename D::Bits) - 1);
template <class D>
constexpr typename D::Bits kInfinity = typename D::Bits{D::kExponentMask} << D::kMantissaBits;
template <class D>
constexpr typename D::Bits kQuietBit = typename D::Bits{1} << (D::kMantissaBits - 1);
template <class D>
constexpr typename D::Bits kInvalid = kSignBit<D> | kInfinity<D> | kQuietBit<D>;

template <class D>
int exponent_field(typename D::Bits bits) {
  return static_cast<int>(bits >> D::kMantissaBits) & D::kExponentMask;
}
template <class D>
bool is_nan_bits(typename D::Bits bits) {
  return (bits & ~kSignBit<D>) > kInfinity<D>;
}
template <class D>
typename D::Bits times_power(typename D::Bits bits, int power) {
  using Bits = typename D::Bits;
  if (exponent_field<D>(bits) == D::kExponentMask) return bits;
  return std::bit_cast<Bits>(std::ldexp(std::bit_cast<typename D::Float>(bits), power));
}

// What is divided, the denominator and the numerator; whether v_div_fmas is to scale back.
template <class D>
typename D::Bits div_scale(typename D::Bits value, typename D::Bits denominator,
                           typename D::Bits numerator, bool& scales_back) {
  const int apart = exponent_field<D>(numerator) - exponent_field<D>(denominator);
  const int denominator_exponent = exponent_field<D>(denominator);
  const bool is_denominator = value == denominator;
  scales_back = apart >= D::kFar || apart <= D::kUnderflow;
  if ((denominator & ~kSignBit<D>) == 0 || (numerator & ~kSignBit<D>) == 0) return kInvalid<D>;
  if (apart >= D::kFar) return is_denominator ? times_power<D>(value, D::kScale) : value;
  if (denominator_exponent == 0) return times_power<D>(value, D::kScale);
  // Beyond the greatest power of two whose reciprocal is normal.
  const auto limit = typename D::Bits{D::kExponentMask - 2} << D::kMantissaBits;
  if ((denominator & ~kSignBit<D>) > limit) {
    if (scales_back && !is_denominator) return value;
    return times_power<D>(value, -D::kScale);
  }
  if (apart <= D::kUnderflow) return is_denominator ? value : times_power<D>(value, D::kScale);
  if (exponent_field<D>(numerator) <= D::kLeast) return times_power<D>(value, D::kScale);
  return value;
}

// Exact cases of a division, and the sign.
template <class D>
typename D::Bits div_fixup(typename D::Bits quotient, typename D::Bits denominator,
                           typename D::Bits numerator) {
  using Bits = typename D::Bits;
  const Bits sign = (denominator ^ numerator) & kSignBit<D>;
  const Bits d = denominator & ~kSignBit<D>;
  const Bits n = numerator & ~kSignBit<D>;
  if (n > kInfinity<D>) return numerator | kQuietBit<D>;
  if (d > kInfinity<D>) return denominator | kQuietBit<D>;
  if ((d == 0 && n == 0) || (d == kInfinity<D> && n == kInfinity<D>)) return kInvalid<D>;
  if (d == 0 || n == kInfinity<D>) return sign | kInfinity<D>;
  if (d == kInfinity<D> || n == 0) return sign;
  const int apart = exponent_field<D>(n) - exponent_field<D>(d);
  constexpr int kUnderflow = std::is_same_v<D, SingleDivision> ? -150 : -1075;
  if (apart < kUnderflow) return sign;
  if (is_nan_bits<D>(quotient)) return sign | kInfinity<D>;
  return sign | (quotient & ~kSignBit<D>);
}

// A * B + C, scaled back and rounded once where the lane says so.
float div_fmas(float a, float b, float c, bool scales_back) {
  if (!scales_back) return std::fma(a, b, c);
  const double product = double{a} * double{b};
  double sum = product + double{c};
  const double other = sum - product;
  const double lost = (product - (sum - other)) + (double{c} - other);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  if (lost != 0 && (bits & 1) == 0) {  // to odd, so that the second rounding is the only one
    bits = (lost > 0) == (sum > 0) ? bits + 1 : bits - 1;
    sum = std::bit_cast<double>(bits);
  }
  const bool is_large = exponent_field<SingleDivision>(std::bit_cast<std::uint32_t>(c)) > 127;
  return static_cast<float>(std::ldexp(sum, is_large ? 64 : -64));
}
double div_fmas(double a, double b, double c, bool scales_back) {
  const double sum = std::fma(a, b, c);
  if (!scales_back) return sum;
  const bool is_large = exponent_field<DoubleDivision>(std::bit_cast<std::uint64_t>(c)) > 1023;
  return std::ldexp(sum, is_large ? 128 : -128);
}

template <class D>
typename D::Bits div_fmas_bits(typename D::Bits a, typename D::Bits b, typename D::Bits c,
                               bool scales_back) {
  using Float = typename D::Float;
  if (is_nan_bits<D>(a)) return a | kQuietBit<D>;
  if (is_nan_bits<D>(b)) return b | kQuietBit<D>;
  const Float product = std::bit_cast<Float>(a) * std::bit_cast<Float>(b);
  if (std::isnan(product)) return kInvalid<D>;
  if (is_nan_bits<D>(c)) return c | kQuietBit<D>;
  const Float result = div_fmas(std::bit_cast<Float>(a), std::bit_cast<Float>(b),
                                std::bit_cast<Float>(c), scales_back);
  return std::isnan(result) ? kInvalid<D> : std::bit_cast<typename D::Bits>(result);
}

enum class Step : std::uint8_t { kScale, kFmas, kFixup };

template <class D, Step kStep>
void run_division(Wave& wave, const Operation& operation) {
  using Bits = typename D::Bits;
  const WideSources<3> sources(wave, operation, {D::kDwords, D::kDwords, D::kDwords});
  const std::uint64_t vcc = wave.mask(kVccIndex);
  const std::uint64_t exec = wave.exec();
  std::uint64_t mask = 0;
  const FloatMode mode = wave.mode;
  const bool is_single = std::is_same_v<D, SingleDivision>;
  const FloatModeScope scope(is_single ? mode.round_single : mode.round_other,
                             kStep == Step::kFmas
                                 ? (is_single ? mode.denormals_single : mode.denormals_other)
                                 : std::uint8_t{3});
  for (std::uint32_t first = 0; first < wave.lanes; first += 4) {
    const U64 source[3] = {sources.block(0, first), sources.block(1, first),
                           sources.block(2, first)};
    U64 result{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      Bits x[3];
      for (int k = 0; k < 3; ++k) {
        x[k] = static_cast<Bits>(source[k][i]);
        if (operation.absolute >> k & 1) x[k] &= ~kSignBit<D>;
        if (operation.negate >> k & 1) x[k] ^= kSignBit<D>;
      }
      if constexpr (kStep == Step::kScale) {
        bool scales_back = false;
        result[i] = div_scale<D>(x[0], x[1], x[2], scales_back);
        mask |= std::uint64_t{scales_back} << (first + i);
      } else if constexpr (kStep == Step::kFmas) {
        result[i] = div_fmas_bits<D>(x[0], x[1], x[2], (vcc >> (first + i) & 1) != 0);
      } else {
        result[i] = div_fixup<D>(x[0], x[1], x[2]);
      }
    }
    write_wide(wave, operation.destination[0], D::kDwords, first, result, exec >> first & 15);
  }
  if (kStep == Step::kScale && operation.destination[1].is_scalar()) {
    wave.set_mask(operation.destination[1].index, mask & exec);
  }
}
template <class D, Step kStep>
Handler division(const Operation& operation, const SemanticContext&) {
  const bool complete =
      has_vector_form(operation, 3) && operation.output_modifier == 0 && !operation.clamp;
  return complete ? &run_division<D, kStep> : nullptr;
}

// Of halves there is only the last step.
void run_fixup_f16(Wave& wave, const Operation& operation) {
  const Sources<3> sources(wave, operation);
  const SourceSigns<SingleFormat, 3> signs(operation, 0, 0x8000u);
  write_half_row(wave, operation, false, [&](std::uint32_t lane) {
    U32 x[3];
    for (int i = 0; i < 3; ++i) {
      x[i] = signs.apply(half_of(sources.block(i, lane), operation, i), i);
    }
    U32 result{};
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t sign = (x[1][i] ^ x[2][i]) & 0x8000u;
      const std::uint32_t d = x[1][i] & 0x7fffu;
      const std::uint32_t n = x[2][i] & 0x7fffu;
      if (n > 0x7c00u) {
        result[i] = x[2][i] | 0x200u;
      } else if (d > 0x7c00u) {
        result[i] = x[1][i] | 0x200u;
      } else if ((d == 0 && n == 0) || (d == 0x7c00u && n == 0x7c00u)) {
        result[i] = 0xfe00u;
      } else if (d == 0 || n == 0x7c00u) {
        result[i] = sign | 0x7c00u;
      } else if (d == 0x7c00u || n == 0) {
        result[i] = sign;
      } else {
        result[i] = sign | (x[0][i] & 0x7fffu);
      }
    }
    return result;
  });
}
Handler fixup_f16(const Operation& operation, const SemanticContext&) {
  const bool complete =
      has_vector_form(operation, 3) && operation.output_modifier == 0 && !operation.clamp;
  return complete ? &run_fixup_f16 : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_DIV_SCALE_F32", division<SingleDivision, Step::kScale>},
    {"V_DIV_FMAS_F32", division<SingleDivision, Step::kFmas>},
    {"V_DIV_FIXUP_F32", division<SingleDivision, Step::kFixup>},
    {"V_DIV_SCALE_F64", division<DoubleDivision, Step::kScale>},
    {"V_DIV_FMAS_F64", division<DoubleDivision, Step::kFmas>},
    {"V_DIV_FIXUP_F64", division<DoubleDivision, Step::kFixup>},
    {"V_DIV_FIXUP_F16", fixup_f16},
};

}  // namespace

std::span<const Semantic> float_division_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
