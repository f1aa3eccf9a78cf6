// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/matrix_product.h"
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/state/wave.h"

#include <xmmintrin.h>

#include <cstdint>

namespace halyard::emulator {
namespace {

struct Shape {
  std::uint32_t size = 16;  // M and N
  std::uint32_t k = 1;
  std::uint32_t blocks = 1;
  Number a = Number::kF32;
  Number b = Number::kF32;
  // gfx90a takes denormals of f16 and bf16 for 0, and gives none.
  bool flushes = false;
  // CBSZ, ABID and BLGP are defined.
  bool has_modifiers = true;
};

// The 16 lanes of B that each 16 lanes take theirs from, by BLGP.
constexpr std::uint32_t kGroups[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}, {1, 2, 3, 0},
                                         {0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}};

// Denormals are 0 to the processor while it lives.
class FlushScope {
 public:
  explicit FlushScope(bool flushes) : old_(_mm_getcsr()) {
    constexpr std::uint32_t kFlush = 0x8040;
    if (flushes) _mm_setcsr(old_ | kFlush);
  }
  ~FlushScope() { _mm_setcsr(old_); }
  FlushScope(const FlushScope&) = delete;
  FlushScope& operator=(const FlushScope&) = delete;

 private:
  std::uint32_t old_;
};

OperandChange change_of(const Shape& shape, Number number) {
  OperandChange change;
  if (shape.flushes) change.least = number == Number::kF16 ? 0x1p-14F : 0x1p-126F;
  return change;
}

template <Shape shape>
void multiply(Wave& wave, const Operation& operation) {
  constexpr std::uint32_t kSize = shape.size;
  constexpr std::uint32_t kItems = kSize * shape.k * shape.blocks / 64;
  constexpr LaneLayout kOperand = mfma_operand(kSize, shape.blocks, kItems);
  constexpr LaneLayout kResult = mfma_result(kSize, shape.blocks);
  constexpr ResultFormat kFormat =
      is_integer(shape.a) ? ResultFormat::kInteger : ResultFormat::kSingle;
  alignas(32) float a[std::size_t{kSize} * shape.k * shape.blocks];
  alignas(32) float b[std::size_t{kSize} * shape.k * shape.blocks];
  alignas(32) float sums[std::size_t{kSize} * kSize * shape.blocks];

  unpack<shape.a, kOperand, shape.k>(wave.row(operation.source[0].index), 64,
                                     change_of(shape, shape.a), a);
  OperandChange change_b = change_of(shape, shape.b);
  for (std::uint32_t group = 0; group < 4; ++group)
    change_b.group_of_16[group] = kGroups[operation.blgp & 7][group];
  unpack<shape.b, kOperand, shape.k>(wave.row(operation.source[1].index), 64, change_b, b);
  load_sums<kResult, kSize, kFormat>(wave, {}, operation.source[2], sums);
  {
    const FlushScope scope(shape.flushes);
    const std::uint32_t sharing = (1U << operation.cbsz) - 1;
    for (std::uint32_t block = 0; block < shape.blocks; ++block) {
      const std::uint32_t of_a = (block & ~sharing) + operation.abid;
      add_product<kSize, kSize>(shape.k, a + std::size_t{of_a} * shape.k * kSize,
                                b + std::size_t{block} * shape.k * kSize,
                                sums + std::size_t{block} * kSize * kSize);
    }
  }
  store_sums<kResult, kSize, kFormat>(wave, operation.source[2], operation.destination[0], sums);
}

// One of each 2^CBSZ blocks of A, that which ABID says, is for all of them.
bool are_modifiers_defined(const Shape& shape, const Operation& operation) {
  const bool has_any = operation.cbsz != 0 || operation.abid != 0 || operation.blgp != 0;
  if (!has_any) return true;
  if (!shape.has_modifiers || operation.cbsz > 4 || operation.blgp > 7) return false;
  const std::uint32_t sharing = 1U << operation.cbsz;
  return sharing <= shape.blocks && operation.abid < sharing;
}

template <Shape shape>
Handler choose(const Operation& operation, const SemanticContext& context) {
  constexpr std::uint32_t kRegisters = shape.size * shape.size * shape.blocks / 64;
  const bool is_apart = !is_integer(shape.a) ||
                        result_is_apart(operation.source[2], operation.destination[0], kRegisters);
  const bool fits = context.lanes == 64 && operation.destination[0].is_vector() &&
                    operation.source[0].is_vector() && operation.source[1].is_vector() &&
                    is_matrix_source(operation.source[2]) && is_apart &&
                    are_modifiers_defined(shape, operation);
  return fits ? multiply<shape> : nullptr;
}

template <Number number, std::uint32_t size, std::uint32_t k, std::uint32_t blocks>
constexpr HandlerChoice kMfma = choose<Shape{size, k, blocks, number, number, false, true}>;

template <Number number, std::uint32_t size, std::uint32_t k, std::uint32_t blocks>
constexpr HandlerChoice kFlushed = choose<Shape{size, k, blocks, number, number, true, true}>;

template <Number a, Number b, std::uint32_t size, std::uint32_t k>
constexpr HandlerChoice kPlain = choose<Shape{size, k, 1, a, b, false, false}>;

constexpr Semantic kSemantics[] = {
    {"V_MFMA_F32_32X32X1F32", kMfma<Number::kF32, 32, 1, 2>},
    {"V_MFMA_F32_16X16X1F32", kMfma<Number::kF32, 16, 1, 4>},
    {"V_MFMA_F32_4X4X1F32", kMfma<Number::kF32, 4, 1, 16>},
    {"V_MFMA_F32_32X32X2F32", kMfma<Number::kF32, 32, 2, 1>},
    {"V_MFMA_F32_16X16X4F32", kMfma<Number::kF32, 16, 4, 1>},
    {"V_MFMA_F32_32X32X4F16", kFlushed<Number::kF16, 32, 4, 2>},
    {"V_MFMA_F32_16X16X4F16", kFlushed<Number::kF16, 16, 4, 4>},
    {"V_MFMA_F32_4X4X4F16", kFlushed<Number::kF16, 4, 4, 16>},
    {"V_MFMA_F32_32X32X8F16", kFlushed<Number::kF16, 32, 8, 1>},
    {"V_MFMA_F32_16X16X16F16", kFlushed<Number::kF16, 16, 16, 1>},
    {"V_MFMA_F32_32X32X2BF16", kFlushed<Number::kBf16, 32, 2, 2>},
    {"V_MFMA_F32_16X16X2BF16", kFlushed<Number::kBf16, 16, 2, 4>},
    {"V_MFMA_F32_4X4X2BF16", kFlushed<Number::kBf16, 4, 2, 16>},
    {"V_MFMA_F32_32X32X4BF16", kFlushed<Number::kBf16, 32, 4, 1>},
    {"V_MFMA_F32_16X16X8BF16", kFlushed<Number::kBf16, 16, 8, 1>},
    {"V_MFMA_F32_32X32X4BF16_1K", kFlushed<Number::kBf16, 32, 4, 2>},
    {"V_MFMA_F32_16X16X4BF16_1K", kFlushed<Number::kBf16, 16, 4, 4>},
    {"V_MFMA_F32_4X4X4BF16_1K", kFlushed<Number::kBf16, 4, 4, 16>},
    {"V_MFMA_F32_32X32X8BF16_1K", kFlushed<Number::kBf16, 32, 8, 1>},
    {"V_MFMA_F32_16X16X16BF16_1K", kFlushed<Number::kBf16, 16, 16, 1>},
    {"V_MFMA_I32_32X32X4I8", kMfma<Number::kI8, 32, 4, 2>},
    {"V_MFMA_I32_16X16X4I8", kMfma<Number::kI8, 16, 4, 4>},
    {"V_MFMA_I32_4X4X4I8", kMfma<Number::kI8, 4, 4, 16>},
    {"V_MFMA_I32_32X32X8I8", kMfma<Number::kI8, 32, 8, 1>},
    {"V_MFMA_I32_16X16X16I8", kMfma<Number::kI8, 16, 16, 1>},
    {"V_MFMA_F32_32X32X1_2B_F32", kMfma<Number::kF32, 32, 1, 2>},
    {"V_MFMA_F32_16X16X1_4B_F32", kMfma<Number::kF32, 16, 1, 4>},
    {"V_MFMA_F32_4X4X1_16B_F32", kMfma<Number::kF32, 4, 1, 16>},
    {"V_MFMA_F32_32X32X2_F32", kMfma<Number::kF32, 32, 2, 1>},
    {"V_MFMA_F32_16X16X4_F32", kMfma<Number::kF32, 16, 4, 1>},
    {"V_MFMA_F32_32X32X4_2B_F16", kMfma<Number::kF16, 32, 4, 2>},
    {"V_MFMA_F32_16X16X4_4B_F16", kMfma<Number::kF16, 16, 4, 4>},
    {"V_MFMA_F32_4X4X4_16B_F16", kMfma<Number::kF16, 4, 4, 16>},
    {"V_MFMA_F32_32X32X8_F16", kMfma<Number::kF16, 32, 8, 1>},
    {"V_MFMA_F32_16X16X16_F16", kMfma<Number::kF16, 16, 16, 1>},
    {"V_MFMA_F32_32X32X4_2B_BF16", kMfma<Number::kBf16, 32, 4, 2>},
    {"V_MFMA_F32_16X16X4_4B_BF16", kMfma<Number::kBf16, 16, 4, 4>},
    {"V_MFMA_F32_4X4X4_16B_BF16", kMfma<Number::kBf16, 4, 4, 16>},
    {"V_MFMA_F32_32X32X8_BF16", kMfma<Number::kBf16, 32, 8, 1>},
    {"V_MFMA_F32_16X16X16_BF16", kMfma<Number::kBf16, 16, 16, 1>},
    {"V_MFMA_I32_32X32X4_2B_I8", kMfma<Number::kI8, 32, 4, 2>},
    {"V_MFMA_I32_16X16X4_4B_I8", kMfma<Number::kI8, 16, 4, 4>},
    {"V_MFMA_I32_4X4X4_16B_I8", kMfma<Number::kI8, 4, 4, 16>},
    {"V_MFMA_I32_32X32X16_I8", kPlain<Number::kI8, Number::kI8, 32, 16>},
    {"V_MFMA_I32_16X16X32_I8", kPlain<Number::kI8, Number::kI8, 16, 32>},
    // That the low bits of xf32 are dropped and not rounded is how AMD's libraries compare.
    {"V_MFMA_F32_16X16X8_XF32", kPlain<Number::kXf32, Number::kXf32, 16, 8>},
    {"V_MFMA_F32_32X32X4_XF32", kPlain<Number::kXf32, Number::kXf32, 32, 4>},
    {"V_MFMA_F32_16X16X32_BF8_BF8", kPlain<Number::kE5m2Fnuz, Number::kE5m2Fnuz, 16, 32>},
    {"V_MFMA_F32_16X16X32_BF8_FP8", kPlain<Number::kE5m2Fnuz, Number::kE4m3Fnuz, 16, 32>},
    {"V_MFMA_F32_16X16X32_FP8_BF8", kPlain<Number::kE4m3Fnuz, Number::kE5m2Fnuz, 16, 32>},
    {"V_MFMA_F32_16X16X32_FP8_FP8", kPlain<Number::kE4m3Fnuz, Number::kE4m3Fnuz, 16, 32>},
    {"V_MFMA_F32_32X32X16_BF8_BF8", kPlain<Number::kE5m2Fnuz, Number::kE5m2Fnuz, 32, 16>},
    {"V_MFMA_F32_32X32X16_BF8_FP8", kPlain<Number::kE5m2Fnuz, Number::kE4m3Fnuz, 32, 16>},
    {"V_MFMA_F32_32X32X16_FP8_BF8", kPlain<Number::kE4m3Fnuz, Number::kE5m2Fnuz, 32, 16>},
    {"V_MFMA_F32_32X32X16_FP8_FP8", kPlain<Number::kE4m3Fnuz, Number::kE4m3Fnuz, 32, 16>},
};

}  // namespace

std::span<const Semantic> mfma_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
