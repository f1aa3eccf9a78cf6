// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/execute/lane_vectors.h"

#include <bit>
#include <cstdint>

// Arithmetic on blocks of floats, with the NaNs that the hardware gives: the first NaN among the
// sources, made quiet; of an operation that is invalid by itself 0xffc00000.
namespace halyard::emulator::lanes {

inline constexpr std::uint32_t kSign32 = 0x80000000u;
inline constexpr std::uint32_t kQuiet32 = 0x00400000u;
inline constexpr std::uint32_t kDefaultNan32 = 0xffc00000u;
inline constexpr std::uint64_t kSign64 = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kQuiet64 = std::uint64_t{1} << 51;
inline constexpr std::uint64_t kDefaultNan64 = 0xfff8000000000000u;

// The vectors of a format and its constants.
struct SingleFormat {
  using Float = F32;
  using Bits = U32;
  static constexpr std::uint32_t kSign = kSign32;
  static constexpr std::uint32_t kQuiet = kQuiet32;
  static constexpr std::uint32_t kDefaultNan = kDefaultNan32;
  static constexpr std::uint32_t kInfinity = 0x7f800000u;
  static constexpr std::uint32_t kLeastNormal = 0x00800000u;
  static Float fma(Float a, Float b, Float c) {
    return (F32)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
  }
};
struct DoubleFormat {
  using Float = F64;
  using Bits = U64;
  static constexpr std::uint64_t kSign = kSign64;
  static constexpr std::uint64_t kQuiet = kQuiet64;
  static constexpr std::uint64_t kDefaultNan = kDefaultNan64;
  static constexpr std::uint64_t kInfinity = 0x7ff0000000000000u;
  static constexpr std::uint64_t kLeastNormal = 0x0010000000000000u;
  static Float fma(Float a, Float b, Float c) {
    return (F64)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
  }
};

template <class Float>
struct FormatOf;
template <>
struct FormatOf<F32> {
  using Type = SingleFormat;
};
template <>
struct FormatOf<F64> {
  using Type = DoubleFormat;
};

template <class Format>
inline typename Format::Bits everywhere(decltype(Format::kSign) value) {
  return typename Format::Bits{} + value;
}

// Which NaN results.
enum class NanRule : std::uint8_t {
  kOwn,          // the function sees to it
  kFirst,        // the first of the sources; else the default one
  kMultiplyAdd,  // as kFirst, but an infinity times zero goes before the third source
};

template <NanRule kRule, class Format, int kCount, class Float = typename Format::Float>
[[gnu::noinline]] Float repair_nan(Float result, Float a, Float b, Float c) {
  using Bits = typename Format::Bits;
  const Bits quiet = everywhere<Format>(Format::kQuiet);
  Bits chosen = everywhere<Format>(Format::kDefaultNan);
  if constexpr (kCount == 3) {
    Bits invalid{};
    if constexpr (kRule == NanRule::kMultiplyAdd) invalid = is_nan(a * b);
    chosen = select(is_nan(c) & ~invalid, (Bits)c | quiet, chosen);
  }
  if constexpr (kCount >= 2) chosen = select(is_nan(b), (Bits)b | quiet, chosen);
  chosen = select(is_nan(a), (Bits)a | quiet, chosen);
  return (Float)select(is_nan(result), chosen, (Bits)result);
}

// As doubles, to floats whose last bit says whether something was lost (round to odd): a second
// rounding to at most 22 bits is then the only one. Results are within the normal floats, or NaN.
inline F32 narrow_odd(F64 low, F64 high) {
  const auto odd = [](F64 value) {
    const U64 bits = (U64)value;
    const U64 lost = bits & 0x1fffffffu;
    const U64 sticky = (U64)(lost != 0u) & 0x20000000u;
    return _mm256_cvtpd_ps((__m256d)((bits & ~std::uint64_t{0x1fffffffu}) | sticky));
  };
  return (F32)_mm256_set_m128(odd(high), odd(low));
}
inline F64 low_half_as_doubles(F32 value) {
  return (F64)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)value));
}
inline F64 high_half_as_doubles(F32 value) {
  return (F64)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)value, 1));
}

