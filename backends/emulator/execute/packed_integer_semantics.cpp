// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/integer_blocks.h"
#include "backends/emulator/execute/packed_rows.h"
#include "backends/emulator/execute/semantic_parts.h"

#include <type_traits>

namespace halyard::emulator {
namespace {

using namespace lanes;

constexpr auto kNone = 0;

template <int kCount, auto kFunction, auto kSaturated>
Handler packed(const Operation& operation, const SemanticContext&) {
  if (!has_vector_form(operation, kCount) || operation.negate != 0 || operation.absolute != 0 ||
      operation.negate_high != 0 || operation.output_modifier != 0) {
    return nullptr;
  }
  if (!operation.clamp) return &run_packed_u16<kCount, kFunction>;
  if constexpr (std::is_same_v<decltype(kSaturated), int>) {
    return nullptr;
  } else {
    return &run_packed_u16<kCount, kSaturated>;
  }
}

constexpr auto kAdd = [](U32 a, U32 b) { return a + b; };
constexpr auto kSub = [](U32 a, U32 b) { return a - b; };
constexpr auto kMul = [](U32 a, U32 b) { return a * b; };
constexpr auto kMad = [](U32 a, U32 b, U32 c) { return a * b + c; };
constexpr auto kAddU = [](U32 a, U32 b) { return min_u(a + b, fill(0xffffu)); };
constexpr auto kSubU = [](U32 a, U32 b) { return saturate_u16(a - b); };
constexpr auto kMadU = [](U32 a, U32 b, U32 c) { return min_u(a * b + c, fill(0xffffu)); };
constexpr auto kAddI = [](U32 a, U32 b) { return saturate_i16(sign16(a) + sign16(b)); };
constexpr auto kSubI = [](U32 a, U32 b) { return saturate_i16(sign16(a) - sign16(b)); };
constexpr auto kMadI = [](U32 a, U32 b, U32 c) {
  return saturate_i16(sign16(a) * sign16(b) + sign16(c));
};
constexpr auto kMinI = [](U32 a, U32 b) { return min_i(sign16(a), sign16(b)); };
constexpr auto kMaxI = [](U32 a, U32 b) { return max_i(sign16(a), sign16(b)); };
constexpr auto kLeft = [](U32 a, U32 b) { return b << (a & 15u); };
constexpr auto kRight = [](U32 a, U32 b) { return b >> (a & 15u); };
constexpr auto kRightSigned = [](U32 a, U32 b) { return (U32)((I32)sign16(b) >> (I32)(a & 15u)); };

constexpr Semantic kAll[] = {
    {"V_PK_ADD_U16", packed<2, kAdd, kAddU>},
    {"V_PK_SUB_U16", packed<2, kSub, kSubU>},
    {"V_PK_ADD_I16", packed<2, kAdd, kAddI>},
    {"V_PK_SUB_I16", packed<2, kSub, kSubI>},
    {"V_PK_MUL_LO_U16", packed<2, kMul, kNone>},
    {"V_PK_MAD_U16", packed<3, kMad, kMadU>},
    {"V_PK_MAD_I16", packed<3, kMad, kMadI>},
    {"V_PK_MIN_U16", packed<2, min_u, kNone>},
    {"V_PK_MAX_U16", packed<2, max_u, kNone>},
    {"V_PK_MIN_I16", packed<2, kMinI, kNone>},
    {"V_PK_MAX_I16", packed<2, kMaxI, kNone>},
    {"V_PK_LSHLREV_B16", packed<2, kLeft, kNone>},
    {"V_PK_LSHRREV_B16", packed<2, kRight, kNone>},
    {"V_PK_ASHRREV_I16", packed<2, kRightSigned, kNone>},
};

}  // namespace

std::span<const Semantic> packed_integer_semantics() {
  return kAll;
}

}  // namespace halyard::emulator
