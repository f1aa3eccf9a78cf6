// SPDX-License-Identifier: Apache-2.0
// Modifiers, constants and rounding; layouts are in documented_layout_test.cpp.
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>

namespace halyard::emulator {
namespace {

constexpr std::uint32_t kA = 0;
constexpr std::uint32_t kB = 16;
constexpr std::uint32_t kC = 32;
constexpr std::uint32_t kD = 48;
constexpr std::uint32_t kRows = 16;

constexpr std::uint32_t kOnes = 0x3c003c00;  // two f16

Operation wmma(const char* name) {
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(kD, 8);
  operation.source[0] = vector_operand(kA, 8);
  operation.source[1] = vector_operand(kB, 8);
  operation.source[2] = vector_operand(kC, 8);
  return operation;
}

void fill(WaveBench& bench, std::uint32_t first, std::uint32_t value) {
  for (std::uint32_t i = 0; i < kRows; ++i) {
    for (std::uint32_t lane = 0; lane < bench.lanes(); ++lane)
      bench.row(first + i)[lane] = value;
  }
}

float first_sum(WaveBench& bench) {
  return std::bit_cast<float>(bench.row(kD)[0]);
}

TEST(Wmma, HalvesOfOperandsAreNegatedApart) {
  for (const Generation generation : {Generation::kGfx11, Generation::kGfx12}) {
    WaveBench bench(32, generation);
    fill(bench, kA, kOnes);
    fill(bench, kB, kOnes);
    Operation operation = wmma("V_WMMA_F32_16X16X16_F16");
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(first_sum(bench), 16.0F);
    operation.negate = 1;
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(first_sum(bench), 0.0F) << "the low halves alone";
    operation.negate_high = 1;
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(first_sum(bench), -16.0F);
    operation.negate = operation.negate_high = 3;
    ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
    EXPECT_EQ(first_sum(bench), 16.0F);
  }
}

TEST(Wmma, MagnitudeAndSignOfC) {
  WaveBench bench;
  fill(bench, kC, std::bit_cast<std::uint32_t>(-3.0F));
  Operation operation = wmma("V_WMMA_F32_16X16X16_F16");
  operation.negate = 4;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(first_sum(bench), 3.0F);
  operation.negate_high = 4;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(first_sum(bench), -3.0F);
  operation.negate = 0;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(first_sum(bench), 3.0F);
}

TEST(Wmma, ConstantIsEveryElementOfC) {
  WaveBench bench;
  Operation operation = wmma("V_WMMA_F32_16X16X16_F16");
  operation.source[2] = constant_operand(std::bit_cast<std::uint32_t>(2.0F));
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(std::bit_cast<float>(bench.row(kD + 7)[31]), 2.0F);
  Operation halves = wmma("V_WMMA_F16_16X16X16_F16");
  halves.source[2] = constant_operand(0x4000);
  ASSERT_TRUE(bench.execute(matrix_semantics(), halves));
  EXPECT_EQ(bench.row(kD + 7)[31] & 0xffff, 0x4000u);
}

TEST(Wmma, HalfResultsOfGfx11KeepTheOtherHalf) {
  WaveBench bench;
  fill(bench, kA, kOnes);
  fill(bench, kB, kOnes);
  fill(bench, kC, 0x40003c00);  // 2 above 1
  fill(bench, kD, 0x11112222);
  Operation operation = wmma("V_WMMA_F16_16X16X16_F16");
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(bench.row(kD)[0], 0x11114c40u);  // 17
  fill(bench, kD, 0x11112222);
  operation.op_sel = 4;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(bench.row(kD)[0], 0x4c802222u);  // 18
}

TEST(Wmma, HalfResultsOfGfx12FillBothHalves) {
  WaveBench bench(32, Generation::kGfx12);
  fill(bench, kA, kOnes);
  fill(bench, kB, kOnes);
  fill(bench, kC, 0x40003c00);
  fill(bench, kD, 0x11112222);
  ASSERT_TRUE(bench.execute(matrix_semantics(), wmma("V_WMMA_F16_16X16X16_F16")));
  EXPECT_EQ(bench.row(kD + 3)[31], 0x4c804c40u);
  EXPECT_EQ(bench.row(kD + 4)[31], 0x11112222u);
}

TEST(Wmma, SumsOfHalvesAreRoundedOnce) {
  WaveBench bench;
  // 2048 + 16 ⋅ 2^-4 = 2049, a tie between 2048 and 2050.
  fill(bench, kA, 0x2c002c00);
  fill(bench, kB, kOnes);
  fill(bench, kC, 0x6800);
  ASSERT_TRUE(bench.execute(matrix_semantics(), wmma("V_WMMA_F16_16X16X16_F16")));
  EXPECT_EQ(bench.row(kD)[0] & 0xffff, 0x6800u);
}

TEST(Wmma, SumsOfBrainsAreRoundedToEven) {
  WaveBench bench;
  fill(bench, kA, 0x3f803f80);
  fill(bench, kB, 0x3d803d80);  // 2^-4 each, 1 together
  fill(bench, kC, 0x4380);      // 256: 257 is a tie
  ASSERT_TRUE(bench.execute(matrix_semantics(), wmma("V_WMMA_BF16_16X16X16_BF16")));
  EXPECT_EQ(bench.row(kD)[0] & 0xffff, 0x4380u);
  fill(bench, kC, 0x7fc1);
  ASSERT_TRUE(bench.execute(matrix_semantics(), wmma("V_WMMA_BF16_16X16X16_BF16")));
  EXPECT_EQ(bench.row(kD)[0] & 0xffff, 0x7fc1u) << "a NaN stays";
}

TEST(Wmma, BrainConstantsOtherThanZeroAreNotExecuted) {
  WaveBench bench;
  Operation operation = wmma("V_WMMA_BF16_16X16X16_BF16");
  operation.source[2] = constant_operand(0x3f80);
  EXPECT_EQ(bench.handler(matrix_semantics(), operation), nullptr);
  operation.source[2] = constant_operand(0);
  EXPECT_NE(bench.handler(matrix_semantics(), operation), nullptr);
}

std::uint32_t integer_sum(const char* name, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                          std::uint8_t negate, bool clamp) {
  WaveBench bench;
  fill(bench, kA, a);
  fill(bench, kB, b);
  fill(bench, kC, c);
  Operation operation = wmma(name);
  operation.negate = negate;
  operation.clamp = clamp;
  EXPECT_TRUE(bench.execute(matrix_semantics(), operation)) << name;
  return bench.row(kD)[0];
}

TEST(Wmma, NegSaysWhichIntegersAreSigned) {
  constexpr const char* kBytes = "V_WMMA_I32_16X16X16_IU8";
  EXPECT_EQ(integer_sum(kBytes, 0xffffffff, 0xffffffff, 0, 0, false), 16u * 255 * 255);
  EXPECT_EQ(integer_sum(kBytes, 0xffffffff, 0xffffffff, 0, 1, false),
            static_cast<std::uint32_t>(-16 * 255));
  EXPECT_EQ(integer_sum(kBytes, 0xffffffff, 0x02020202, 0, 2, false), 16u * 255 * 2);
  EXPECT_EQ(integer_sum(kBytes, 0xffffffff, 0xffffffff, 0, 3, false), 16u);
  constexpr const char* kNibbles = "V_WMMA_I32_16X16X16_IU4";
  EXPECT_EQ(integer_sum(kNibbles, 0xffffffff, 0xffffffff, 0, 0, false), 16u * 15 * 15);
  EXPECT_EQ(integer_sum(kNibbles, 0xffffffff, 0x11111111, 0, 3, false),
            static_cast<std::uint32_t>(-16));
}

TEST(Wmma, ClampKeepsIntegersWithinTheirRange) {
  constexpr const char* kBytes = "V_WMMA_I32_16X16X16_IU8";
  EXPECT_EQ(integer_sum(kBytes, 0x01010101, 0x01010101, 0x7ffffffe, 0, true), 0x7fffffffu);
  EXPECT_EQ(integer_sum(kBytes, 0x01010101, 0x01010101, 0x7ffffffe, 0, false), 0x8000000eu);
  EXPECT_EQ(integer_sum(kBytes, 0xffffffff, 0x01010101, 0x80000001, 1, true), 0x80000000u);
  EXPECT_EQ(integer_sum(kBytes, 0x01010101, 0x01010101, 5, 0, true), 21u);
}

TEST(Wmma, IndicesOfASparseOperandComeFromTheChosenHalf) {
  WaveBench bench(32, Generation::kGfx12);
  for (std::uint32_t lane = 0; lane < 16; ++lane)
    bench.row(kA)[lane] = 0x3c00;
  bench.row(kB)[0] = 0x40003c00;      // rows 0 and 1: 1, 2
  bench.row(kB + 1)[0] = 0x44004200;  // rows 2 and 3: 3, 4
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(90)[lane] = 0x00030002;
  Operation operation = wmma("V_SWMMAC_F32_16X16X32_F16");
  operation.source[2] = vector_operand(90);
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(first_sum(bench), 3.0F);
  fill(bench, kD, 0);
  operation.op_sel = 1;
  ASSERT_TRUE(bench.execute(matrix_semantics(), operation));
  EXPECT_EQ(first_sum(bench), 4.0F);
}

TEST(Wmma, FormsOfOtherTargetsAreNotExecuted) {
  WaveBench gfx11(32, Generation::kGfx11);
  EXPECT_EQ(gfx11.handler(matrix_semantics(), wmma("V_WMMA_F32_16X16X16_FP8_FP8")), nullptr);
  EXPECT_EQ(gfx11.handler(matrix_semantics(), wmma("V_SWMMAC_F32_16X16X32_F16")), nullptr);
  WaveBench gfx9(64, Generation::kGfx9);
  EXPECT_EQ(gfx9.handler(matrix_semantics(), wmma("V_WMMA_F32_16X16X16_F16")), nullptr);
  WaveBench gfx12(64, Generation::kGfx12);
  EXPECT_EQ(gfx12.handler(matrix_semantics(), wmma("V_WMMA_I32_16X16X16_IU4")), nullptr)
      << "no document has its layout";
}

}  // namespace
}  // namespace halyard::emulator
