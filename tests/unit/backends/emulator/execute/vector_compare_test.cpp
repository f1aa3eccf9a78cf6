// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>

namespace halyard::emulator::test {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

constexpr std::uint32_t kNan = 0x7fc00000u;

// Lane 0 less, 1 equal, 2 greater, 3 unordered; the zeros of both signs in lane 4 are equal.
void put_numbers(WaveFixture& fixture) {
  const std::uint32_t a[] = {bits(1.0f), bits(2.0f), bits(3.0f), kNan, 0x80000000u};
  for (std::uint32_t lane = 0; lane < 5; ++lane) {
    fixture.row(1)[lane] = a[lane];
    fixture.row(2)[lane] = lane == 4 ? 0 : bits(2.0f);
  }
  fixture.set_exec(0x1f);
}

TEST(VectorCompare, HoldsForNumbersAsItsNameSays) {
  const struct {
    const char* relation;
    std::uint32_t mask;
  } rows[] = {{"F", 0},      {"LT", 1},     {"EQ", 0x12}, {"LE", 0x13}, {"GT", 4},
              {"LG", 5},     {"GE", 0x16},  {"O", 0x17},  {"U", 8},     {"NGE", 9},
              {"NLG", 0x1a}, {"NGT", 0x1b}, {"NLE", 0xc}, {"NEQ", 0xd}, {"NLT", 0x1e},
              {"TRU", 0x1f}, {"T", 0x1f}};
  for (const auto& row : rows) {
    WaveFixture fixture;
    put_numbers(fixture);
    const std::string name = std::string("V_CMP_") + row.relation + "_F32";
    Operation operation = vector_operation(name, sgpr(10), {vgpr(1), vgpr(2)});
    ASSERT_TRUE(fixture.run(operation)) << name;
    EXPECT_EQ(fixture.wave().mask(10), row.mask) << name;
  }
}

TEST(VectorCompare, TellsSignedFromUnsigned) {
  const struct {
    std::string_view name;
    std::uint64_t a;
    std::uint64_t b;
    bool holds;
  } rows[] = {
      {"V_CMP_LT_I32", 0xffffffffu, 0, true},
      {"V_CMP_LT_U32", 0xffffffffu, 0, false},
      {"V_CMP_GT_I16", 0x0001ffffu, 0xabcd0000u, false},
      {"V_CMP_GT_U16", 0x0001ffffu, 0xabcd0000u, true},
      {"V_CMP_NE_U16", 0x00010005u, 0x00020005u, false},
      {"V_CMP_LT_I64", ~std::uint64_t{0}, 0, true},
      {"V_CMP_LT_U64", ~std::uint64_t{0}, 0, false},
      {"V_CMP_GE_U64", 0x100000000u, 0xffffffffu, true},
      {"V_CMP_EQ_U64", 0x100000001u, 1, false},
      {"V_CMP_LT_F64", 0xbff0000000000000u, 0x3ff0000000000000u, true},
      {"V_CMP_LT_F16", 0xbc00, 0x3c00, true},
      {"V_CMP_GT_F16", 0x7e00, 0x3c00, false},
  };
  for (const auto& row : rows) {
    WaveFixture fixture(Generation::kGfx9, 64);
    fixture.fill_pair(2, row.a);
    fixture.fill_pair(4, row.b);
    Operation operation = vector_operation(row.name, sgpr(kVccIndex, 2), {vgpr(2, 2), vgpr(4, 2)});
    ASSERT_TRUE(fixture.run(operation)) << row.name;
    EXPECT_EQ(fixture.wave().mask(kVccIndex), row.holds ? ~std::uint64_t{0} : 0) << row.name;
  }
}

TEST(VectorCompare, GivesZeroWhereExecLeavesOut) {
  WaveFixture fixture(Generation::kGfx9, 64);
  fixture.set_exec(0xf0f0f0f0f0f0f0f0u);
  fixture.wave().set_mask(kVccIndex, ~std::uint64_t{0});
  Operation operation = vector_operation("V_CMP_EQ_U32", sgpr(kVccIndex, 2), {vgpr(1), vgpr(1)});
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().mask(kVccIndex), 0xf0f0f0f0f0f0f0f0u);
}

TEST(VectorCompare, WritesExecAndOnGfx9TheMaskToo) {
  WaveFixture old(Generation::kGfx9, 64);
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    old.row(1)[lane] = lane;
  Operation operation =
      vector_operation("V_CMPX_GT_U32", sgpr(kVccIndex, 2), {constant(3), vgpr(1)});
  operation.destination[1] = sgpr(kExecIndex, 2);
  ASSERT_TRUE(old.run(operation));
  EXPECT_EQ(old.wave().exec(), 7u);
  EXPECT_EQ(old.wave().mask(kVccIndex), 7u);
  WaveFixture fixture;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    fixture.row(1)[lane] = lane;
  Operation later = vector_operation("V_CMPX_GT_U32", sgpr(kExecIndex), {constant(3), vgpr(1)});
  ASSERT_TRUE(fixture.run(later));
  EXPECT_EQ(fixture.wave().exec(), 7u);
  EXPECT_EQ(fixture.wave().mask(kVccIndex), 0u);
}

TEST(VectorCompare, ClassifiesNumbersWithTheirSignsChanged) {
  const std::uint32_t numbers[] = {0x7f800001u, kNan,        0xff800000u, bits(-1.0f), 0x80000001u,
                                   0x80000000u, 0x00000000u, 0x00000001u, bits(1.0f),  0x7f800000u};
  WaveFixture fixture;
  for (std::uint32_t lane = 0; lane < 10; ++lane) {
    fixture.row(1)[lane] = numbers[lane];
    fixture.row(2)[lane] = 1u << lane;
  }
  fixture.set_exec(0x3ff);
  Operation operation = vector_operation("V_CMP_CLASS_F32", sgpr(10), {vgpr(1), vgpr(2)});
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().mask(10), 0x3ffu);
  operation.absolute = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().mask(10), 0x3c3u) << "no number is negative";
}

TEST(VectorCompare, FlushesDenormalsAsModeSays) {
  WaveFixture fixture;
  fixture.fill_row(1, 1);
  fixture.fill_row(2, 0);
  Operation operation = vector_operation("V_CMP_GT_F32", sgpr(10), {vgpr(1), vgpr(2)});
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().mask(10), 0xffffffffu);
  fixture.wave().mode.denormals_single = 0;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().mask(10), 0u);
}

}  // namespace
}  // namespace halyard::emulator::test