// Of halves that were widened: exact but for the last bit, which is sticky.
inline F32 multiply_add_odd(F32 a, F32 b, F32 c) {
  return narrow_odd(
      DoubleFormat::fma(low_half_as_doubles(a), low_half_as_doubles(b), low_half_as_doubles(c)),
      DoubleFormat::fma(high_half_as_doubles(a), high_half_as_doubles(b), high_half_as_doubles(c)));
}

inline float narrow_odd(double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sticky = (bits & 0x1fffffffu) != 0 ? 0x20000000u : 0;
  return static_cast<float>(std::bit_cast<double>((bits & ~std::uint64_t{0x1fffffffu}) | sticky));
}

// Denormals to a zero of their sign.
template <class Float>
inline Float flushed(Float x) {
  using Format = typename FormatOf<Float>::Type;
  using Bits = typename Format::Bits;
  const Bits bits = (Bits)x;
  return (Float)(bits & (Format::kSign | (Bits)((bits & Format::kInfinity) != 0)));
}

// Minimum and maximum; -0 is less than +0.
template <bool kMax, class Float>
inline Float pick_number(Float a, Float b) {
  using Format = typename FormatOf<Float>::Type;
  using Bits = typename Format::Bits;
  const Bits zeros = (Bits)(a == b);
  const Bits alike = kMax ? (Bits)a & (Bits)b : (Bits)a | (Bits)b;  // differs in the sign alone
  const Bits first = kMax ? (Bits)(a > b) : (Bits)(a < b);
  return (Float)select(zeros, alike, select(first, (Bits)a, (Bits)b));
}
template <class Float>
inline auto is_signalling(Float x) {
  using Format = typename FormatOf<Float>::Type;
  using Bits = typename Format::Bits;
  return is_nan(x) & (Bits)(((Bits)x & Format::kQuiet) == 0);
}
template <class Float>
inline Float quieted(Float x) {
  using Format = typename FormatOf<Float>::Type;
  using Bits = typename Format::Bits;
  return (Float)((Bits)x | (is_nan(x) & Format::kQuiet));
}

// Of gfx9 and gfx11: a signalling NaN wins and is made quiet (in IEEE mode), a quiet one loses.
template <bool kMax, bool kIeee, class Float>
inline Float minmax_legacy(Float a, Float b) {
  using Bits = typename FormatOf<Float>::Type::Bits;
  Bits result = (Bits)pick_number<kMax>(a, b);
  result = select(is_nan(b), (Bits)a, select(is_nan(a), (Bits)b, result));
  if constexpr (kIeee) {
    result = select(is_signalling(b), (Bits)quieted(b), result);
    result = select(is_signalling(a), (Bits)quieted(a), result);
  }
  return (Float)result;
}
// Of gfx12, maximumNumber: any NaN loses.
template <bool kMax, class Float>
inline Float minmax_number(Float a, Float b) {
  using Bits = typename FormatOf<Float>::Type::Bits;
  const Bits result = (Bits)pick_number<kMax>(a, b);
  return (Float)select(is_nan(b), (Bits)quieted(a), select(is_nan(a), (Bits)b, result));
}
// Of gfx12, maximum: a NaN wins, a signalling one before a quiet one.
template <bool kMax, class Float>
inline Float minmax_propagating(Float a, Float b) {
  using Bits = typename FormatOf<Float>::Type::Bits;
  Bits result = (Bits)pick_number<kMax>(a, b);
  result = select(is_nan(b), (Bits)quieted(b), result);
  result = select(is_nan(a) & ~(is_signalling(b) & ~is_signalling(a)), (Bits)quieted(a), result);
  return (Float)result;
}

}  // namespace halyard::emulator::lanes
