// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/matrix_product.h"
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/execute/matrix/wmma_kind.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

template <bool is_gfx12>
constexpr LaneLayout operand_layout(const WmmaKind& kind) {
  return is_gfx12 ? wmma12_operand(kind.lanes, kind.k, bits_of(kind.a), 4) : wmma11_operand();
}

template <bool is_gfx12>
constexpr LaneLayout result_layout(const WmmaKind& kind) {
  return is_gfx12 ? wmma12_result(kind.lanes) : wmma11_result(kind.lanes);
}

template <WmmaKind kind, bool is_gfx12>
void multiply(Wave& wave, const Operation& operation) {
  constexpr LaneLayout kOperand = operand_layout<is_gfx12>(kind);
  constexpr LaneLayout kResult = result_layout<is_gfx12>(kind);
  alignas(32) float a[16 * kind.k];
  alignas(32) float b[16 * kind.k];
  alignas(32) float sums[256];
  constexpr bool kHasSigns = !is_integer(kind.a);
  const OperandChange change_a = kHasSigns ? change_of_operand(operation, 0) : OperandChange{};
  const OperandChange change_b = kHasSigns ? change_of_operand(operation, 1) : OperandChange{};
  unpack<kind.a, kOperand, kind.k>(wave.row(operation.source[0].index), kind.lanes, change_a, a);
  unpack<kind.b, kOperand, kind.k>(wave.row(operation.source[1].index), kind.lanes, change_b, b);
  load_sums<kResult, 16, kind.format>(wave, change_of_source(operation), operation.source[2], sums);
  add_product<16, 16>(kind.k, a, b, sums);
  store_sums<kResult, 16, kind.format>(wave, operation.source[2], operation.destination[0], sums);
}

template <Number a, Number b, ResultFormat format, std::uint32_t k>
Handler handler_of(const SemanticContext& context) {
  if (context.generation == Generation::kGfx12) {
    return context.lanes == 32 ? multiply<WmmaKind{32, k, a, b, format}, true>
                               : multiply<WmmaKind{64, k, a, b, format}, true>;
  }
  if constexpr (k == 16 && !is_byte_float(a)) {
    return context.lanes == 32 ? multiply<WmmaKind{32, k, a, b, format}, false>
                               : multiply<WmmaKind{64, k, a, b, format}, false>;
  }
  return nullptr;
}

bool has_operands(const Operation& operation, Number number) {
  return operation.destination[0].is_vector() && operation.source[0].is_vector() &&
         operation.source[1].is_vector() && is_matrix_source(operation.source[2]) &&
         are_wmma_modifiers_defined(operation, number);
}

template <Number a, Number b>
Handler choose_single(const Operation& operation, const SemanticContext& context) {
  if (context.generation == Generation::kGfx9 || !has_operands(operation, a)) return nullptr;
  return handler_of<a, b, ResultFormat::kSingle, 16>(context);
}

// f16 and bf16: gfx11 fills one half of each register, that which OP_SEL says; gfx12 both. What an
// inline constant other than 0 is as a bf16 no document says.
template <Number number, ResultFormat low, ResultFormat high, ResultFormat packed>
Handler choose_half(const Operation& operation, const SemanticContext& context) {
  const bool is_constant = !operation.source[2].is_vector();
  const bool is_known = !is_constant || number == Number::kF16 || operation.source[2].constant == 0;
  if (context.generation == Generation::kGfx9 || !is_known || !has_operands(operation, number))
    return nullptr;
  if (context.generation == Generation::kGfx12)
    return handler_of<number, number, packed, 16>(context);
  return (operation.op_sel & 4) != 0 ? handler_of<number, number, high, 16>(context)
                                     : handler_of<number, number, low, 16>(context);
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
  if (context.generation == Generation::kGfx9 || !has_operands(operation, kSigned) ||
      !result_is_apart(operation.source[2], operation.destination[0], 256 / context.lanes))
    return nullptr;
  // Where four 4-bit numbers of a lane lie no document says.
  if (context.generation == Generation::kGfx12 && context.lanes == 64 && bits * k == 64)
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

constexpr HandlerChoice kHalf = choose_half<Number::kF16, ResultFormat::kHalfLow,
                                            ResultFormat::kHalfHigh, ResultFormat::kHalfPacked>;
constexpr HandlerChoice kBrain = choose_half<Number::kBf16, ResultFormat::kBrainLow,
                                             ResultFormat::kBrainHigh, ResultFormat::kBrainPacked>;

constexpr Semantic kSemantics[] = {
    {"V_WMMA_F32_16X16X16_F16", choose_single<Number::kF16, Number::kF16>},
    {"V_WMMA_F32_16X16X16_BF16", choose_single<Number::kBf16, Number::kBf16>},
    {"V_WMMA_F16_16X16X16_F16", kHalf},
    {"V_WMMA_BF16_16X16X16_BF16", kBrain},
    {"V_WMMA_I32_16X16X16_IU8", choose_integer<8, 16>},
    {"V_WMMA_I32_16X16X16_IU4", choose_integer<4, 16>},
    {"V_WMMA_I32_16X16X32_IU4", choose_integer<4, 32>},
    {"V_WMMA_F32_16X16X16_BF8_BF8", choose_single<Number::kE5m2, Number::kE5m2>},
    {"V_WMMA_F32_16X16X16_BF8_FP8", choose_single<Number::kE5m2, Number::kE4m3>},
    {"V_WMMA_F32_16X16X16_FP8_BF8", choose_single<Number::kE4m3, Number::kE5m2>},
    {"V_WMMA_F32_16X16X16_FP8_FP8", choose_single<Number::kE4m3, Number::kE4m3>},
};

}  // namespace

std::span<const Semantic> wmma_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
