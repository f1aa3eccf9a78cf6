// SPDX-License-Identifier: Apache-2.0
// Modifiers, constants and special values; layouts are in documented_layout_test.cpp.
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kA = 0;
constexpr std::uint32_t kB = 8;
constexpr std::uint32_t kC = 64;
constexpr std::uint32_t kD = 128;

Operation mfma(const char* name) {
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(kD, 32);
  operation.source[0] = vector_operand(kA);
  operation.source[1] = vector_operand(kB);
  operation.source[2] = constant_operand(0);
  return operation;
}

void set_float(WaveBench& bench, std::uint32_t row, std::uint32_t lane, float value) {
  bench.row(row)[lane] = std::bit_cast<std::uint32_t>(value);
}

float get_float(WaveBench& bench, std::uint32_t row, std::uint32_t lane) {
  return std::bit_cast<float>(bench.row(row)[lane]);
}

void fill_row(WaveBench& bench, std::uint32_t row, std::uint32_t value) {
  for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane)
    bench.row(row)[lane] = value;
}

TEST(Mfma, ExecIsIgnored) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    set_float(bench, kA, lane, 2);
    set_float(bench, kB, lane, 3);
  }
  bench.set_exec(0);
  ASSERT_TRUE(bench.execute(matrix_semantics(), mfma("V_MFMA_F32_16X16X4_F32")));
  EXPECT_EQ(get_float(bench, kD + 3, 63), 24.0F);
}

TEST(Mfma, ConstantIsEveryElementOfC) {
  WaveBench bench(64, Generation::kGfx9);
  Operation operation = mfma("V_MFMA_F32_16X16X4_F32");
  operation.source[2] = constant_operand(std::bit_cast<std::uint32_t>(-4.0F));
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  for (std::uint32_t item = 0; item < 4; ++item)
    EXPECT_EQ(get_float(bench, kD + item, 17 * item), -4.0F);
  operation.name = "V_MFMA_I32_16X16X32_I8";
  operation.source[2] = constant_operand(static_cast<std::uint64_t>(-16));
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(bench.row(kD)[5], static_cast<std::uint32_t>(-16));
}

TEST(Mfma, AccumulationRegistersAreRowsToo) {
  WaveBench bench(64, Generation::kGfx9);
  fill_row(bench, kA, std::bit_cast<std::uint32_t>(1.0F));
  fill_row(bench, kB, std::bit_cast<std::uint32_t>(1.0F));
  Operation operation = mfma("V_MFMA_F32_32X32X2_F32");
  operation.destination[0] = vector_operand(kAccumulationRow, 16);
  operation.source[2] = vector_operand(kAccumulationRow, 16);
  for (std::uint32_t i = 0; i < 3; ++i)
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(get_float(bench, kAccumulationRow + 15, 63), 6.0F);
}

// A of block b is b + 1, B is 1: D tells which block of A was taken.
std::uint32_t block_of_a(std::uint32_t block, std::uint8_t cbsz, std::uint8_t abid) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    set_float(bench, kA, lane, static_cast<float>(lane / 4 + 1));
    set_float(bench, kB, lane, 1);
  }
  Operation operation = mfma("V_MFMA_F32_4X4X1_16B_F32");
  operation.cbsz = cbsz;
  operation.abid = abid;
  EXPECT_TRUE(bench.execute(matrix_semantics(), operation));
  return static_cast<std::uint32_t>(get_float(bench, kD, 4 * block)) - 1;
}

TEST(Mfma, OneBlockOfAIsForSeveral) {
  for (std::uint32_t block = 0; block < 16; ++block) {
    EXPECT_EQ(block_of_a(block, 0, 0), block);
    EXPECT_EQ(block_of_a(block, 2, 3), block / 4 * 4 + 3);
    EXPECT_EQ(block_of_a(block, 4, 9), 9u);
  }
}

// B of lane l is l: the lanes whose values a column's lane gets.
std::vector<std::uint32_t> lanes_of_b(std::uint8_t blgp) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    set_float(bench, kA, lane, 1);
    set_float(bench, kB, lane, static_cast<float>(lane));
  }
  Operation operation = mfma("V_MFMA_F32_16X16X1_4B_F32");
  operation.blgp = blgp;
  EXPECT_TRUE(bench.execute(matrix_semantics(), operation));
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    lanes.push_back(static_cast<std::uint32_t>(get_float(bench, kD + 4 * (lane / 16), lane % 16)));
  return lanes;
}

