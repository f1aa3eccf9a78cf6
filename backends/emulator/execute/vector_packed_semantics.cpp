// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/packed_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

namespace halyard::emulator {
namespace {

using namespace lanes;

// Halves. The functions are those of f16 rows.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_packed_f16(Wave& wave, const Operation& operation) {
  const Sources<kCount> sources = float_sources<kCount, kTraits>(wave, operation);
  const PackedSelectors selectors(operation);
  const FloatMode mode = wave.mode;
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const FloatModeScope scope(mode.round_other, 3);
  const auto half = [&](std::uint32_t lane, bool is_high) {
    const std::uint8_t negate = is_high ? operation.negate_high : operation.negate;
    F32 x[kCount]{};
    U32 infinite{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      const U32 value = sources.block(i, lane);
      U32 bits = is_high ? selectors.of_high(value, i) : selectors.of_low(value, i);
      if (negate >> i & 1) bits ^= 0x8000u;
      if ((mode.denormals_other & 1) == 0) bits = flush_half(bits);
      infinite |= is_infinite_half(bits);
      x[i] = widen_half(bits);
    }
    F32 result = call<kFunction, kCount>(x);
    if (any_nan(result)) [[unlikely]] {
      result = repaired<kCount, kFunction, kTraits, SingleFormat>(result, x);
    }
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    U32 bits = narrow_half(result);
    if ((mode.denormals_other & 2) == 0) bits = flush_half(bits);
    if (mode.half_overflow) bits = limit_half(bits, infinite);
    return bits;
  };
  write_row(wave, operation.destination[0],
            [&](std::uint32_t lane) { return half(lane, false) | half(lane, true) << 16; });
}
// Without modifiers and in the default mode the halves lie as they are converted.
template <int kCount, auto kFunction, FloatTraits kTraits>
void run_packed_f16_plain(Wave& wave, const Operation& operation) {
  if (!is_default_other(wave.mode)) [[unlikely]] {
    return run_packed_f16<kCount, kFunction, kTraits>(wave, operation);
  }
  const Sources<kCount> sources = float_sources<kCount, kTraits>(wave, operation);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 low[kCount];
    F32 high[kCount];
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      const __m256i halves = (__m256i)sources.block(i, lane);
      low[i] = (F32)_mm256_cvtph_ps(_mm256_castsi256_si128(halves));
      high[i] = (F32)_mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1));
    }
    F32 result[2] = {call<kFunction, kCount>(low), call<kFunction, kCount>(high)};
    if (any_nan(result[0]) || any_nan(result[1])) [[unlikely]] {
      result[0] = repaired<kCount, kFunction, kTraits, SingleFormat>(result[0], low);
      result[1] = repaired<kCount, kFunction, kTraits, SingleFormat>(result[1], high);
    }
    return (U32)_mm256_set_m128i(
        _mm256_cvtps_ph((__m256)result[1], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC),
        _mm256_cvtps_ph((__m256)result[0], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  });
}

template <int kCount, auto kFunction, FloatTraits kTraits>
bool is_packed_form(const Operation& operation) {
  return is_float_form<kCount, kTraits>(operation) && operation.output_modifier == 0 &&
         operation.absolute == 0;
}
template <int kCount, auto kFunction, FloatTraits kTraits = FloatTraits{}>
Handler packed_f16(const Operation& operation, const SemanticContext&) {
  if (!is_packed_form<kCount, kFunction, kTraits>(operation)) return nullptr;
  const PackedSelectors selectors(operation);
  constexpr int kAll = (1 << kCount) - 1;
  // Functions with rules of their own tell a signalling NaN, which a conversion makes quiet.
  const bool is_plain = kTraits.nan != NanRule::kOwn && (selectors.low & kAll) == 0 &&
                        (selectors.high & kAll) == kAll && operation.negate == 0 &&
                        operation.negate_high == 0 && !operation.clamp;
  return is_plain ? &run_packed_f16_plain<kCount, kFunction, kTraits>
                  : &run_packed_f16<kCount, kFunction, kTraits>;
}
template <int kCount, auto kIeee, auto kOther, FloatTraits kTraits>
Handler packed_f16_ieee(const Operation& operation, const SemanticContext&) {
  return is_packed_form<kCount, kIeee, kTraits>(operation)
             ? &run_by_ieee<&run_packed_f16<kCount, kIeee, kTraits>,
                            &run_packed_f16<kCount, kOther, kTraits>>
             : nullptr;
}

// Pairs of floats of gfx9. A dword of a pair, of registers or of what is the same for all.
class PairSources {
 public:
  PairSources(const Wave& wave, const Operation& operation, int count) {
    for (int i = 0; i < count; ++i) {
      const Operand& operand = operation.source[static_cast<std::size_t>(i)];
      const std::uint64_t same = operand.is_vector() ? 0 : wide_scalar_value(wave, operand);
      for (int part = 0; part < 2; ++part) {
        store(same_[i][part], fill(static_cast<std::uint32_t>(same >> (32 * part))));
        data_[i][part] = operand.is_vector()
                             ? wave.row(operand.index + static_cast<std::uint32_t>(part))
                             : same_[i][part];
      }
      keep_[i] = operand.is_vector() ? ~0u : 0u;
    }
  }
  U32 block(int i, int part, std::uint32_t lane) const {
    return load(data_[i][part] + (lane & keep_[i]));
  }

