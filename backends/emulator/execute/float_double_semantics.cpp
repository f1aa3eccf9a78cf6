// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/float_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

namespace halyard::emulator {
namespace {

using namespace lanes;

constexpr auto kAdd = [](F64 a, F64 b) { return a + b; };
constexpr auto kMul = [](F64 a, F64 b) { return a * b; };
constexpr auto kFma = [](F64 a, F64 b, F64 c) { return DoubleFormat::fma(a, b, c); };
constexpr FloatTraits kFused{.nan = NanRule::kMultiplyAdd};
constexpr FloatTraits kAccumulating{.nan = NanRule::kMultiplyAdd, .accumulates = true};

constexpr Semantic kAll[] = {
    {"V_ADD_F64", f64<2, kAdd>},
    {"V_MUL_F64", f64<2, kMul>},
    {"V_FMA_F64", f64<3, kFma, kFused>},
    {"V_FMAC_F64", f64<3, kFma, kAccumulating>},
};

}  // namespace

std::span<const Semantic> float_double_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
