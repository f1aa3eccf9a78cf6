// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/approximate_functions.h"
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <bit>
#include <cmath>

// Scalar arithmetic on floats of gfx11.5 and gfx12: one lane of what the vector instructions do.
namespace halyard::emulator {
namespace {

using namespace lanes;

// A source in all lanes of a block.
F32 single_source(const Wave& wave, const Operation& operation, std::size_t i) {
  F32 x = as_f32(fill(scalar_value(wave, operation.source[i])));
  if ((wave.mode.denormals_single & 1) == 0) x = flushed(x);
  return x;
}
F32 half_source(const Wave& wave, const Operand& operand) {
  U32 half = fill(scalar_value(wave, operand)) & 0xffffu;
  if ((wave.mode.denormals_other & 1) == 0) half = flush_half(half);
  return widen_half(half);
}

bool has_scalar_form(const Operation& operation, std::size_t count, bool writes) {
  if (writes && !operation.destination[0].is_scalar()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& source = operation.source[i];
    if (!source.is_present() || source.is_vector() || source.kind == OperandKind::kLdsDirect) {
      return false;
    }
  }
  return !has_modifiers(operation);
}

template <int kCount, auto kFunction, FloatTraits kTraits>
void run_single(Wave& wave, const Operation& operation) {
  const std::uint8_t denormals = wave.mode.denormals_single;
  std::uint32_t& out = wave.scalar[operation.destination[0].index];
  const FloatModeScope scope(wave.mode.round_single, denormals);
  F32 x[kCount]{};
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool is_last = kTraits.accumulates && i == kCount - 1;
    x[i] = is_last ? as_f32(fill(out)) : single_source(wave, operation, i);
    if (kTraits.flipped >> i & 1) x[i] = as_f32(as_u32(x[i]) ^ kSign32);
  }
  F32 result = call<kFunction, kCount>(x);
  if (any_nan(result)) result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
  if ((denormals & 2) == 0) result = flushed(result);
  out = as_u32(result)[0];
}
template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler single(const Operation& operation, const SemanticContext&) {
  const bool complete = has_scalar_form(operation, kTraits.accumulates ? kCount - 1 : kCount, true);
  return complete ? &run_single<kCount, kFunction, kTraits> : nullptr;
}

// A half in a register has 0 above it.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_half(Wave& wave, const Operation& operation) {
  const FloatMode mode = wave.mode;
  std::uint32_t& out = wave.scalar[operation.destination[0].index];
  const FloatModeScope scope(mode.round_other, 3);
  F32 x[kCount]{};
  U32 infinite{};
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool is_last = kTraits.accumulates && i == kCount - 1;
    x[i] = half_source(wave, is_last ? operation.destination[0] : operation.source[i]);
    if (kTraits.flipped >> i & 1) x[i] = as_f32(as_u32(x[i]) ^ kSign32);
    infinite |= (U32)((as_u32(x[i]) & ~kSign32) == 0x7f800000u);
  }
  F32 result = call<kFunction, kCount>(x);
  if (any_nan(result)) result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
  U32 half = narrow_half(result);
  if ((mode.denormals_other & 2) == 0) half = flush_half(half);
  if (mode.half_overflow) half = limit_half(half, infinite);
  out = half[0];
}
template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler half(const Operation& operation, const SemanticContext&) {
  const bool complete = has_scalar_form(operation, kTraits.accumulates ? kCount - 1 : kCount, true);
  return complete ? &run_half<kCount, kFunction, kTraits> : nullptr;
}

// Comparisons: what holds, as a set of 1 less, 2 equal, 4 greater, 8 unordered.
template <int kRelation, bool kHalf>
void run_compare(Wave& wave, const Operation& operation) {
  const float a =
      kHalf ? half_source(wave, operation.source[0])[0] : single_source(wave, operation, 0)[0];
  const float b =
      kHalf ? half_source(wave, operation.source[1])[0] : single_source(wave, operation, 1)[0];
  const int holds = a < b ? 1 : a == b ? 2 : a > b ? 4 : 8;
  wave.scc = (kRelation & holds) != 0;
}
template <int kRelation, bool kHalf>
Handler compare(const Operation& operation, const SemanticContext&) {
  return has_scalar_form(operation, 2, false) ? &run_compare<kRelation, kHalf> : nullptr;
}