 private:
  const std::uint32_t* data_[3][2];
  std::uint32_t keep_[3];
  alignas(32) std::uint32_t same_[3][2][kBlock];
};

template <int kCount, auto kFunction, NanRule kRule>
void run_packed_f32(Wave& wave, const Operation& operation) {
  const PairSources sources(wave, operation, kCount);
  const std::uint8_t denormals = wave.mode.denormals_single;
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  const std::uint64_t exec = wave.exec();
  const FloatModeScope scope(wave.mode.round_single, denormals);
  const auto dword = [&](std::uint32_t lane, bool is_high) {
    const std::uint8_t select = is_high ? operation.op_sel_hi : operation.op_sel;
    const std::uint8_t negate = is_high ? operation.negate_high : operation.negate;
    F32 x[kCount]{};
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) {
      U32 bits = sources.block(i, select >> i & 1, lane);
      if (negate >> i & 1) bits ^= kSign32;
      x[i] = as_f32(bits);
    }
    F32 result = call<kFunction, kCount>(x);
    if (any_nan(result)) [[unlikely]] {
      result = repaired<kCount, kFunction, FloatTraits{.nan = kRule}, SingleFormat>(result, x);
    }
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    return as_u32(result);
  };
  const std::uint32_t row = operation.destination[0].index;
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += kBlock) {
    const U32 low = dword(lane, false);
    const U32 high = dword(lane, true);
    store_masked(wave.row(row) + lane, low, exec >> lane & 0xff);
    store_masked(wave.row(row + 1) + lane, high, exec >> lane & 0xff);
  }
}
template <int kCount, auto kFunction, NanRule kRule = NanRule::kFirst>
Handler packed_f32(const Operation& operation, const SemanticContext&) {
  const bool complete = has_vector_form(operation, kCount) && operation.output_modifier == 0 &&
                        operation.absolute == 0;
  return complete ? &run_packed_f32<kCount, kFunction, kRule> : nullptr;
}

void run_packed_move(Wave& wave, const Operation& operation) {
  const PairSources sources(wave, operation, 2);
  const std::uint64_t exec = wave.exec();
  const std::uint32_t row = operation.destination[0].index;
  for (std::uint32_t lane = 0; lane < wave.lanes; lane += kBlock) {
    const U32 low = sources.block(0, operation.op_sel & 1, lane);
    const U32 high = sources.block(1, operation.op_sel >> 1 & 1, lane);
    store_masked(wave.row(row) + lane, low, exec >> lane & 0xff);
    store_masked(wave.row(row + 1) + lane, high, exec >> lane & 0xff);
  }
}
Handler packed_move(const Operation& operation, const SemanticContext&) {
  return is_integer_form(operation, 2) && operation.negate_high == 0 ? &run_packed_move : nullptr;
}

// A * B + C of floats, whose last bit says whether something was lost of the exact sum.
F64 exact_multiply_add(F64 a, F64 b, F64 c) {
  const F64 product = a * b;  // exact
  const F64 sum = product + c;
  const F64 other = sum - product;
  const F64 lost = (product - (sum - other)) + (c - other);
  const U64 is_lost = (U64)(lost != 0.0) & ~is_nan(lost);
  const U64 is_even = (U64)((as_u64(sum) & 1u) == 0u);
  const U64 outward = (U64)((lost > 0.0) == (sum > 0.0));
  const U64 next = select(outward, as_u64(sum) + 1u, as_u64(sum) - 1u);
  return as_f64(select(is_lost & is_even, next, as_u64(sum)));
}

enum class MixResult : std::uint8_t { kSingle, kLowHalf, kHighHalf };

// The sources are floats or, where op_sel_hi says so, halves; negate_high is the absolute value.
F32 mix_source(const Operation& operation, const FloatMode& mode, U32 bits, int i) {
  F32 x;
  if (operation.op_sel_hi >> i & 1) {
    U32 half = half_of(bits, operation, i);
    if ((mode.denormals_other & 1) == 0) half = flush_half(half);
    x = widen_half(half);
  } else {
    x = as_f32(bits);
    if ((mode.denormals_single & 1) == 0) x = flushed(x);
  }
  if (operation.negate_high >> i & 1) x = as_f32(as_u32(x) & ~kSign32);
  if (operation.negate >> i & 1) x = as_f32(as_u32(x) ^ kSign32);
  return x;
}

