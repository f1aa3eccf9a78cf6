// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

namespace halyard::emulator {
namespace lanes {

bool scales_result(const Wave& wave, const Operation& operation, std::uint8_t denormals) {
  return operation.output_modifier != 0 && (is_gfx12(wave) || (denormals & 2) == 0);
}

}  // namespace lanes

namespace {

using namespace lanes;

constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kMul = [](auto a, auto b) { return a * b; };
constexpr auto kFma = [](auto a, auto b, auto c) {
  return FormatOf<decltype(a)>::Type::fma(a, b, c);
};
constexpr auto kFmaHalf = [](F32 a, F32 b, F32 c) { return multiply_add_odd(a, b, c); };
// Rounded twice, and without denormals, as gfx9 has it.
constexpr auto kMad = [](F32 a, F32 b, F32 c) {
  F32 product = a * b;
  asm("" : "+x"(product));  // not to be contracted
  return product + c;
};
// Zero times anything is +0, and adds nothing.
constexpr auto kMulZero = [](F32 a, F32 b) {
  const U32 zero = (U32)(a == 0.0f) | (U32)(b == 0.0f);
  return as_f32(as_u32(a * b) & ~zero);
};
constexpr auto kFmaZero = [](F32 a, F32 b, F32 c) {
  const U32 zero = (U32)(a == 0.0f) | (U32)(b == 0.0f);
  return select(zero, quieted(c), SingleFormat::fma(a, b, c));
};

constexpr FloatTraits kFirst{};
constexpr FloatTraits kSub{.flipped = 2};
constexpr FloatTraits kSubRev{.flipped = 1};
constexpr FloatTraits kFused{.nan = NanRule::kMultiplyAdd};
constexpr FloatTraits kFusedKeeping{.nan = NanRule::kMultiplyAdd, .clears_on_gfx9 = false};
constexpr FloatTraits kAccumulating{.nan = NanRule::kMultiplyAdd, .accumulates = true};
constexpr FloatTraits kFlushing{.nan = NanRule::kMultiplyAdd, .flushes_denormals = true};
constexpr FloatTraits kFlushingAccumulating{
    .nan = NanRule::kMultiplyAdd, .accumulates = true, .flushes_denormals = true};

constexpr Semantic kSingle[] = {
    {"V_ADD_F32", f32<2, kAdd>},
    {"V_DUAL_ADD_F32", f32<2, kAdd>},
    {"V_SUB_F32", f32<2, kAdd, kSub>},
    {"V_DUAL_SUB_F32", f32<2, kAdd, kSub>},
    {"V_SUBREV_F32", f32<2, kAdd, kSubRev>},
    {"V_DUAL_SUBREV_F32", f32<2, kAdd, kSubRev>},
    {"V_MUL_F32", f32<2, kMul>},
    {"V_DUAL_MUL_F32", f32<2, kMul>},
    {"V_MUL_LEGACY_F32", f32<2, kMulZero>},
    {"V_MUL_DX9_ZERO_F32", f32<2, kMulZero>},
    {"V_DUAL_MUL_DX9_ZERO_F32", f32<2, kMulZero>},
    {"V_FMA_F32", f32<3, kFma, kFused>},
    {"V_FMAC_F32", f32<3, kFma, kAccumulating>},
    {"V_DUAL_FMAC_F32", f32<3, kFma, kAccumulating>},
    {"V_FMAAK_F32", f32<3, kFma, kFused>},
    {"V_DUAL_FMAAK_F32", f32<3, kFma, kFused>},
    {"V_FMAMK_F32", f32<3, kFma, kFused>},
    {"V_DUAL_FMAMK_F32", f32<3, kFma, kFused>},
    {"V_FMA_DX9_ZERO_F32", f32<3, kFmaZero>},
    {"V_FMAC_DX9_ZERO_F32", f32<3, kFmaZero, FloatTraits{.accumulates = true}>},
    {"V_MAD_F32", f32<3, kMad, kFlushing>},
    {"V_MADAK_F32", f32<3, kMad, kFlushing>},
    {"V_MADMK_F32", f32<3, kMad, kFlushing>},
    {"V_MAC_F32", f32<3, kMad, kFlushingAccumulating>},
};

constexpr Semantic kHalf[] = {
    {"V_ADD_F16", f16<2, kAdd>},
    {"V_SUB_F16", f16<2, kAdd, kSub>},
    {"V_SUBREV_F16", f16<2, kAdd, kSubRev>},
    {"V_MUL_F16", f16<2, kMul>},
    {"V_FMA_F16", f16<3, kFmaHalf, kFusedKeeping>},
    {"V_FMA_LEGACY_F16", f16<3, kFmaHalf, kFused>},
    {"V_FMAC_F16", f16<3, kFmaHalf, kAccumulating>},
    {"V_FMAAK_F16", f16<3, kFmaHalf, kFused>},
    {"V_FMAMK_F16", f16<3, kFmaHalf, kFused>},
};

}  // namespace

std::span<const Semantic> vector_float_semantics() {
  static constexpr auto kAll = join(kSingle, kHalf);
  return kAll;
}

}  // namespace halyard::emulator
