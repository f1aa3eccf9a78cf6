// SPDX-License-Identifier: Apache-2.0
// Every matrix instruction against three plain loops; where elements lie is read from the
// descriptors, not computed as the interpreter does.
#include "tests/unit/backends/emulator/execute/matrix/documented_layout.h"

#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace halyard::emulator {
namespace {

using descriptors::MatrixOperation;

constexpr std::uint32_t kA = 0;
constexpr std::uint32_t kB = 32;
constexpr std::uint32_t kC = 64;
constexpr std::uint32_t kD = 128;
constexpr std::uint32_t kIndices = 250;

struct Target {
  const char* name;
  Generation generation;
};

std::ostream& operator<<(std::ostream& out, const Target& target) {
  return out << target.name;
}

std::uint32_t bits_of_type(const std::string& type) {
  if (type == "f64") return 64;
  if (type == "f32" || type == "tf32" || type == "i32") return 32;
  if (type == "f16" || type == "bf16") return 16;
  return type == "iu4" ? 4 : 8;
}

// Small whole numbers, as every type holds them exactly.
std::uint64_t encode(const std::string& type, int value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(double{static_cast<double>(value)});
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "f32" || type == "tf32") return single;
  if (type == "bf16") return single >> 16;
  if (type == "i32") return static_cast<std::uint32_t>(value);
  if (type == "i8" || type == "iu8") return static_cast<std::uint8_t>(value);
  if (type == "iu4") return static_cast<std::uint32_t>(value) & 15;
  const std::uint32_t sign = value < 0 ? 1 : 0;
  const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
  if (magnitude == 0) return 0;
  const auto power = static_cast<std::uint32_t>(std::bit_width(magnitude) - 1);
  const std::uint32_t rest = magnitude - (1U << power);
  if (type == "f16") return sign << 15 | (15 + power) << 10 | rest << (10 - power);
  if (type == "fp8_e4m3") return sign << 7 | (7 + power) << 3 | rest << (3 - power);
  if (type == "fp8_e4m3fnuz") return sign << 7 | (8 + power) << 3 | rest << (3 - power);
  if (type == "fp8_e5m2") return sign << 7 | (15 + power) << 2 | rest << (2 - power);
  if (type == "fp8_e5m2fnuz") return sign << 7 | (16 + power) << 2 | rest << (2 - power);
  ADD_FAILURE() << "No test encodes " << type << ".";
  return 0;
}

int decode(const std::string& type, std::uint64_t bits) {
  if (type == "f64") return static_cast<int>(std::bit_cast<double>(bits));
  const auto low = static_cast<std::uint32_t>(bits);
  if (type == "i32") return static_cast<int>(low);
  if (type == "f32") return static_cast<int>(std::bit_cast<float>(low));
  if (type == "bf16") return static_cast<int>(std::bit_cast<float>(low << 16));
  if (type != "f16") ADD_FAILURE() << "No test decodes " << type << ".";
  const std::uint32_t exponent = low >> 10 & 31;
  if (exponent == 0) return 0;
  const float value =
      std::ldexp(static_cast<float>(1024 + (low & 1023)), static_cast<int>(exponent) - 25);
  return static_cast<int>((low & 0x8000) != 0 ? -value : value);
}

// The numbers of a matrix in registers: as many to a dword as fit, or one to each.
struct Registers {
  WaveBench& bench;
  std::uint32_t first;
  std::string type;
  bool is_packed = true;

  std::uint32_t bits() const { return bits_of_type(type); }
  void set(std::uint32_t lane, std::uint32_t item, int value) const {
    const std::uint64_t encoded = encode(type, value);
    if (bits() == 64) return bench.set_pair(first + 2 * item, lane, encoded);
    const std::uint32_t in_dword = is_packed ? 32 / bits() : 1;
    const std::uint32_t shift = item % in_dword * bits();
    std::uint32_t& dword = bench.row(first + item / in_dword)[lane];
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits()) - 1);
    dword = (dword & ~(mask << shift)) | static_cast<std::uint32_t>(encoded) << shift;
  }
  int get(std::uint32_t lane, std::uint32_t item) const {
    if (bits() == 64) return decode(type, bench.pair(first + 2 * item, lane));
    const std::uint32_t in_dword = is_packed ? 32 / bits() : 1;
    const std::uint32_t dword = bench.row(first + item / in_dword)[lane];
    return decode(type, dword >> item % in_dword * bits());
  }
};

// Matrices of all blocks, row after row.
struct Problem {
  std::vector<int> a;
  std::vector<int> b;
  std::vector<int> c;
  std::vector<std::uint32_t> columns_of_a;  // of a sparse A: which k each number stands at

  explicit Problem(const MatrixOperation& operation)
      : a(std::size_t{operation.blocks} * operation.m * depth_of_a(operation)),
        b(std::size_t{operation.blocks} * operation.k * operation.n),
        c(std::size_t{operation.blocks} * operation.m * operation.n),
        columns_of_a(a.size()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      columns_of_a[i] = static_cast<std::uint32_t>(i) % depth_of_a(operation);
  }

  static std::uint32_t depth_of_a(const MatrixOperation& operation) {
    return operation.sparse ? operation.k / 2 : operation.k;
  }

  std::vector<int> product(const MatrixOperation& operation) const {
    std::vector<int> d = c;
    const std::uint32_t depth = depth_of_a(operation);
    for (std::uint32_t block = 0; block < operation.blocks; ++block) {
      for (std::uint32_t i = 0; i < operation.m; ++i) {
        for (std::uint32_t j = 0; j < operation.n; ++j) {
          int& sum = d[(std::size_t{block} * operation.m + i) * operation.n + j];
          for (std::uint32_t k = 0; k < depth; ++k) {
            const std::size_t of_a = (std::size_t{block} * operation.m + i) * depth + k;
            const std::size_t row_of_b = std::size_t{block} * operation.k + columns_of_a[of_a];
            sum += a[of_a] * b[row_of_b * operation.n + j];
          }
        }
      }
    }
    return d;
  }
};

