// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/execute/matrix/matrix_result.h"
#include "backends/emulator/execute/matrix/matrix_tables.h"
#include "backends/emulator/state/wave.h"

#include <bit>
#include <cmath>
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

// The lane that holds element (row or column `major`, k) of a block of A or B.
template <std::uint32_t size>
std::uint32_t operand_lane(std::uint32_t major, std::uint32_t k, std::uint32_t block) {
  return 16 * k + (size == 4 ? 4 * block : 0) + major;
}

// A chain of fused multiplications and additions in the order of k.
template <Shape shape>
void multiply(Wave& wave, const Operation& operation) {
  constexpr std::uint32_t kItems = shape.size == 16 ? 4 : 1;
  const double sign_of_product =
      shape.has_signs && std::popcount(operation.blgp & 3U) == 1 ? -1.0 : 1.0;
  const double sign_of_c = shape.has_signs && (operation.blgp & 4) != 0 ? -1.0 : 1.0;
  double results[kItems][64];
  for (std::uint32_t item = 0; item < kItems; ++item) {
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      const std::uint32_t row = kItems == 4 ? 4 * item + lane / 16 : lane / 16;
      const std::uint32_t column = lane % shape.size;
      const std::uint32_t block = lane / 4 % 4;
      double sum = sign_of_c * source_at(wave, operation.source[2], item, lane);
      for (std::uint32_t k = 0; k < 4; ++k) {
        const double a =
            number_at(wave, operation.source[0].index, operand_lane<shape.size>(row, k, block));
        const double b =
            number_at(wave, operation.source[1].index, operand_lane<shape.size>(column, k, block));
        sum = std::fma(sign_of_product * a, b, sum);
      }
      results[item][lane] = sum;
    }
  }
  for (std::uint32_t item = 0; item < kItems; ++item) {
    const std::uint32_t first = operation.destination[0].index + 2 * item;
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
      const auto bits = std::bit_cast<std::uint64_t>(results[item][lane]);
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