template <MixResult kResult>
void run_mix(Wave& wave, const Operation& operation) {
  const Sources<3> sources(wave, operation);
  const FloatMode mode = wave.mode;
  const bool nan_to_zero = clamps_nan_to_zero(wave);
  constexpr bool kSingle = kResult == MixResult::kSingle;
  const FloatModeScope scope(kSingle ? mode.round_single : mode.round_other,
                             kSingle ? mode.denormals_single : std::uint8_t{3});
  const std::uint32_t* const old = wave.row(operation.destination[0].index);
  write_row(wave, operation.destination[0], [&](std::uint32_t lane) {
    F32 x[3];
    for (int i = 0; i < 3; ++i)
      x[i] = mix_source(operation, mode, sources.block(i, lane), i);
    F32 result;
    if constexpr (kSingle) {
      result = SingleFormat::fma(x[0], x[1], x[2]);
    } else {
      result = narrow_odd(exact_multiply_add(low_half_as_doubles(x[0]), low_half_as_doubles(x[1]),
                                             low_half_as_doubles(x[2])),
                          exact_multiply_add(high_half_as_doubles(x[0]), high_half_as_doubles(x[1]),
                                             high_half_as_doubles(x[2])));
    }
    if (any_nan(result)) [[unlikely]] {
      result = repair_nan<NanRule::kMultiplyAdd, SingleFormat, 3>(result, x[0], x[1], x[2]);
    }
    if (operation.clamp) result = clamped<SingleFormat>(result, nan_to_zero);
    if constexpr (kSingle) return as_u32(result);
    U32 half = narrow_half(result);
    if ((mode.denormals_other & 2) == 0) half = flush_half(half);
    return merge_half(load(old + lane), half, kResult == MixResult::kHighHalf, false);
  });
}
template <MixResult kResult>
Handler mix(const Operation& operation, const SemanticContext&) {
  return has_vector_form(operation, 3) ? &run_mix<kResult> : nullptr;
}

constexpr auto kAdd = [](F32 a, F32 b) { return a + b; };
constexpr auto kMul = [](F32 a, F32 b) { return a * b; };
constexpr auto kFma = [](F32 a, F32 b, F32 c) { return SingleFormat::fma(a, b, c); };
constexpr auto kFmaHalf = [](F32 a, F32 b, F32 c) { return multiply_add_odd(a, b, c); };
template <bool kMax, bool kIeee>
constexpr auto legacy = [](F32 a, F32 b) { return minmax_legacy<kMax, kIeee>(a, b); };
template <bool kMax>
constexpr auto number = [](F32 a, F32 b) { return minmax_number<kMax>(a, b); };
template <bool kMax>
constexpr auto propagating = [](F32 a, F32 b) { return minmax_propagating<kMax>(a, b); };

constexpr FloatTraits kOwn{.nan = NanRule::kOwn};
constexpr FloatTraits kFused{.nan = NanRule::kMultiplyAdd};
constexpr FloatTraits kAccumulating{.nan = NanRule::kMultiplyAdd, .accumulates = true};

constexpr Semantic kAll[] = {
    {"V_PK_ADD_F16", packed_f16<2, kAdd>},
    {"V_PK_MUL_F16", packed_f16<2, kMul>},
    {"V_PK_FMA_F16", packed_f16<3, kFmaHalf, kFused>},
    {"V_PK_FMAC_F16", packed_f16<3, kFmaHalf, kAccumulating>},
    {"V_PK_MIN_F16", packed_f16_ieee<2, legacy<false, true>, legacy<false, false>, kOwn>},
    {"V_PK_MAX_F16", packed_f16_ieee<2, legacy<true, true>, legacy<true, false>, kOwn>},
    {"V_PK_MIN_NUM_F16", packed_f16<2, number<false>, kOwn>},
    {"V_PK_MAX_NUM_F16", packed_f16<2, number<true>, kOwn>},
    {"V_PK_MINIMUM_F16", packed_f16<2, propagating<false>, kOwn>},
    {"V_PK_MAXIMUM_F16", packed_f16<2, propagating<true>, kOwn>},
    {"V_PK_ADD_F32", packed_f32<2, kAdd>},
    {"V_PK_MUL_F32", packed_f32<2, kMul>},
    {"V_PK_FMA_F32", packed_f32<3, kFma, NanRule::kMultiplyAdd>},
    {"V_PK_MOV_B32", packed_move},
    {"V_FMA_MIX_F32", mix<MixResult::kSingle>},
    {"V_FMA_MIXLO_F16", mix<MixResult::kLowHalf>},
    {"V_FMA_MIXHI_F16", mix<MixResult::kHighHalf>},
    // What gfx90a and gfx942 have under the older name is fused too.
    {"V_MAD_MIX_F32", mix<MixResult::kSingle>},
    {"V_MAD_MIXLO_F16", mix<MixResult::kLowHalf>},
    {"V_MAD_MIXHI_F16", mix<MixResult::kHighHalf>},
};

}  // namespace

std::span<const Semantic> vector_packed_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