// Conversions.
template <bool kSigned>
void run_float_of_integer(Wave& wave, const Operation& operation) {
  const std::uint32_t value = scalar_value(wave, operation.source[0]);
  const FloatModeScope scope(wave.mode.round_single, 3);
  const double exact =
      kSigned ? static_cast<double>(static_cast<std::int32_t>(value)) : static_cast<double>(value);
  volatile double kept = exact;  // the rounding is not to leave the scope
  const float result = static_cast<float>(kept);
  wave.scalar[operation.destination[0].index] = std::bit_cast<std::uint32_t>(result);
}
template <bool kSigned>
void run_integer_of_float(Wave& wave, const Operation& operation) {
  const auto x = double{std::bit_cast<float>(scalar_value(wave, operation.source[0]))};
  std::uint32_t result = 0;
  if (kSigned) {
    if (x >= 0x1p31) {
      result = 0x7fffffffu;
    } else if (x <= -0x1p31) {
      result = 0x80000000u;
    } else if (x == x) {
      result = static_cast<std::uint32_t>(static_cast<std::int32_t>(x));
    }
  } else if (x > 0) {
    result = x >= 0x1p32 ? ~0u : static_cast<std::uint32_t>(x);
  }
  wave.scalar[operation.destination[0].index] = result;
}
template <bool kHigh>
void run_single_of_half(Wave& wave, const Operation& operation) {
  U32 bits = fill(scalar_value(wave, operation.source[0])) >> (kHigh ? 16 : 0) & 0xffffu;
  if ((wave.mode.denormals_other & 1) == 0) bits = flush_half(bits);
  wave.scalar[operation.destination[0].index] = as_u32(quieted(widen_half(bits)))[0];
}
void run_half_of_single(Wave& wave, const Operation& operation) {
  const FloatMode mode = wave.mode;
  const FloatModeScope scope(mode.round_other, 3);
  const F32 x = single_source(wave, operation, 0);
  U32 bits = narrow_half(x);
  if ((mode.denormals_other & 2) == 0) bits = flush_half(bits);
  if (mode.half_overflow) {
    bits = limit_half(bits, (U32)((as_u32(x) & ~kSign32) == 0x7f800000u));
  }
  wave.scalar[operation.destination[0].index] = bits[0];
}
void run_pack_towards_zero(Wave& wave, const Operation& operation) {
  std::uint32_t result = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    U32 bits = (U32)_mm256_cvtepu16_epi32(
        _mm256_cvtps_ph((__m256)single_source(wave, operation, i), _MM_FROUND_TO_ZERO));
    if ((wave.mode.denormals_other & 2) == 0) bits = flush_half(bits);
    result |= bits[0] << (16 * i);
  }
  wave.scalar[operation.destination[0].index] = result;
}
template <Handler kHandler, std::size_t kCount>
Handler conversion(const Operation& operation, const SemanticContext&) {
  return has_scalar_form(operation, kCount, true) ? kHandler : nullptr;
}

// V_S_*: approximations of one number in scalar registers, with modifiers.
template <auto kFunction, bool kHalf>
void run_approximate(Wave& wave, const Operation& operation) {
  const Operand& source = operation.source[0];
  float x = 0;
  if (kHalf) {
    x = half_source(wave, source)[0];
  } else {
    const F32 block = flushed(as_f32(fill(scalar_value(wave, source))));
    x = block[0];
  }
  if (operation.absolute & 1) x = std::fabs(x);
  if (operation.negate & 1) x = -x;
  const double exact = kFunction(double{x});
  F32 result = fill(kHalf ? narrow_odd(exact) : static_cast<float>(exact));
  if (!kHalf) result = flushed(result);
  if (any_nan(result)) {
    result = repair_nan<NanRule::kFirst, SingleFormat, 1>(result, fill(x), fill(x), fill(x));
  }
  if (operation.output_modifier != 0) {
    result = scaled<SingleFormat>(result, operation.output_modifier);
  }
  if (operation.clamp) result = clamped<SingleFormat>(result, true);
  wave.scalar[operation.destination[0].index] = kHalf ? narrow_half(result)[0] : as_u32(result)[0];
}
template <auto kFunction, bool kHalf>
Handler approximate(const Operation& operation, const SemanticContext&) {
  const Operand& source = operation.source[0];
  const bool complete =
      operation.destination[0].is_scalar() && source.is_present() && !source.is_vector();
  return complete ? &run_approximate<kFunction, kHalf> : nullptr;
}