// Numbers from -3 to 3: all products and sums are exact in every type.
void fill(std::vector<int>& values, std::mt19937& random) {
  for (int& value : values)
    value = static_cast<int>(random() % 7) - 3;
}

void fill_sparse_columns(Problem& problem, std::mt19937& random) {
  for (std::size_t i = 0; i + 1 < problem.columns_of_a.size(); i += 2) {
    const std::uint32_t group = problem.columns_of_a[i] / 2 * 4;
    const auto first = static_cast<std::uint32_t>(random() % 3);
    const auto second = first + 1 + static_cast<std::uint32_t>(random() % (3 - first));
    problem.columns_of_a[i] = group + first;
    problem.columns_of_a[i + 1] = group + second;
  }
}

bool is_packed_result(const Target& target) {
  return target.generation != Generation::kGfx11;
}

void load_registers(WaveBench& bench, const Target& target, const MatrixOperation& operation,
                    const Problem& problem) {
  const std::uint32_t depth = Problem::depth_of_a(operation);
  const Registers a{bench, kA, operation.a_type};
  for (const ElementPlace& at : places_of(operation.a, operation.lanes)) {
    const std::size_t element = (std::size_t{at.block} * operation.m + at.row) * depth + at.column;
    a.set(at.lane, at.item, problem.a[element]);
    if (operation.sparse) {
      bench.row(kIndices)[at.lane] |= (problem.columns_of_a[element] % 4) << 2 * at.item;
    }
  }
  const Registers b{bench, kB, operation.b_type};
  for (const ElementPlace& at : places_of(operation.b, operation.lanes)) {
    b.set(at.lane, at.item,
          problem.b[(std::size_t{at.block} * operation.k + at.row) * operation.n + at.column]);
  }
  const Registers c{bench, operation.sparse ? kD : kC, operation.c_type, is_packed_result(target)};
  for (const ElementPlace& at : places_of(operation.d, operation.lanes)) {
    c.set(at.lane, at.item,
          problem.c[(std::size_t{at.block} * operation.m + at.row) * operation.n + at.column]);
  }
}

Operation instruction_of(const MatrixOperation& operation) {
  Operation instruction;
  instruction.name = operation.instruction;
  instruction.destination[0] = vector_operand(kD);
  instruction.source[0] = vector_operand(kA);
  instruction.source[1] = vector_operand(kB);
  instruction.source[2] = vector_operand(operation.sparse ? kIndices : kC);
  // Integers of gfx11 and gfx12 are signed where NEG says so.
  if (operation.a_type.starts_with("iu")) instruction.negate = 3;
  return instruction;
}

void expect_product(const Target& target, const MatrixOperation& operation,
                    const Problem& problem) {
  WaveBench bench(operation.lanes, target.generation);
  load_registers(bench, target, operation, problem);
  ASSERT_TRUE(bench.execute(matrix_semantics(), instruction_of(operation)));
  const std::vector<int> expected = problem.product(operation);
  const Registers d{bench, kD, operation.c_type, is_packed_result(target)};
  for (const ElementPlace& at : places_of(operation.d, operation.lanes)) {
    const std::size_t element =
        (std::size_t{at.block} * operation.m + at.row) * operation.n + at.column;
    ASSERT_EQ(d.get(at.lane, at.item), expected[element])
        << "lane " << at.lane << ", item " << at.item << ": D[" << at.row << "][" << at.column
        << "] of block " << at.block;
  }
}

class DocumentedLayout : public testing::TestWithParam<Target> {};

TEST_P(DocumentedLayout, RandomProductsAreThoseOfPlainLoops) {
  std::mt19937 random(7);
  const auto operations = documented_operations(GetParam().name);
  ASSERT_FALSE(operations.empty());
  for (const MatrixOperation& operation : operations) {
    SCOPED_TRACE(descriptors::matrix_operation_name(operation));
    Problem problem(operation);
    fill(problem.a, random);
    fill(problem.b, random);
    fill(problem.c, random);
    if (operation.sparse) fill_sparse_columns(problem, random);
    expect_product(GetParam(), operation, problem);
  }
}

// One element of A and one of B, so that a single element of D is not 0.
TEST_P(DocumentedLayout, SingleElementsMeetWhereTheyShould) {
  std::mt19937 random(11);
  for (const MatrixOperation& operation : documented_operations(GetParam().name)) {
    SCOPED_TRACE(descriptors::matrix_operation_name(operation));
    for (int repetition = 0; repetition < 6; ++repetition) {
      Problem problem(operation);
      if (operation.sparse) fill_sparse_columns(problem, random);
      const std::size_t of_a = random() % problem.a.size();
      const std::size_t block = of_a / (problem.a.size() / operation.blocks);
      problem.a[of_a] = 3;
      const std::size_t row_of_b = block * operation.k + problem.columns_of_a[of_a];
      problem.b[row_of_b * operation.n + random() % operation.n] = 2;
      expect_product(GetParam(), operation, problem);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTargets, DocumentedLayout,
                         testing::Values(Target{"gfx90a", Generation::kGfx9},
                                         Target{"gfx942", Generation::kGfx9},
                                         Target{"gfx1100", Generation::kGfx11},
                                         Target{"gfx1201", Generation::kGfx12}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace halyard::emulator
