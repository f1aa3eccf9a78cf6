// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/integer_blocks.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <cmath>

namespace halyard::emulator {
namespace {

using namespace lanes;

F32 float_of_signed(U32 x) {
  return (F32)_mm256_cvtepi32_ps((__m256i)x);
}
// The halves are exact, so that the sum alone is rounded.
F32 float_of_unsigned(U32 x) {
  return float_of_signed(x >> 16) * 65536.0f + float_of_signed(x & 0xffffu);
}
// Towards zero, to the nearest number there is; of a NaN 0.
U32 signed_of_float(F32 x) {
  const U32 whole = (U32)_mm256_cvttps_epi32((__m256)x);
  return select((U32)(x >= 0x1p31f), fill(0x7fffffffu), whole) & ~is_nan(x);
}
U32 unsigned_of_float(F32 x) {
  const U32 low = (U32)_mm256_cvttps_epi32((__m256)x);
  const U32 high = (U32)_mm256_cvttps_epi32((__m256)(x - 0x1p31f)) + 0x80000000u;
  const U32 whole = select((U32)(x >= 0x1p31f), high, low);
  const U32 limited = select((U32)(x >= 0x1p32f), fill(~0u), whole);
  return limited & (U32)(x > 0.0f);
}
std::int32_t signed_of_double(double x) {
  if (!(x > -0x1p31)) return x == x ? INT32_MIN : 0;
  return x >= 0x1p31 ? INT32_MAX : static_cast<std::int32_t>(x);
}
std::uint32_t unsigned_of_double(double x) {
  if (!(x > 0)) return 0;
  return x >= 0x1p32 ? ~0u : static_cast<std::uint32_t>(x);
}

// To a float from bits that are no float.
template <auto kFunction>
void run_to_f32(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const bool scales = scales_result(wave, operation, wave.mode.denormals_single);
  const FloatModeScope scope(wave.mode.round_single, 3);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 result = kFunction(sources.block(0, lane));
    if (scales) result = scaled<SingleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<SingleFormat>(result, true);
    return as_u32(result);
  });
}
template <auto kFunction>
Handler to_f32(const Operation& operation, const SemanticContext&) {
  const bool complete =
      has_vector_form(operation, 1) && operation.negate == 0 && operation.absolute == 0;
  return complete ? &run_to_f32<kFunction> : nullptr;
}

// From floats with their signs changed to bits that are none; CLAMP is without effect.
template <auto kFunction>
void run_from_f32(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const SourceSigns<SingleFormat, 1> signs(operation, 0, kSign32);
  const bool flushes = (wave.mode.denormals_single & 1) == 0;
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 x = as_f32(signs.apply(sources.block(0, lane), 0));
    if (flushes) x = flushed(x);
    return kFunction(x);
  });
}
template <auto kFunction>
Handler from_f32(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, 1) && operation.output_modifier == 0;
  return complete ? &run_from_f32<kFunction> : nullptr;
}

void run_f16_from_f32(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const SourceSigns<SingleFormat, 1> signs(operation, 0, kSign32);
  const FloatMode mode = wave.mode;
  const bool scales = scales_result(wave, operation, mode.denormals_other);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const FloatModeScope scope(mode.round_other, 3);
  write_half_row(wave, operation, true, [&](std::uint32_t lane) {
    F32 x = as_f32(signs.apply(sources.block(0, lane), 0));
    if ((mode.denormals_single & 1) == 0) x = flushed(x);
    const U32 infinite = (U32)((as_u32(x) & ~kSign32) == 0x7f800000u);
    if (scales) x = scaled<SingleFormat>(x, operation.output_modifier);
    if (operation.clamp) x = clamped<SingleFormat>(x, nan_to_zero);
    U32 half = narrow_half(x);
    if ((mode.denormals_other & 2) == 0) half = flush_half(half);
    if (mode.half_overflow) half = limit_half(half, infinite);
    return half;
  });
}
void run_f32_from_f16(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const SourceSigns<SingleFormat, 1> signs(operation, 0, 0x8000u);
  const bool flushes = (wave.mode.denormals_other & 1) == 0;
  const bool scales = scales_result(wave, operation, wave.mode.denormals_single);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    U32 half = signs.apply(half_of(sources.block(0, lane), operation, 0), 0);
    if (flushes) half = flush_half(half);
    F32 x = quieted(widen_half(half));
    if (scales) x = scaled<SingleFormat>(x, operation.output_modifier);
    if (operation.clamp) x = clamped<SingleFormat>(x, nan_to_zero);
    return as_u32(x);
  });
}
template <Handler kHandler>
Handler float_form(const Operation& operation, const SemanticContext&) {
  return has_vector_form(operation, 1) ? kHandler : nullptr;
}

