// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_operand.h"
#include "backends/emulator/execute/matrix/matrix_product.h"
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/execute/matrix/sparse_operand.h"
#include "backends/emulator/state/wave.h"

#include <cstdint>

namespace halyard::emulator {
namespace {

struct Shape {
  std::uint32_t size = 16;  // M and N
  std::uint32_t k = 32;     // of B; A has half of it
  Number a = Number::kF16;
  Number b = Number::kF16;
};

template <Shape shape>
constexpr LaneLayout kSparse = mfma_operand(shape.size, 1, shape.size* shape.k / 128);

// D is C too. CBSZ other than 0 takes the first set of indices, else ABID says which.
template <Shape shape>
void multiply(Wave& wave, const Operation& operation) {
  constexpr std::uint32_t kSize = shape.size;
  constexpr LaneLayout kDense = mfma_operand(kSize, 1, kSize * shape.k / 64);
  constexpr LaneLayout kResult = mfma_result(kSize, 1);
  constexpr ResultFormat kFormat =
      is_integer(shape.a) ? ResultFormat::kInteger : ResultFormat::kSingle;
  alignas(32) float a[std::size_t{kSize} * shape.k / 2];
  alignas(32) float b[std::size_t{kSize} * shape.k];
  alignas(32) float sums[std::size_t{kSize} * kSize];
  std::uint8_t rows_of_b[shape.k / 2][kSize];

  const std::uint32_t set = operation.cbsz != 0 ? 0 : operation.abid;
  unpack_indices<kSparse<shape>, kSize>(wave.row(operation.source[2].index),
                                        set * index_bits(kSparse<shape>), rows_of_b);
  unpack<shape.a, kSparse<shape>, shape.k / 2>(wave.row(operation.source[0].index), 64, {}, a);
  unpack<shape.b, kDense, shape.k>(wave.row(operation.source[1].index), 64, {}, b);
  load_sums<kResult, kSize, kFormat>(wave, {}, operation.destination[0], sums);
  add_sparse_product<kSize, kSize>(shape.k / 2, a, rows_of_b, b, sums);
  store_sums<kResult, kSize, kFormat>(wave, operation.destination[0], operation.destination[0],
                                      sums);
}

template <Shape shape>
Handler choose(const Operation& operation, const SemanticContext& context) {
  constexpr std::uint32_t kSets = 32 / index_bits(kSparse<shape>);
  const bool fits = context.lanes == 64 && operation.destination[0].is_vector() &&
                    operation.source[0].is_vector() && operation.source[1].is_vector() &&
                    operation.source[2].is_vector() && operation.blgp == 0 &&
                    (operation.cbsz != 0 || operation.abid < kSets);
  return fits ? multiply<shape> : nullptr;
}

template <Number a, Number b, std::uint32_t size, std::uint32_t k>
constexpr HandlerChoice kSmfmac = choose<Shape{size, k, a, b}>;

constexpr Number kFp8 = Number::kE4m3Fnuz;
constexpr Number kBf8 = Number::kE5m2Fnuz;

constexpr Semantic kSemantics[] = {
    {"V_SMFMAC_F32_16X16X32_F16", kSmfmac<Number::kF16, Number::kF16, 16, 32>},
    {"V_SMFMAC_F32_32X32X16_F16", kSmfmac<Number::kF16, Number::kF16, 32, 16>},
    {"V_SMFMAC_F32_16X16X32_BF16", kSmfmac<Number::kBf16, Number::kBf16, 16, 32>},
    {"V_SMFMAC_F32_32X32X16_BF16", kSmfmac<Number::kBf16, Number::kBf16, 32, 16>},
    {"V_SMFMAC_I32_16X16X64_I8", kSmfmac<Number::kI8, Number::kI8, 16, 64>},
    {"V_SMFMAC_I32_32X32X32_I8", kSmfmac<Number::kI8, Number::kI8, 32, 32>},
    {"V_SMFMAC_F32_16X16X64_BF8_BF8", kSmfmac<kBf8, kBf8, 16, 64>},
    {"V_SMFMAC_F32_16X16X64_BF8_FP8", kSmfmac<kBf8, kFp8, 16, 64>},
    {"V_SMFMAC_F32_16X16X64_FP8_BF8", kSmfmac<kFp8, kBf8, 16, 64>},
    {"V_SMFMAC_F32_16X16X64_FP8_FP8", kSmfmac<kFp8, kFp8, 16, 64>},
    {"V_SMFMAC_F32_32X32X32_BF8_BF8", kSmfmac<kBf8, kBf8, 32, 32>},
    {"V_SMFMAC_F32_32X32X32_BF8_FP8", kSmfmac<kBf8, kFp8, 32, 32>},
    {"V_SMFMAC_F32_32X32X32_FP8_BF8", kSmfmac<kFp8, kBf8, 32, 32>},
    {"V_SMFMAC_F32_32X32X32_FP8_FP8", kSmfmac<kFp8, kFp8, 32, 32>},
};

}  // namespace

std::span<const Semantic> smfmac_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
