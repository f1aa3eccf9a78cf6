// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <algorithm>
#include <cmath>

namespace halyard::emulator {
namespace {

using namespace lanes;

template <int kDirection>
constexpr auto rounded_to_whole = [](auto x) {
  if constexpr (sizeof(x[0]) == 4) {
    return (F32)_mm256_round_ps((__m256)x, kDirection | _MM_FROUND_NO_EXC);
  } else {
    return (F64)_mm256_round_pd((__m256d)x, kDirection | _MM_FROUND_NO_EXC);
  }
};
constexpr auto kTrunc = rounded_to_whole<_MM_FROUND_TO_ZERO>;
constexpr auto kCeil = rounded_to_whole<_MM_FROUND_TO_POS_INF>;
constexpr auto kFloor = rounded_to_whole<_MM_FROUND_TO_NEG_INF>;
constexpr auto kNearest = rounded_to_whole<_MM_FROUND_TO_NEAREST_INT>;

// Less than 1 always.
constexpr auto kFract = [](F32 x) {
  const F32 part = x - kFloor(x);
  return select((U32)(part >= 1.0f), fill(0x1.fffffep-1f), part);
};
constexpr auto kFractHalf = [](F32 x) {
  const F32 part = x - kFloor(x);
  return select((U32)(part > 0x1.ffcp-1f), fill(0x1.ffcp-1f), part);
};
constexpr auto kFractDouble = [](F64 x) {
  const F64 part = x - kFloor(x);
  return select((U64)(part >= 1.0), fill(0x1.fffffffffffffp-1), part);
};

// The exponent is so bounded that a double holds the result exactly, which is then rounded once.
double scaled_by(double x, std::int32_t exponent) {
  return std::ldexp(x, std::clamp(exponent, -700, 700));
}
constexpr auto kLdexp = [](F32 x, F32 exponents) {
  const U32 exponent = as_u32(exponents);
  F32 result{};
  for (int i = 0; i < 8; ++i) {
    result[i] = static_cast<float>(scaled_by(double{x[i]}, static_cast<std::int32_t>(exponent[i])));
  }
  return select(is_nan(x), quieted(x), result);
};
constexpr auto kLdexpHalf = [](F32 x, F32 exponents) {
  const U32 exponent = as_u32(exponents);
  F32 result{};
  for (int i = 0; i < 8; ++i) {
    const auto count = static_cast<std::int16_t>(exponent[i]);
    result[i] = narrow_odd(scaled_by(double{x[i]}, std::clamp<std::int32_t>(count, -60, 60)));
  }
  return select(is_nan(x), quieted(x), result);
};
constexpr FloatTraits kWithInteger{.nan = NanRule::kOwn, .integers = 2};

void run_ldexp_f64(Wave& wave, const Operation& operation) {
  const WideSources<2> sources(wave, operation, {2, 1});
  const std::uint64_t exec = wave.exec();
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const std::uint8_t denormals = wave.mode.denormals_other;
  const FloatModeScope scope(wave.mode.round_other, denormals);
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    U64 bits = sources.block(0, lane);
    if (operation.absolute & 1) bits &= ~kSign64;
    if (operation.negate & 1) bits ^= kSign64;
    const F64 x = (denormals & 1) == 0 ? flushed(as_f64(bits)) : as_f64(bits);
    const U64 exponent = sources.block(1, lane);
    F64 result{};
    for (int i = 0; i < 4; ++i) {
      const auto count = static_cast<std::int32_t>(exponent[i]);
      result[i] = std::ldexp(x[i], std::clamp(count, -5000, 5000));
    }
    result = select(is_nan(x), quieted(x), result);
    if ((denormals & 2) == 0) result = flushed(result);
    if (operation.clamp) result = clamped<DoubleFormat>(result, nan_to_zero);
    write_wide(wave, operation.destination[0], 2, lane, as_u64(result), exec >> lane & 15);
  }
}
Handler ldexp_f64(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, 2) && operation.output_modifier == 0;
  return complete ? &run_ldexp_f64 : nullptr;
}

