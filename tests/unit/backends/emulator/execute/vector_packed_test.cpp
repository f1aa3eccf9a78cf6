// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace halyard::emulator::test {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

Operation packed(std::string_view name, Operand destination,
                 std::initializer_list<Operand> sources) {
  Operation operation = vector_operation(name, destination, sources);
  operation.family = isa::EncodingFamily::kVop3p;
  operation.op_sel_hi = 7;
  return operation;
}

TEST(VectorPacked, ComputesHalvesWithSelectorsAndSigns) {
  WaveFixture fixture;
  fixture.fill_row(1, 0x40003c00u);  // 2, 1
  fixture.fill_row(2, 0x44004200u);  // 4, 3
  Operation operation = packed("V_PK_ADD_F16", vgpr(0), {vgpr(1), vgpr(2)});
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[31], 0x46004400u);
  operation.negate = 2;
  operation.negate_high = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[31], 0x4000c000u) << "1 - 3, 4 - 2";
  operation.negate = operation.negate_high = 0;
  operation.op_sel = 1;
  operation.op_sel_hi = 2;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[31], 0x45004500u) << "2 + 3, 1 + 4";
  Operation fused = packed("V_PK_FMA_F16", vgpr(0), {vgpr(1), vgpr(2), vgpr(1)});
  fused.clamp = true;
  ASSERT_TRUE(fixture.run(fused));
  EXPECT_EQ(fixture.row(0)[31], 0x3c003c00u);
  fixture.fill_row(0, 0x3c003c00u);
  Operation accumulate = vector_operation("V_PK_FMAC_F16", vgpr(0), {vgpr(1), vgpr(2)});
  accumulate.family = isa::EncodingFamily::kVop2;
  ASSERT_TRUE(fixture.run(accumulate));
  EXPECT_EQ(fixture.row(0)[31], 0x48804400u);
}

TEST(VectorPacked, ComputesPairsOfFloats) {
  WaveFixture fixture(Generation::kGfx9, 64);
  fixture.fill_row(2, bits(1.0f));
  fixture.fill_row(3, bits(2.0f));
  fixture.fill_row(4, bits(10.0f));
  fixture.fill_row(5, bits(20.0f));
  Operation fused = packed("V_PK_FMA_F32", vgpr(2, 2), {vgpr(2, 2), vgpr(4, 2), vgpr(4, 2)});
  fused.op_sel = 1;     // low: v3 * v4 + v4
  fused.op_sel_hi = 6;  // high: v2 * v5 + v5
  ASSERT_TRUE(fixture.run(fused));
  EXPECT_EQ(fixture.row(2)[63], bits(30.0f));
  EXPECT_EQ(fixture.row(3)[63], bits(40.0f)) << "both are read before one is written";
  fixture.wave().scalar[6] = bits(3.0f);
  fixture.wave().scalar[7] = bits(5.0f);
  Operation mul = packed("V_PK_MUL_F32", vgpr(0, 2), {vgpr(4, 2), sgpr(6, 2)});
  mul.negate_high = 1;
  ASSERT_TRUE(fixture.run(mul));
  EXPECT_EQ(fixture.row(0)[0], bits(30.0f));
  EXPECT_EQ(fixture.row(1)[0], bits(-100.0f));
  Operation move = packed("V_PK_MOV_B32", vgpr(0, 2), {vgpr(4, 2), vgpr(2, 2)});
  move.op_sel = 1;
  ASSERT_TRUE(fixture.run(move));
  EXPECT_EQ(fixture.row(0)[0], bits(20.0f));
  EXPECT_EQ(fixture.row(1)[0], bits(30.0f));
}

TEST(VectorPacked, MixesFormatsAndRoundsOnce) {
  WaveFixture fixture;
  Operation mix = packed("V_FMA_MIX_F32", vgpr(0), {vgpr(1), vgpr(2), vgpr(3)});
  fixture.fill_row(1, bits(-3.0f));
  fixture.fill_row(2, 0x3c004000u);  // 1, 2
  fixture.fill_row(3, bits(0.5f));
  mix.op_sel_hi = 2;
  mix.negate_high = 1;  // the absolute value
  ASSERT_TRUE(fixture.run(mix));
  EXPECT_EQ(fixture.row(0)[0], bits(6.5f));
  mix.op_sel = 2;
  mix.negate = 1;
  ASSERT_TRUE(fixture.run(mix));
  EXPECT_EQ(fixture.row(0)[0], bits(-2.5f));
  std::mt19937 random(4);
  std::uniform_real_distribution<float> numbers(-2.0f, 2.0f);
  mix = packed("V_FMA_MIXLO_F16", vgpr(0), {vgpr(1), vgpr(2), vgpr(3)});
  mix.op_sel_hi = 0;
  for (int i = 0; i < 20000; ++i) {
    const float a = numbers(random);
    const float b = numbers(random);
    const float c = numbers(random);
    fixture.fill_row(0, 0xabcd0000u);
    fixture.fill_row(1, bits(a));
    fixture.fill_row(2, bits(b));
    fixture.fill_row(3, bits(c));
    ASSERT_TRUE(fixture.run(mix));
    const auto wide = static_cast<long double>(a) * b + c;
    const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(wide));
    ASSERT_EQ(fixture.row(0)[0], 0xabcd0000u | expected) << a << " " << b << " " << c;
  }
}

}  // namespace
}  // namespace halyard::emulator::test