TEST(Mfma, LanesOfBAreBroadcastAndRotated) {
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(lanes_of_b(0)[lane], lane);
    EXPECT_EQ(lanes_of_b(1)[lane], lane % 32);
    EXPECT_EQ(lanes_of_b(2)[lane], 32 + lane % 32);
    EXPECT_EQ(lanes_of_b(3)[lane], (lane + 16) % 64);
    for (std::uint8_t group = 0; group < 4; ++group)
      EXPECT_EQ(lanes_of_b(static_cast<std::uint8_t>(4 + group))[lane], 16 * group + lane % 16);
  }
}

TEST(Mfma, ModifiersThatAreNotDefinedAreNotExecuted) {
  WaveBench bench(64, Generation::kGfx9);
  Operation operation = mfma("V_MFMA_F32_32X32X1_2B_F32");
  operation.cbsz = 2;  // four blocks of two
  EXPECT_EQ(bench.handler(matrix_semantics(), operation), nullptr);
  operation.cbsz = 1;
  operation.abid = 2;
  EXPECT_EQ(bench.handler(matrix_semantics(), operation), nullptr);
  Operation single = mfma("V_MFMA_F32_16X16X32_FP8_FP8");
  single.blgp = 1;
  EXPECT_EQ(bench.handler(matrix_semantics(), single), nullptr);
  WaveBench narrow(32);
  EXPECT_EQ(narrow.handler(matrix_semantics(), mfma("V_MFMA_F32_16X16X4_F32")), nullptr);
}

TEST(Mfma, IntegersWrap) {
  WaveBench bench(64, Generation::kGfx9);
  fill_row(bench, kA, 0x7f7f7f7f);
  fill_row(bench, kB, 0x7f7f7f7f);
  fill_row(bench, kC, 0x7fffffff);
  Operation operation = mfma("V_MFMA_I32_4X4X4_16B_I8");
  operation.source[2] = vector_operand(kC, 4);
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(bench.row(kD)[0], 0x7fffffffu + 4 * 127 * 127);
}

TEST(Mfma, IntegersOfCMustNotPartlyLieInD) {
  WaveBench bench(64, Generation::kGfx9);
  Operation operation = mfma("V_MFMA_I32_16X16X32_I8");
  operation.source[2] = vector_operand(kD + 1, 4);
  EXPECT_EQ(bench.handler(matrix_semantics(), operation), nullptr);
  operation.source[2] = vector_operand(kD + 4, 4);
  EXPECT_NE(bench.handler(matrix_semantics(), operation), nullptr);
}

TEST(Mfma, DenormalsAreZeroOnGfx90aAlone) {
  for (const bool is_gfx90a : {true, false}) {
    WaveBench bench(64, Generation::kGfx9);
    for (const std::uint32_t row : {kA, kA + 1})
      fill_row(bench, row, 0x00010001);  // 2^-24
    for (const std::uint32_t row : {kB, kB + 1})
      fill_row(bench, row, 0x3c003c00);
    ASSERT_TRUE(bench.execute(matrix_semantics(), mfma(is_gfx90a ? "V_MFMA_F32_16X16X16F16"
                                                                 : "V_MFMA_F32_16X16X16_F16")));
    EXPECT_EQ(get_float(bench, kD, 0), is_gfx90a ? 0.0F : 0x1p-20F);
  }
}

TEST(Mfma, DenormalSumIsZeroOnGfx90aAlone) {
  for (const bool is_gfx90a : {true, false}) {
    WaveBench bench(64, Generation::kGfx9);
    Operation operation =
        mfma(is_gfx90a ? "V_MFMA_F32_16X16X16BF16_1K" : "V_MFMA_F32_16X16X16_BF16");
    operation.source[2] = constant_operand(1);
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(bench.row(kD)[0], is_gfx90a ? 0u : 1u);
  }
}

TEST(Mfma, LowBitsOfXf32AreDropped) {
  WaveBench bench(64, Generation::kGfx9);
  fill_row(bench, kA, 0x3f801fff);
  fill_row(bench, kB, 0x3f800000);
  ASSERT_TRUE(bench.execute(matrix_semantics(), mfma("V_MFMA_F32_16X16X8_XF32")));
  EXPECT_EQ(get_float(bench, kD, 0), 4.0F);
}