// 0.5 to 1 with the sign; of an infinity or NaN itself.
constexpr auto kMantissa = [](F32 x) {
  return map(x, [](float value) {
    int exponent = 0;
    return std::isfinite(value) ? std::frexp(value, &exponent) : value;
  });
};
constexpr auto kMantissaDouble = [](F64 x) {
  F64 result{};
  for (int i = 0; i < 4; ++i) {
    int exponent = 0;
    result[i] = std::isfinite(x[i]) ? std::frexp(x[i], &exponent) : x[i];
  }
  return result;
};
template <class Float>
std::uint32_t exponent_of(Float value) {
  int exponent = 0;
  if (std::isfinite(value)) std::frexp(value, &exponent);
  return static_cast<std::uint32_t>(exponent);
}

// Signs do not matter to an exponent.
template <int kCount>
bool is_exponent_form(const Operation& operation) {
  return has_vector_form(operation, kCount) && operation.output_modifier == 0 && !operation.clamp;
}
void run_exponent_f32(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const bool flushes = (wave.mode.denormals_single & 1) == 0;
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 x = as_f32(sources.block(0, lane));
    if (flushes) x = flushed(x);
    U32 result{};
    for (int i = 0; i < 8; ++i)
      result[i] = exponent_of(x[i]);
    return result;
  });
}
void run_exponent_f16(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const bool flushes = (wave.mode.denormals_other & 1) == 0;
  write_half_row(wave, operation, true, [&](std::uint32_t lane) {
    U32 half = half_of(sources.block(0, lane), operation, 0);
    if (flushes) half = flush_half(half);
    const F32 x = widen_half(half);
    U32 result{};
    for (int i = 0; i < 8; ++i)
      result[i] = exponent_of(x[i]);
    return result;
  });
}
void run_exponent_f64(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {2});
  const bool flushes = (wave.mode.denormals_other & 1) == 0;
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    F64 x = as_f64(sources.block(0, lane));
    if (flushes) x = flushed(x);
    U64 result{};
    for (int i = 0; i < 4; ++i)
      result[i] = exponent_of(x[i]);
    write_wide(wave, operation.destination[0], 1, lane, result, exec >> lane & 15);
  }
}
template <Handler kHandler>
Handler exponent(const Operation& operation, const SemanticContext&) {
  return is_exponent_form<1>(operation) ? kHandler : nullptr;
}

constexpr Semantic kAll[] = {
    {"V_TRUNC_F32", f32<1, kTrunc>},
    {"V_CEIL_F32", f32<1, kCeil>},
    {"V_FLOOR_F32", f32<1, kFloor>},
    {"V_RNDNE_F32", f32<1, kNearest>},
    {"V_FRACT_F32", f32<1, kFract>},
    {"V_LDEXP_F32", f32<2, kLdexp, kWithInteger>},
    {"V_FREXP_MANT_F32", f32<1, kMantissa>},
    {"V_FREXP_EXP_I32_F32", exponent<&run_exponent_f32>},
    {"V_TRUNC_F16", f16<1, kTrunc>},
    {"V_CEIL_F16", f16<1, kCeil>},
    {"V_FLOOR_F16", f16<1, kFloor>},
    {"V_RNDNE_F16", f16<1, kNearest>},
    {"V_FRACT_F16", f16<1, kFractHalf>},
    {"V_LDEXP_F16", f16<2, kLdexpHalf, kWithInteger>},
    {"V_FREXP_MANT_F16", f16<1, kMantissa>},
    {"V_FREXP_EXP_I16_F16", exponent<&run_exponent_f16>},
    {"V_TRUNC_F64", f64<1, kTrunc>},
    {"V_CEIL_F64", f64<1, kCeil>},
    {"V_FLOOR_F64", f64<1, kFloor>},
    {"V_RNDNE_F64", f64<1, kNearest>},
    {"V_FRACT_F64", f64<1, kFractDouble>},
    {"V_LDEXP_F64", ldexp_f64},
    {"V_FREXP_MANT_F64", f64<1, kMantissaDouble>},
    {"V_FREXP_EXP_I32_F64", exponent<&run_exponent_f64>},
};

}  // namespace

std::span<const Semantic> float_rounding_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
