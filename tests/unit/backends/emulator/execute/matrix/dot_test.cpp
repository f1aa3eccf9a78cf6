// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gtest/gtest.h>

#include <bit>

namespace halyard::emulator {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

struct Modifiers {
  std::uint8_t negate = 0;
  std::uint8_t negate_high = 0;
  std::uint8_t op_sel = 0;
  std::uint8_t op_sel_hi = 7;
  bool clamp = false;
};

std::uint32_t run(const char* name, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                  const Modifiers& modifiers = {}) {
  WaveBench bench;
  bench.set_exec(0x80000000);
  bench.row(0)[31] = a;
  bench.row(1)[31] = b;
  bench.row(2)[31] = c;
  Operation operation;
  operation.name = name;
  operation.family = isa::EncodingFamily::kVop3p;
  operation.destination[0] = vector_operand(3);
  for (std::uint32_t i = 0; i < 3; ++i)
    operation.source[i] = vector_operand(i);
  operation.negate = modifiers.negate;
  operation.negate_high = modifiers.negate_high;
  operation.op_sel = modifiers.op_sel;
  operation.op_sel_hi = modifiers.op_sel_hi;
  operation.clamp = modifiers.clamp;
  EXPECT_TRUE(bench.execute(dot_semantics(), operation)) << name;
  EXPECT_EQ(bench.row(3)[30], 0u);
  return bench.row(3)[31];
}

std::uint32_t accumulate(const char* name, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  WaveBench bench;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = a;
    bench.row(3)[lane] = c;
  }
  bench.wave().scalar[7] = b;
  Operation operation;
  operation.name = name;
  operation.family = isa::EncodingFamily::kVop2;
  operation.destination[0] = vector_operand(3);
  operation.destination[0].is_read = true;
  operation.source[0] = vector_operand(0);
  operation.source[1] = scalar_operand(7);
  EXPECT_TRUE(bench.execute(dot_semantics(), operation)) << name;
  return bench.row(3)[17];
}

// 1, 2 and 3, 4 as f16; low halves first.
constexpr std::uint32_t kOneTwo = 0x40003c00;
constexpr std::uint32_t kThreeFour = 0x44004200;

TEST(Dot, PairsOfHalves) {
  EXPECT_EQ(run("V_DOT2_F32_F16", kOneTwo, kThreeFour, bits(0.5F)), bits(11.5F));
  EXPECT_EQ(run("V_DOT2_F32_BF16", 0x40003f80, 0x40804040, bits(0.5F)), bits(11.5F));
  EXPECT_EQ(accumulate("V_DOT2ACC_F32_F16", kOneTwo, kThreeFour, bits(0.5F)), bits(11.5F));
  EXPECT_EQ(accumulate("V_DOT2C_F32_F16", kOneTwo, kThreeFour, bits(0.5F)), bits(11.5F));
  EXPECT_EQ(accumulate("V_DUAL_DOT2ACC_F32_F16", kOneTwo, kThreeFour, bits(1)), bits(12));
  EXPECT_EQ(accumulate("V_DUAL_DOT2ACC_F32_BF16", 0x40003f80, 0x40804040, 0), bits(11));
}

TEST(Dot, HalvesAreChosenAndNegated) {
  Modifiers modifiers;
  modifiers.op_sel = 1;     // the first product takes the high half of A
  modifiers.op_sel_hi = 5;  // the second the low half of B
  EXPECT_EQ(run("V_DOT2_F32_F16", kOneTwo, kThreeFour, 0, modifiers), bits(2 * 3 + 2 * 3));
  modifiers = {};
  modifiers.negate = 1;
  EXPECT_EQ(run("V_DOT2_F32_F16", kOneTwo, kThreeFour, 0, modifiers), bits(-3 + 8));
  modifiers.negate = 4;
  modifiers.negate_high = 2;
  EXPECT_EQ(run("V_DOT2_F32_F16", kOneTwo, kThreeFour, bits(1), modifiers), bits(-1 + 3 - 8));
  modifiers = {};
  modifiers.clamp = true;
  EXPECT_EQ(run("V_DOT2_F32_F16", kOneTwo, kThreeFour, 0, modifiers), bits(1));
}

TEST(Dot, BytesOfEitherSign) {
  EXPECT_EQ(run("V_DOT4_I32_I8", 0xff020304, 0x05060708, 10),
            static_cast<std::uint32_t>(10 - 5 + 12 + 21 + 32));
  EXPECT_EQ(run("V_DOT4_U32_U8", 0xff020304, 0x05060708, 10), 10u + 255 * 5 + 12 + 21 + 32);
  Modifiers signs;
  signs.negate = 1;
  EXPECT_EQ(run("V_DOT4_I32_IU8", 0xffffffff, 0xffffffff, 0, signs),
            static_cast<std::uint32_t>(-4 * 255));
  signs.negate = 2;
  EXPECT_EQ(run("V_DOT4_I32_IU8", 0xffffffff, 0x01010101, 0, signs), 4u * 255);
  signs.negate = 3;
  EXPECT_EQ(run("V_DOT4_I32_IU8", 0xffffffff, 0xffffffff, 0, signs), 4u);
  EXPECT_EQ(accumulate("V_DOT4C_I32_I8", 0xff020304, 0x05060708, 10),
            static_cast<std::uint32_t>(10 - 5 + 12 + 21 + 32));
}