// Between halves and integers of 16 bits.
template <bool kSigned>
void run_f16_from_integer(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const bool scales = scales_result(wave, operation, wave.mode.denormals_other);
  const FloatMode mode = wave.mode;
  const FloatModeScope scope(mode.round_other, 3);
  write_half_row(wave, operation, true, [&](std::uint32_t lane) {
    const U32 half = half_of(sources.block(0, lane), operation, 0);
    F32 x = float_of_signed(kSigned ? sign16(half) : half);
    if (scales) x = scaled<SingleFormat>(x, operation.output_modifier);
    if (operation.clamp) x = clamped<SingleFormat>(x, true);
    const U32 result = narrow_half(x);
    return mode.half_overflow ? limit_half(result, U32{}) : result;
  });
}
template <bool kSigned>
void run_integer_from_f16(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  const SourceSigns<SingleFormat, 1> signs(operation, 0, 0x8000u);
  write_half_row(wave, operation, true, [&](std::uint32_t lane) {
    const F32 x = widen_half(signs.apply(half_of(sources.block(0, lane), operation, 0), 0));
    const U32 whole = signed_of_float(x);
    return kSigned ? saturate_i16(whole) : saturate_u16(whole);
  });
}
template <bool kSigned>
void run_integer_from_half_integer(Wave& wave, const Operation& operation) {
  const Sources<1> sources(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    const U32 half = half_of(sources.block(0, lane), operation, 0);
    return kSigned ? sign16(half) : half;
  });
}
template <Handler kHandler>
Handler integer_form(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, 1) ? kHandler : nullptr;
}
template <Handler kHandler>
Handler result_form(const Operation& operation, const SemanticContext&) {
  const bool complete =
      has_vector_form(operation, 1) && operation.negate == 0 && operation.absolute == 0;
  return complete ? kHandler : nullptr;
}

// With doubles, by four lanes.
void run_f32_from_f64(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {2});
  const SourceSigns<DoubleFormat, 1> signs(operation, 0, kSign64);
  const FloatMode mode = wave.mode;
  const bool scales = scales_result(wave, operation, mode.denormals_single);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const std::uint64_t exec = wave.exec();
  // Denormal doubles are too small for a float in any mode.
  const FloatModeScope scope(mode.round_single, 3);
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const F64 x = as_f64(signs.apply(sources.block(0, lane), 0));
    F32 result = (F32)_mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)x));
    if ((mode.denormals_single & 2) == 0) result = flushed(result);
    if (scales) result = scaled<SingleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    store_four(wave.row(operation.destination[0].index) + lane,
               _mm256_castsi256_si128((__m256i)result), exec >> lane & 15);
  }
}
void run_f64_from_f32(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {1});
  const FloatMode mode = wave.mode;
  const bool scales = scales_result(wave, operation, mode.denormals_other);
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    U64 bits = sources.block(0, lane);
    if (operation.absolute & 1) bits &= 0x7fffffffu;
    if (operation.negate & 1) bits ^= kSign32;
    if ((mode.denormals_single & 1) == 0) {
      bits &= kSign32 | (U64)((bits & 0x7f800000u) != 0u);
    }
    F64 result = (F64)_mm256_cvtps_pd(_mm_castsi128_ps(low_dwords(bits)));
    if (scales) result = scaled<DoubleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<DoubleFormat>(result, nan_to_zero);
    write_wide(wave, operation.destination[0], 2, lane, as_u64(result), exec >> lane & 15);
  }
}
template <bool kSigned>
void run_f64_from_integer(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {1});
  const bool scales = scales_result(wave, operation, wave.mode.denormals_other);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const U64 bits = sources.block(0, lane);
    F64 result{};
    for (int i = 0; i < 4; ++i) {
      const auto value = static_cast<std::uint32_t>(bits[i]);
      result[i] = kSigned ? static_cast<double>(static_cast<std::int32_t>(value))
                          : static_cast<double>(value);
    }
    if (scales) result = scaled<DoubleFormat>(result, operation.output_modifier);
    if (operation.clamp) result = clamped<DoubleFormat>(result, true);
    write_wide(wave, operation.destination[0], 2, lane, as_u64(result), exec >> lane & 15);
  }
}
template <bool kSigned>
void run_integer_from_f64(Wave& wave, const Operation& operation) {
  const WideSources<1> sources(wave, operation, {2});
  const SourceSigns<DoubleFormat, 1> signs(operation, 0, kSign64);
  const std::uint64_t exec = wave.exec();
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += 4) {
    const F64 x = as_f64(signs.apply(sources.block(0, lane), 0));
    U64 result{};
    for (int i = 0; i < 4; ++i) {
      result[i] =
          kSigned ? static_cast<std::uint32_t>(signed_of_double(x[i])) : unsigned_of_double(x[i]);
    }
    write_wide(wave, operation.destination[0], 1, lane, result, exec >> lane & 15);
  }
}
template <Handler kHandler>
Handler truncating_form(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, 1) && operation.output_modifier == 0;
  return complete ? kHandler : nullptr;
}

