// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/approximate_functions.h"
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

// The instructions whose accuracy the hardware only bounds. They are computed in double precision
// and rounded once to the nearest whatever MODE says, so results may differ from those of a device
// within its bounds. Those of 32 bits take and give zero for denormals, as the hardware does.
namespace halyard::emulator {
namespace {

using namespace lanes;

template <auto kFunction>
constexpr auto single = [](F32 x) {
  return map(x, [](float value) { return static_cast<float>(kFunction(double{value})); });
};
template <auto kFunction>
constexpr auto half =
    [](F32 x) { return map(x, [](float value) { return narrow_odd(kFunction(double{value})); }); };
// Functions of four doubles, rounded to floats.
template <auto kFunction, bool kOdd>
constexpr auto wide = [](F32 x) {
  const F64 low = kFunction(low_half_as_doubles(x));
  const F64 high = kFunction(high_half_as_doubles(x));
  if constexpr (kOdd) return narrow_odd(low, high);
  return (F32)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
};
constexpr auto kReciprocal = [](F64 x) { return 1.0 / x; };
constexpr auto kRoot = [](F64 x) { return (F64)_mm256_sqrt_pd((__m256d)x); };
constexpr auto kReciprocalRoot = [](F64 x) { return 1.0 / (F64)_mm256_sqrt_pd((__m256d)x); };

constexpr FloatTraits kFlushing{.flushes_denormals = true, .rounds_to_nearest = true};
constexpr FloatTraits kNearest{.rounds_to_nearest = true};

constexpr Semantic kAll[] = {
    {"V_RCP_F32", f32<1, wide<kReciprocal, false>, kFlushing>},
    {"V_RCP_IFLAG_F32", f32<1, wide<kReciprocal, false>, kFlushing>},
    {"V_RSQ_F32", f32<1, wide<kReciprocalRoot, false>, kFlushing>},
    {"V_SQRT_F32", f32<1, wide<kRoot, false>, kFlushing>},
    {"V_EXP_F32", f32<1, single<power_of_two>, kFlushing>},
    {"V_LOG_F32", f32<1, single<logarithm_of_two>, kFlushing>},
    {"V_SIN_F32", f32<1, single<sine_of_turns>, kFlushing>},
    {"V_COS_F32", f32<1, single<cosine_of_turns>, kFlushing>},
    {"V_RCP_F16", f16<1, wide<kReciprocal, true>, kNearest>},
    {"V_RSQ_F16", f16<1, wide<kReciprocalRoot, true>, kNearest>},
    {"V_SQRT_F16", f16<1, wide<kRoot, true>, kNearest>},
    {"V_EXP_F16", f16<1, half<power_of_two>, kNearest>},
    {"V_LOG_F16", f16<1, half<logarithm_of_two>, kNearest>},
    {"V_SIN_F16", f16<1, half<sine_of_turns>, kNearest>},
    {"V_COS_F16", f16<1, half<cosine_of_turns>, kNearest>},
    {"V_RCP_F64", f64<1, kReciprocal>},
    {"V_RSQ_F64", f64<1, kReciprocalRoot>},
    {"V_SQRT_F64", f64<1, kRoot>},
};

}  // namespace

std::span<const Semantic> float_approximate_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