TEST(Dot, NibblesOfEitherSign) {
  EXPECT_EQ(run("V_DOT8_I32_I4", 0xf7654321, 0x22222222, 1),
            static_cast<std::uint32_t>(1 + 2 * (-1 + 7 + 6 + 5 + 4 + 3 + 2 + 1)));
  EXPECT_EQ(run("V_DOT8_U32_U4", 0xf7654321, 0x22222222, 1), 1u + 2 * (15 + 28));
  Modifiers signs;
  signs.negate = 3;
  EXPECT_EQ(run("V_DOT8_I32_IU4", 0xffffffff, 0xffffffff, 0, signs), 8u);
  EXPECT_EQ(run("V_DOT8_I32_IU4", 0xffffffff, 0xffffffff, 0), 8u * 225);
  EXPECT_EQ(accumulate("V_DOT8C_I32_I4", 0xffffffff, 0x11111111, 10), 2u);
}

TEST(Dot, WordsOfEitherSign) {
  EXPECT_EQ(run("V_DOT2_I32_I16", 0xffff0002, 0x00030004, 10), 10u - 3 + 8);
  EXPECT_EQ(run("V_DOT2_U32_U16", 0xffff0002, 0x00030004, 10), 10u + 65535 * 3 + 8);
  EXPECT_EQ(run("V_DOT2_I32_I16", 0x80008000, 0x80008000, 0), 0x80000000u);
  EXPECT_EQ(accumulate("V_DOT2C_I32_I16", 0xffff0002, 0x00030004, 10), 10u - 3 + 8);
}

TEST(Dot, SumsWrapOrStayWithinTheirRange) {
  Modifiers clamp;
  clamp.clamp = true;
  EXPECT_EQ(run("V_DOT4_I32_I8", 0x01010101, 0x01010101, 0x7ffffffe), 0x80000002u);
  EXPECT_EQ(run("V_DOT4_I32_I8", 0x01010101, 0x01010101, 0x7ffffffe, clamp), 0x7fffffffu);
  EXPECT_EQ(run("V_DOT4_I32_I8", 0xffffffff, 0x01010101, 0x80000001, clamp), 0x80000000u);
  EXPECT_EQ(run("V_DOT4_U32_U8", 0x01010101, 0x01010101, 0xfffffffe, clamp), 0xffffffffu);
  EXPECT_EQ(run("V_DOT4_U32_U8", 0x01010101, 0x01010101, 0xfffffff0, clamp), 0xfffffff4u);
  EXPECT_EQ(run("V_DOT2_I32_I16", 0x80008000, 0x80008000, 0, clamp), 0x7fffffffu);
  EXPECT_EQ(run("V_DOT2_U32_U16", 0xffffffff, 0xffffffff, 0, clamp), 0xffffffffu);
}

TEST(Dot, BytesOfFloats) {
  // 1, 2, 3, 4 in each format.
  constexpr std::uint32_t kFp8 = 0x48444038;
  constexpr std::uint32_t kBf8 = 0x4442403c;
  EXPECT_EQ(run("V_DOT4_F32_FP8_FP8", kFp8, kFp8, bits(0.5F)), bits(30.5F));
  EXPECT_EQ(run("V_DOT4_F32_FP8_BF8", kFp8, kBf8, bits(0.5F)), bits(30.5F));
  EXPECT_EQ(run("V_DOT4_F32_BF8_FP8", kBf8, kFp8, bits(0.5F)), bits(30.5F));
  EXPECT_EQ(run("V_DOT4_F32_BF8_BF8", kBf8, kBf8, bits(0.5F)), bits(30.5F));
  Modifiers modifiers;
  modifiers.negate = 4;
  EXPECT_EQ(run("V_DOT4_F32_FP8_FP8", kFp8, kFp8, bits(0.5F), modifiers), bits(29.5F));
}

TEST(Dot, ModifiersThatAreNotDefinedAreNotExecuted) {
  WaveBench bench;
  Operation operation;
  operation.name = "V_DOT4_I32_I8";
  operation.destination[0] = vector_operand(3);
  for (std::uint32_t i = 0; i < 3; ++i)
    operation.source[i] = vector_operand(i);
  EXPECT_NE(bench.handler(dot_semantics(), operation), nullptr);
  operation.negate = 1;
  EXPECT_EQ(bench.handler(dot_semantics(), operation), nullptr);
}

}  // namespace
}  // namespace halyard::emulator