// Two floats to halves, towards zero.
void run_pack_towards_zero(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const SourceSigns<SingleFormat, 2> signs(operation, 0, kSign32);
  const FloatMode mode = wave.mode;
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    U32 halves[2];
    for (int i = 0; i < 2; ++i) {
      F32 x = as_f32(signs.apply(sources.block(i, lane), i));
      if ((mode.denormals_single & 1) == 0) x = flushed(x);
      if (operation.clamp) x = clamped<SingleFormat>(x, nan_to_zero);
      halves[i] = (U32)_mm256_cvtepu16_epi32(
          _mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
      if ((mode.denormals_other & 2) == 0) halves[i] = flush_half(halves[i]);
    }
    return halves[0] | halves[1] << 16;
  });
}
Handler pack_towards_zero(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, 2) && operation.output_modifier == 0;
  return complete ? &run_pack_towards_zero : nullptr;
}

// Two halves side by side.
void run_pack_halves(Wave& wave, const Operation& operation) {
  const Sources<2> sources(wave, operation);
  const SourceSigns<SingleFormat, 2> signs(operation, 0, 0x8000u);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    const U32 low = signs.apply(half_of(sources.block(0, lane), operation, 0), 0);
    const U32 high = signs.apply(half_of(sources.block(1, lane), operation, 1), 1);
    return low | high << 16;
  });
}
Handler pack_halves(const Operation& operation, const SemanticContext&) {
  const bool complete =
      has_vector_form(operation, 2) && operation.output_modifier == 0 && !operation.clamp;
  return complete ? &run_pack_halves : nullptr;
}

template <int kByte>
constexpr auto byte_to_float = [](U32 x) { return float_of_signed(x << (24 - 8 * kByte) >> 24); };
constexpr auto kOffsetFloat = [](U32 x) {
  return float_of_signed((U32)((I32)(x << 28) >> 28)) * 0.0625f;
};
constexpr auto kFloor = [](F32 x) { return signed_of_float((F32)_mm256_floor_ps((__m256)x)); };
constexpr auto kNearest = [](F32 x) {
  return signed_of_float((F32)_mm256_floor_ps((__m256)(x + 0.5f)));
};
constexpr auto kPackSigned = [](U32 a, U32 b) {
  return (saturate_i16(a) & 0xffffu) | saturate_i16(b) << 16;
};
constexpr auto kPackUnsigned = [](U32 a, U32 b) {
  return min_u(a, fill(0xffffu)) | min_u(b, fill(0xffffu)) << 16;
};

constexpr Semantic kAll[] = {
    {"V_CVT_F32_I32", to_f32<float_of_signed>},
    {"V_CVT_F32_U32", to_f32<float_of_unsigned>},
    {"V_CVT_F32_UBYTE0", to_f32<byte_to_float<0>>},
    {"V_CVT_F32_UBYTE1", to_f32<byte_to_float<1>>},
    {"V_CVT_F32_UBYTE2", to_f32<byte_to_float<2>>},
    {"V_CVT_F32_UBYTE3", to_f32<byte_to_float<3>>},
    {"V_CVT_OFF_F32_I4", to_f32<kOffsetFloat>},
    {"V_CVT_I32_F32", from_f32<signed_of_float>},
    {"V_CVT_U32_F32", from_f32<unsigned_of_float>},
    {"V_CVT_FLR_I32_F32", from_f32<kFloor>},
    {"V_CVT_FLOOR_I32_F32", from_f32<kFloor>},
    {"V_CVT_RPI_I32_F32", from_f32<kNearest>},
    {"V_CVT_NEAREST_I32_F32", from_f32<kNearest>},
    {"V_CVT_F16_F32", float_form<&run_f16_from_f32>},
    {"V_CVT_F32_F16", float_form<&run_f32_from_f16>},
    {"V_CVT_F16_I16", result_form<&run_f16_from_integer<true>>},
    {"V_CVT_F16_U16", result_form<&run_f16_from_integer<false>>},
    {"V_CVT_I16_F16", truncating_form<&run_integer_from_f16<true>>},
    {"V_CVT_U16_F16", truncating_form<&run_integer_from_f16<false>>},
    {"V_CVT_I32_I16", integer_form<&run_integer_from_half_integer<true>>},
    {"V_CVT_U32_U16", integer_form<&run_integer_from_half_integer<false>>},
    {"V_CVT_F32_F64", float_form<&run_f32_from_f64>},
    {"V_CVT_F64_F32", float_form<&run_f64_from_f32>},
    {"V_CVT_F64_I32", result_form<&run_f64_from_integer<true>>},
    {"V_CVT_F64_U32", result_form<&run_f64_from_integer<false>>},
    {"V_CVT_I32_F64", truncating_form<&run_integer_from_f64<true>>},
    {"V_CVT_U32_F64", truncating_form<&run_integer_from_f64<false>>},
    {"V_CVT_PKRTZ_F16_F32", pack_towards_zero},
    {"V_CVT_PK_RTZ_F16_F32", pack_towards_zero},
    {"V_CVT_PK_I16_I32", u32<2, kPackSigned>},
    {"V_CVT_PK_U16_U32", u32<2, kPackUnsigned>},
    {"V_PACK_B32_F16", pack_halves},
};

}  // namespace

std::span<const Semantic> vector_convert_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
