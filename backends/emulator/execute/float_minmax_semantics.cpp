// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

namespace halyard::emulator {
namespace {

using namespace lanes;

constexpr FloatTraits kOwn{.nan = NanRule::kOwn};
constexpr FloatTraits kOwnKeeping{.nan = NanRule::kOwn, .clears_on_gfx9 = false};

template <bool kIeee>
struct Legacy {
  static constexpr auto min = [](auto a, auto b) { return minmax_legacy<false, kIeee>(a, b); };
  static constexpr auto max = [](auto a, auto b) { return minmax_legacy<true, kIeee>(a, b); };
};
struct Number {
  static constexpr auto min = [](auto a, auto b) { return minmax_number<false>(a, b); };
  static constexpr auto max = [](auto a, auto b) { return minmax_number<true>(a, b); };
};
struct Propagating {
  static constexpr auto min = [](auto a, auto b) { return minmax_propagating<false>(a, b); };
  static constexpr auto max = [](auto a, auto b) { return minmax_propagating<true>(a, b); };
};

template <class Rules>
struct Three {
  static constexpr auto min3 = [](F32 a, F32 b, F32 c) { return Rules::min(Rules::min(a, b), c); };
  static constexpr auto max3 = [](F32 a, F32 b, F32 c) { return Rules::max(Rules::max(a, b), c); };
  static constexpr auto maxmin = [](F32 a, F32 b, F32 c) {
    return Rules::min(Rules::max(a, b), c);
  };
  static constexpr auto minmax = [](F32 a, F32 b, F32 c) {
    return Rules::max(Rules::min(a, b), c);
  };
  // The median; with a NaN the least.
  static constexpr auto med3 = [](F32 a, F32 b, F32 c) {
    const U32 nan = is_nan(a) | is_nan(b) | is_nan(c);
    const F32 most = max3(a, b, c);
    F32 median = select((U32)(most == b), Rules::max(a, c), Rules::max(a, b));
    median = select((U32)(most == a), Rules::max(b, c), median);
    return select(nan, min3(a, b, c), median);
  };
};

// The rules of gfx9 and gfx11, which depend on the IEEE bit of MODE.
template <int kCount, auto kIeee, auto kOther>
Handler f32_ieee(const Operation& operation, const SemanticContext&) {
  if (!is_float_form<kCount, kOwn>(operation)) return nullptr;
  return has_modifiers(operation)
             ? &run_by_ieee<&run_f32_full<kCount, kIeee, kOwn>, &run_f32_full<kCount, kOther, kOwn>>
             : &run_by_ieee<&run_f32<kCount, kIeee, kOwn>, &run_f32<kCount, kOther, kOwn>>;
}
template <int kCount, auto kIeee, auto kOther, FloatTraits kTraits = kOwn>
Handler f16_ieee(const Operation& operation, const SemanticContext&) {
  if (!is_float_form<kCount, kOwn>(operation)) return nullptr;
  return &run_by_ieee<&run_f16<kCount, kIeee, kTraits>, &run_f16<kCount, kOther, kTraits>>;
}
template <int kCount, auto kIeee, auto kOther>
Handler f64_ieee(const Operation& operation, const SemanticContext&) {
  if (!is_float_form<kCount, kOwn>(operation)) return nullptr;
  return &run_by_ieee<&run_f64<kCount, kIeee, kOwn>, &run_f64<kCount, kOther, kOwn>>;
}

using Ieee = Legacy<true>;
using Other = Legacy<false>;
using Ieee3 = Three<Ieee>;
using Other3 = Three<Other>;
using Number3 = Three<Number>;
using Propagating3 = Three<Propagating>;

constexpr Semantic kAll[] = {
    {"V_MIN_F32", f32_ieee<2, Ieee::min, Other::min>},
    {"V_MAX_F32", f32_ieee<2, Ieee::max, Other::max>},
    {"V_DUAL_MIN_F32", f32_ieee<2, Ieee::min, Other::min>},
    {"V_DUAL_MAX_F32", f32_ieee<2, Ieee::max, Other::max>},
    {"V_MIN3_F32", f32_ieee<3, Ieee3::min3, Other3::min3>},
    {"V_MAX3_F32", f32_ieee<3, Ieee3::max3, Other3::max3>},
    {"V_MED3_F32", f32_ieee<3, Ieee3::med3, Other3::med3>},
    {"V_MAXMIN_F32", f32_ieee<3, Ieee3::maxmin, Other3::maxmin>},
    {"V_MINMAX_F32", f32_ieee<3, Ieee3::minmax, Other3::minmax>},
    {"V_MIN_F16", f16_ieee<2, Ieee::min, Other::min>},
    {"V_MAX_F16", f16_ieee<2, Ieee::max, Other::max>},
    {"V_MIN3_F16", f16_ieee<3, Ieee3::min3, Other3::min3, kOwnKeeping>},
    {"V_MAX3_F16", f16_ieee<3, Ieee3::max3, Other3::max3, kOwnKeeping>},
    {"V_MED3_F16", f16_ieee<3, Ieee3::med3, Other3::med3, kOwnKeeping>},
    {"V_MAXMIN_F16", f16_ieee<3, Ieee3::maxmin, Other3::maxmin>},
    {"V_MINMAX_F16", f16_ieee<3, Ieee3::minmax, Other3::minmax>},
    {"V_MIN_F64", f64_ieee<2, Ieee::min, Other::min>},
    {"V_MAX_F64", f64_ieee<2, Ieee::max, Other::max>},
    {"V_MIN_NUM_F32", f32<2, Number::min, kOwn>},
    {"V_MAX_NUM_F32", f32<2, Number::max, kOwn>},
    {"V_DUAL_MIN_NUM_F32", f32<2, Number::min, kOwn>},
    {"V_DUAL_MAX_NUM_F32", f32<2, Number::max, kOwn>},
    {"V_MIN3_NUM_F32", f32<3, Number3::min3, kOwn>},
    {"V_MAX3_NUM_F32", f32<3, Number3::max3, kOwn>},
    {"V_MED3_NUM_F32", f32<3, Number3::med3, kOwn>},
    {"V_MAXMIN_NUM_F32", f32<3, Number3::maxmin, kOwn>},
    {"V_MINMAX_NUM_F32", f32<3, Number3::minmax, kOwn>},
    {"V_MIN_NUM_F16", f16<2, Number::min, kOwn>},
    {"V_MAX_NUM_F16", f16<2, Number::max, kOwn>},
    {"V_MIN3_NUM_F16", f16<3, Number3::min3, kOwn>},
    {"V_MAX3_NUM_F16", f16<3, Number3::max3, kOwn>},
    {"V_MED3_NUM_F16", f16<3, Number3::med3, kOwn>},
    {"V_MAXMIN_NUM_F16", f16<3, Number3::maxmin, kOwn>},
    {"V_MINMAX_NUM_F16", f16<3, Number3::minmax, kOwn>},
    {"V_MIN_NUM_F64", f64<2, Number::min, kOwn>},
    {"V_MAX_NUM_F64", f64<2, Number::max, kOwn>},
    {"V_MINIMUM_F32", f32<2, Propagating::min, kOwn>},
    {"V_MAXIMUM_F32", f32<2, Propagating::max, kOwn>},
    {"V_MINIMUM3_F32", f32<3, Propagating3::min3, kOwn>},
    {"V_MAXIMUM3_F32", f32<3, Propagating3::max3, kOwn>},
    {"V_MAXIMUMMINIMUM_F32", f32<3, Propagating3::maxmin, kOwn>},
    {"V_MINIMUMMAXIMUM_F32", f32<3, Propagating3::minmax, kOwn>},
    {"V_MINIMUM_F16", f16<2, Propagating::min, kOwn>},
    {"V_MAXIMUM_F16", f16<2, Propagating::max, kOwn>},
    {"V_MINIMUM3_F16", f16<3, Propagating3::min3, kOwn>},
    {"V_MAXIMUM3_F16", f16<3, Propagating3::max3, kOwn>},
    {"V_MAXIMUMMINIMUM_F16", f16<3, Propagating3::maxmin, kOwn>},
    {"V_MINIMUMMAXIMUM_F16", f16<3, Propagating3::minmax, kOwn>},
    {"V_MINIMUM_F64", f64<2, Propagating::min, kOwn>},
    {"V_MAXIMUM_F64", f64<2, Propagating::max, kOwn>},
};

}  // namespace

std::span<const Semantic> float_minmax_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
