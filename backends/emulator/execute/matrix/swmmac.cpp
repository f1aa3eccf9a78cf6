// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/matrix_product.h"
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/execute/matrix/sparse_operand.h"
#include "backends/emulator/execute/matrix/wmma_kind.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

template <WmmaKind kind>
constexpr LaneLayout kSparse = wmma12_operand(kind.lanes, kind.k / 2, bits_of(kind.a), 4);

// D is C too. The low bits of OP_SEL say which indices of a dword.
template <WmmaKind kind>
void multiply(Wave& wave, const Operation& operation) {
  constexpr LaneLayout kDense = wmma12_operand(kind.lanes, kind.k, bits_of(kind.b), 8);
  constexpr LaneLayout kResult = wmma12_result(kind.lanes);
  alignas(32) float a[8 * kind.k];
  alignas(32) float b[16 * kind.k];
  alignas(32) float sums[256];
  std::uint8_t rows_of_b[kind.k / 2][16];

  constexpr std::uint32_t kBits = index_bits(kSparse<kind>);
  const std::uint32_t set = (operation.op_sel & 3U) % (32 / kBits);
  unpack_indices<kSparse<kind>, 16>(wave.row(operation.source[2].index), set * kBits % 32,
                                    rows_of_b);
  constexpr bool kHasSigns = !is_integer(kind.a);
  const OperandChange change_a = kHasSigns ? change_of_operand(operation, 0) : OperandChange{};
  const OperandChange change_b = kHasSigns ? change_of_operand(operation, 1) : OperandChange{};
  unpack<kind.a, kSparse<kind>, kind.k / 2>(wave.row(operation.source[0].index), kind.lanes,
                                            change_a, a);
  unpack<kind.b, kDense, kind.k>(wave.row(operation.source[1].index), kind.lanes, change_b, b);
  const Operand& result = operation.destination[0];
  load_sums<kResult, 16, kind.format>(wave, {}, result, sums);
  add_sparse_product<16, 16>(kind.k / 2, a, rows_of_b, b, sums);
  store_sums<kResult, 16, kind.format>(wave, result, result, sums);
}

template <Number a, Number b, ResultFormat format, std::uint32_t k>
Handler handler_of(const SemanticContext& context) {
  return context.lanes == 32 ? multiply<WmmaKind{32, k, a, b, format}>
                             : multiply<WmmaKind{64, k, a, b, format}>;
}

bool has_operands(const Operation& operation, const SemanticContext& context, Number number) {
  return context.generation == Generation::kGfx12 && operation.destination[0].is_vector() &&
         operation.source[0].is_vector() && operation.source[1].is_vector() &&
         operation.source[2].is_vector() && (operation.negate & 4) == 0 &&
         (operation.negate_high & 4) == 0 && are_wmma_modifiers_defined(operation, number);
}

template <Number a, Number b, ResultFormat format>
Handler choose(const Operation& operation, const SemanticContext& context) {
  if (!has_operands(operation, context, a)) return nullptr;
  return handler_of<a, b, format, 32>(context);
}

template <Number a, Number b, std::uint32_t k>
Handler clamped_or_not(const Operation& operation, const SemanticContext& context) {
  return operation.clamp ? handler_of<a, b, ResultFormat::kIntegerClamp, k>(context)
                         : handler_of<a, b, ResultFormat::kInteger, k>(context);
}

template <std::uint32_t bits, std::uint32_t k>
Handler choose_integer(const Operation& operation, const SemanticContext& context) {
  constexpr Number kSigned = bits == 8 ? Number::kI8 : Number::kI4;
  constexpr Number kUnsigned = bits == 8 ? Number::kU8 : Number::kU4;
  // Where four 4-bit numbers of a lane lie no document says.
  if (!has_operands(operation, context, kSigned) || (context.lanes == 64 && bits * k == 128))
    return nullptr;
  switch (operation.negate & 3) {
    case 0:
      return clamped_or_not<kUnsigned, kUnsigned, k>(operation, context);
    case 1:
      return clamped_or_not<kSigned, kUnsigned, k>(operation, context);
    case 2:
      return clamped_or_not<kUnsigned, kSigned, k>(operation, context);
    default:
      return clamped_or_not<kSigned, kSigned, k>(operation, context);
  }
}

constexpr Number kF16 = Number::kF16;
constexpr Number kBf16 = Number::kBf16;
constexpr Number kFp8 = Number::kE4m3;
constexpr Number kBf8 = Number::kE5m2;

constexpr Semantic kSemantics[] = {
    {"V_SWMMAC_F32_16X16X32_F16", choose<kF16, kF16, ResultFormat::kSingle>},
    {"V_SWMMAC_F32_16X16X32_BF16", choose<kBf16, kBf16, ResultFormat::kSingle>},
    {"V_SWMMAC_F16_16X16X32_F16", choose<kF16, kF16, ResultFormat::kHalfPacked>},
    {"V_SWMMAC_BF16_16X16X32_BF16", choose<kBf16, kBf16, ResultFormat::kBrainPacked>},
    {"V_SWMMAC_I32_16X16X32_IU8", choose_integer<8, 32>},
    {"V_SWMMAC_I32_16X16X32_IU4", choose_integer<4, 32>},
    {"V_SWMMAC_I32_16X16X64_IU4", choose_integer<4, 64>},
    {"V_SWMMAC_F32_16X16X32_BF8_BF8", choose<kBf8, kBf8, ResultFormat::kSingle>},
    {"V_SWMMAC_F32_16X16X32_BF8_FP8", choose<kBf8, kFp8, ResultFormat::kSingle>},
    {"V_SWMMAC_F32_16X16X32_FP8_BF8", choose<kFp8, kBf8, ResultFormat::kSingle>},
    {"V_SWMMAC_F32_16X16X32_FP8_FP8", choose<kFp8, kFp8, ResultFormat::kSingle>},
};

}  // namespace

std::span<const Semantic> swmmac_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