TEST(Mfma, NanAndInfinityAreKept) {
  WaveBench bench(64, Generation::kGfx9);
  fill_row(bench, kB, std::bit_cast<std::uint32_t>(1.0F));
  set_float(bench, kA, 0, std::numeric_limits<float>::infinity());
  set_float(bench, kA, 1, std::numeric_limits<float>::quiet_NaN());
  ASSERT_TRUE(bench.execute(matrix_semantics(), mfma("V_MFMA_F32_16X16X4_F32")));
  EXPECT_TRUE(std::isinf(get_float(bench, kD, 0)));
  EXPECT_TRUE(std::isnan(get_float(bench, kD + 1, 0)));
  EXPECT_EQ(get_float(bench, kD + 2, 0), 0.0F);
}

TEST(Mfma, SumsAreNearTheExactOnes) {
  WaveBench bench(64, Generation::kGfx9);
  std::mt19937 random(3);
  std::uniform_real_distribution<float> numbers(-1, 1);
  double a[16][4];
  double b[4][16];
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    const float left = numbers(random);
    const float right = numbers(random);
    set_float(bench, kA, lane, left);
    set_float(bench, kB, lane, right);
    a[lane % 16][lane / 16] = double{left};
    b[lane / 16][lane % 16] = double{right};
  }
  ASSERT_TRUE(bench.execute(matrix_semantics(), mfma("V_MFMA_F32_16X16X4_F32")));
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    for (std::uint32_t item = 0; item < 4; ++item) {
      double exact = 0;
      for (std::uint32_t k = 0; k < 4; ++k)
        exact += a[4 * (lane / 16) + item][k] * b[k][lane % 16];
      // One rounding for each product, of sums below 4.
      EXPECT_NEAR(double{get_float(bench, kD + item, lane)}, exact, 4 * 0x1p-23);
    }
  }
}

TEST(Mfma, DoublesTakeSignsFromTheirModifierOnGfx942) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    bench.set_pair(kA, lane, std::bit_cast<std::uint64_t>(2.0));
    bench.set_pair(kB, lane, std::bit_cast<std::uint64_t>(3.0));
  }
  Operation operation = mfma("V_MFMA_F64_16X16X4_F64");
  operation.source[2] = constant_operand(std::bit_cast<std::uint64_t>(4.0));
  operation.blgp = 5;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(std::bit_cast<double>(bench.pair(kD + 6, 63)), -28.0);
  operation.name = "V_MFMA_F64_16X16X4F64";
  EXPECT_EQ(bench.handler(matrix_semantics(), operation), nullptr);
}

TEST(Mfma, IndicesOfASparseOperandComeFromTheChosenSet) {
  WaveBench bench(64, Generation::kGfx9);
  // A is 1 at its first number alone; B of column 0 is its row.
  for (std::uint32_t lane = 0; lane < 16; ++lane)
    bench.row(kA)[lane] = 0x3c00;
  const std::uint32_t halves[4] = {0x3c00, 0x4000, 0x4200, 0x4400};  // 1, 2, 3, 4
  bench.row(kB)[0] = halves[0] | halves[1] << 16;
  bench.row(kB + 1)[0] = halves[2] | halves[3] << 16;
  // Sets of eight bits; in each the first two bits are the first number's index.
  fill_row(bench, 30, 0x02 | 0x03 << 8 | 0x00 << 16 | 0x01 << 24);
  Operation operation = mfma("V_SMFMAC_F32_16X16X32_F16");
  operation.source[2] = vector_operand(30);
  const float expected[4] = {3, 4, 1, 2};
  for (std::uint8_t set = 0; set < 4; ++set) {
    for (std::uint32_t row = 0; row < 4; ++row)
      fill_row(bench, kD + row, 0);
    operation.abid = set;
    operation.cbsz = 0;
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(get_float(bench, kD, 0), expected[set]);
  }
  fill_row(bench, kD, 0);
  operation.cbsz = 1;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(get_float(bench, kD, 0), expected[0]) << "CBSZ takes the first set";
}

TEST(Mfma, SparseZerosMeetNoInfinity) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    bench.row(kA)[lane] = 0x3c003c00;
    bench.row(kA + 1)[lane] = 0x3c003c00;
    for (std::uint32_t i = 0; i < 4; ++i)
      bench.row(kB + i)[lane] = i % 2 == 0 ? 0x3c003c00 : 0x7c007c00;
  }
  fill_row(bench, 30, 0x44);  // numbers 0 and 1 of each four
  Operation operation = mfma("V_SMFMAC_F32_16X16X32_F16");
  operation.source[2] = vector_operand(30);
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(get_float(bench, kD, 0), 16.0F);
}

}  // namespace
}  // namespace halyard::emulator