constexpr auto kAdd = [](F32 a, F32 b) { return a + b; };
constexpr auto kMul = [](F32 a, F32 b) { return a * b; };
constexpr auto kFma = [](F32 a, F32 b, F32 c) { return SingleFormat::fma(a, b, c); };
constexpr auto kFmaHalf = [](F32 a, F32 b, F32 c) { return multiply_add_odd(a, b, c); };
template <bool kMax>
constexpr auto number = [](F32 a, F32 b) { return minmax_number<kMax>(a, b); };
template <bool kMax>
constexpr auto propagating = [](F32 a, F32 b) { return minmax_propagating<kMax>(a, b); };
template <bool kMax>
constexpr auto legacy = [](F32 a, F32 b) { return minmax_legacy<kMax, true>(a, b); };
template <int kDirection>
constexpr auto whole =
    [](F32 x) { return (F32)_mm256_round_ps((__m256)x, kDirection | _MM_FROUND_NO_EXC); };
constexpr FloatTraits kSub{.flipped = 2};
constexpr FloatTraits kOwn{.nan = NanRule::kOwn};
constexpr FloatTraits kFused{.nan = NanRule::kMultiplyAdd};
constexpr FloatTraits kAccumulating{.nan = NanRule::kMultiplyAdd, .accumulates = true};

constexpr Semantic kArithmetic[] = {
    {"S_ADD_F32", single<2, kAdd>},
    {"S_SUB_F32", single<2, kAdd, kSub>},
    {"S_MUL_F32", single<2, kMul>},
    {"S_FMAC_F32", single<3, kFma, kAccumulating>},
    {"S_FMAAK_F32", single<3, kFma, kFused>},
    {"S_FMAMK_F32", single<3, kFma, kFused>},
    {"S_MIN_F32", single<2, legacy<false>, kOwn>},
    {"S_MAX_F32", single<2, legacy<true>, kOwn>},
    {"S_MIN_NUM_F32", single<2, number<false>, kOwn>},
    {"S_MAX_NUM_F32", single<2, number<true>, kOwn>},
    {"S_MINIMUM_F32", single<2, propagating<false>, kOwn>},
    {"S_MAXIMUM_F32", single<2, propagating<true>, kOwn>},
    {"S_CEIL_F32", single<1, whole<_MM_FROUND_TO_POS_INF>>},
    {"S_FLOOR_F32", single<1, whole<_MM_FROUND_TO_NEG_INF>>},
    {"S_TRUNC_F32", single<1, whole<_MM_FROUND_TO_ZERO>>},
    {"S_RNDNE_F32", single<1, whole<_MM_FROUND_TO_NEAREST_INT>>},
    {"S_ADD_F16", half<2, kAdd>},
    {"S_SUB_F16", half<2, kAdd, kSub>},
    {"S_MUL_F16", half<2, kMul>},
    {"S_FMAC_F16", half<3, kFmaHalf, kAccumulating>},
    {"S_MIN_F16", half<2, legacy<false>, kOwn>},
    {"S_MAX_F16", half<2, legacy<true>, kOwn>},
    {"S_MIN_NUM_F16", half<2, number<false>, kOwn>},
    {"S_MAX_NUM_F16", half<2, number<true>, kOwn>},
    {"S_MINIMUM_F16", half<2, propagating<false>, kOwn>},
    {"S_MAXIMUM_F16", half<2, propagating<true>, kOwn>},
    {"S_CEIL_F16", half<1, whole<_MM_FROUND_TO_POS_INF>>},
    {"S_FLOOR_F16", half<1, whole<_MM_FROUND_TO_NEG_INF>>},
    {"S_TRUNC_F16", half<1, whole<_MM_FROUND_TO_ZERO>>},
    {"S_RNDNE_F16", half<1, whole<_MM_FROUND_TO_NEAREST_INT>>},
};

