// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/state/wave.h"

#include <immintrin.h>

#include <bit>
#include <cstdint>

namespace halyard::emulator {
namespace {

// A 16 × 16 block, or four of 4 × 4; the depth is 4.
struct Shape {
  std::uint32_t size = 16;
  bool has_signs = false;  // gfx942: BLGP negates A, B and C
};

double number_at(const Wave& wave, std::uint32_t row, std::uint32_t lane) {
  return std::bit_cast<double>(wave.row(row)[lane] | std::uint64_t{wave.row(row + 1)[lane]} << 32);
}

double source_at(const Wave& wave, const Operand& source, std::uint32_t item, std::uint32_t lane) {
  if (!source.is_vector()) return std::bit_cast<double>(source.constant);
  return number_at(wave, source.index + 2 * item, lane);
}

// The lane that holds number k of a row of a block of A, or of a column of B.
template <std::uint32_t size>
std::uint32_t operand_lane(std::uint32_t major, std::uint32_t k, std::uint32_t block) {
  return 16 * k + (size == 4 ? 4 * block : 0) + major;
}

// A chain of fused multiplications and additions in the order of k, for each element of D.
template <Shape shape>
void multiply(Wave& wave, const Operation& operation) {
  constexpr std::uint32_t kItems = shape.size == 16 ? 4 : 1;
  const double sign_of_product =
      shape.has_signs && std::popcount(operation.blgp & 3U) == 1 ? -1.0 : 1.0;
  const double sign_of_c = shape.has_signs && (operation.blgp & 4) != 0 ? -1.0 : 1.0;
  alignas(32) double a[64];
  alignas(32) double b[64];
  alignas(32) double sums[kItems][64];
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    a[lane] = sign_of_product * number_at(wave, operation.source[0].index, lane);
    b[lane] = number_at(wave, operation.source[1].index, lane);
    for (std::uint32_t item = 0; item < kItems; ++item)
      sums[item][lane] = sign_of_c * source_at(wave, operation.source[2], item, lane);
  }
  // Four lanes have their columns side by side.
  for (std::uint32_t item = 0; item < kItems; ++item) {
    for (std::uint32_t lane = 0; lane < 64; lane += 4) {
      const std::uint32_t row = kItems == 4 ? 4 * item + lane / 16 : lane / 16;
      const std::uint32_t block = lane / 4 % 4;
      __m256d sum = _mm256_load_pd(&sums[item][lane]);
      for (std::uint32_t k = 0; k < 4; ++k) {
        const __m256d left = _mm256_broadcast_sd(&a[operand_lane<shape.size>(row, k, block)]);
        sum = _mm256_fmadd_pd(left, _mm256_load_pd(&b[16 * k + lane % 16]), sum);
      }
      _mm256_store_pd(&sums[item][lane], sum);
    }
  }
  for (std::uint32_t item = 0; item < kItems; ++item) {
    const std::uint32_t first = operation.destination[0].index + 2 * item;
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      const auto bits = std::bit_cast<std::uint64_t>(sums[item][lane]);
      wave.row(first)[lane] = static_cast<std::uint32_t>(bits);
      wave.row(first + 1)[lane] = static_cast<std::uint32_t>(bits >> 32);
    }
  }
}

template <Shape shape>
Handler choose(const Operation& operation, const SemanticContext& context) {
  const bool fits = context.lanes == 64 && operation.destination[0].is_vector() &&
                    operation.source[0].is_vector() && operation.source[1].is_vector() &&
                    is_matrix_source(operation.source[2]) && operation.cbsz == 0 &&
                    operation.abid == 0 && (shape.has_signs || operation.blgp == 0);
  return fits ? multiply<shape> : nullptr;
}

constexpr Semantic kSemantics[] = {
    {"V_MFMA_F64_16X16X4F64", choose<Shape{16, false}>},
    {"V_MFMA_F64_4X4X4F64", choose<Shape{4, false}>},
    {"V_MFMA_F64_16X16X4_F64", choose<Shape{16, true}>},
    {"V_MFMA_F64_4X4X4_4B_F64", choose<Shape{4, true}>},
};

}  // namespace

std::span<const Semantic> mfma_double_semantics() {
  return kSemantics;
}

}  // namespace halyard::emulator