constexpr Semantic kConversions[] = {
    {"S_CVT_F32_I32", conversion<&run_float_of_integer<true>, 1>},
    {"S_CVT_F32_U32", conversion<&run_float_of_integer<false>, 1>},
    {"S_CVT_I32_F32", conversion<&run_integer_of_float<true>, 1>},
    {"S_CVT_U32_F32", conversion<&run_integer_of_float<false>, 1>},
    {"S_CVT_F32_F16", conversion<&run_single_of_half<false>, 1>},
    {"S_CVT_HI_F32_F16", conversion<&run_single_of_half<true>, 1>},
    {"S_CVT_F16_F32", conversion<&run_half_of_single, 1>},
    {"S_CVT_PK_RTZ_F16_F32", conversion<&run_pack_towards_zero, 2>},
    {"V_S_RCP_F32", approximate<reciprocal, false>},
    {"V_S_RSQ_F32", approximate<reciprocal_root, false>},
    {"V_S_SQRT_F32", approximate<square_root, false>},
    {"V_S_EXP_F32", approximate<power_of_two, false>},
    {"V_S_LOG_F32", approximate<logarithm_of_two, false>},
    {"V_S_RCP_F16", approximate<reciprocal, true>},
    {"V_S_RSQ_F16", approximate<reciprocal_root, true>},
    {"V_S_SQRT_F16", approximate<square_root, true>},
    {"V_S_EXP_F16", approximate<power_of_two, true>},
    {"V_S_LOG_F16", approximate<logarithm_of_two, true>},
};

constexpr Semantic kComparisons[] = {
    {"S_CMP_LT_F32", compare<1, false>},   {"S_CMP_LT_F16", compare<1, true>},
    {"S_CMP_EQ_F32", compare<2, false>},   {"S_CMP_EQ_F16", compare<2, true>},
    {"S_CMP_LE_F32", compare<3, false>},   {"S_CMP_LE_F16", compare<3, true>},
    {"S_CMP_GT_F32", compare<4, false>},   {"S_CMP_GT_F16", compare<4, true>},
    {"S_CMP_LG_F32", compare<5, false>},   {"S_CMP_LG_F16", compare<5, true>},
    {"S_CMP_GE_F32", compare<6, false>},   {"S_CMP_GE_F16", compare<6, true>},
    {"S_CMP_O_F32", compare<7, false>},    {"S_CMP_O_F16", compare<7, true>},
    {"S_CMP_U_F32", compare<8, false>},    {"S_CMP_U_F16", compare<8, true>},
    {"S_CMP_NGE_F32", compare<9, false>},  {"S_CMP_NGE_F16", compare<9, true>},
    {"S_CMP_NLG_F32", compare<10, false>}, {"S_CMP_NLG_F16", compare<10, true>},
    {"S_CMP_NGT_F32", compare<11, false>}, {"S_CMP_NGT_F16", compare<11, true>},
    {"S_CMP_NLE_F32", compare<12, false>}, {"S_CMP_NLE_F16", compare<12, true>},
    {"S_CMP_NEQ_F32", compare<13, false>}, {"S_CMP_NEQ_F16", compare<13, true>},
    {"S_CMP_NLT_F32", compare<14, false>}, {"S_CMP_NLT_F16", compare<14, true>},
};

}  // namespace

std::span<const Semantic> scalar_float_semantics() {
  static constexpr auto kAll = join(kArithmetic, kConversions, kComparisons);
  return kAll;
}

}  // namespace halyard::emulator
