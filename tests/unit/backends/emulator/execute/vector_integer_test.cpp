// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace halyard::emulator::test {
namespace {

struct Row {
  std::string_view name;
  std::vector<std::uint32_t> sources;
  std::uint32_t expected;
};

std::uint32_t result_of(WaveFixture& fixture, const Row& row) {
  switch (row.sources.size()) {
    case 1:
      return run_32(fixture, row.name, {row.sources[0]});
    case 2:
      return run_32(fixture, row.name, {row.sources[0], row.sources[1]});
    default:
      return run_32(fixture, row.name, {row.sources[0], row.sources[1], row.sources[2]});
  }
}

TEST(VectorInteger, ComputesWhatTheManualSays) {
  const Row rows[] = {
      {"V_ADD_NC_U32", {0xffffffffu, 2}, 1},
      {"V_SUBREV_NC_U32", {3, 10}, 7},
      {"V_MUL_LO_U32", {0x10001u, 0x10001u}, 0x00020001u},
      {"V_MUL_HI_U32", {0xffffffffu, 0xffffffffu}, 0xfffffffeu},
      {"V_MUL_HI_I32", {0xffffffffu, 2}, 0xffffffffu},
      {"V_MUL_U32_U24", {0xff000003u, 0x01000005u}, 15},
      {"V_MUL_I32_I24", {0x00ffffffu, 5}, 0xfffffffbu},
      {"V_MAD_U32_U24", {3, 5, 7}, 22},
      {"V_MAD_U32_U16", {0xffff0002u, 0xffff0003u, 0x10000u}, 0x10006u},
      {"V_MAD_I32_I16", {0xffffu, 3, 0}, 0xfffffffdu},
      {"V_LSHLREV_B32", {33, 1}, 2},
      {"V_LSHRREV_B32", {32 + 31, 0x80000000u}, 1},
      {"V_ASHRREV_I32", {31, 0x80000000u}, 0xffffffffu},
      {"V_BFE_U32", {0xabcd1234u, 8, 8}, 0x12},
      {"V_BFE_U32", {0xabcd1234u, 8, 32}, 0},
      {"V_BFE_I32", {0x00008000u, 8, 8}, 0xffffff80u},
      {"V_BFE_I32", {0xffffffffu, 0, 0}, 0},
      {"V_BFI_B32", {0x0000ffffu, 0x11112222u, 0x33334444u}, 0x33332222u},
      {"V_BFM_B32", {4, 8}, 0xf00},
      {"V_ALIGNBIT_B32", {0x12345678u, 0x9abcdef0u, 4 + 32}, 0x89abcdefu},
      {"V_ALIGNBYTE_B32", {0x12345678u, 0x9abcdef0u, 1}, 0x789abcdeu},
      {"V_PERM_B32", {0xaabbccddu, 0x11223380u, 0x0b080700u}, 0xff00aa80u},
      {"V_PERM_B32", {0xaabbccddu, 0x11223380u, 0x0c0d0a09u}, 0x00ffff00u},
      {"V_BCNT_U32_B32", {0xf0f0u, 100}, 108},
      {"V_BFREV_B32", {1}, 0x80000000u},
      {"V_FFBH_U32", {0x00010000u}, 15},
      {"V_CLZ_I32_U32", {0}, 0xffffffffu},
      {"V_CTZ_I32_B32", {8}, 3},
      {"V_FFBL_B32", {0}, 0xffffffffu},
      {"V_CLS_I32", {0xffff0000u}, 16},
      {"V_FFBH_I32", {0x00000001u}, 31},
      {"V_CLS_I32", {0xffffffffu}, 0xffffffffu},
      {"V_LSHL_ADD_U32", {3, 4, 5}, 53},
      {"V_ADD_LSHL_U32", {3, 4, 5}, 224},
      {"V_LSHL_OR_B32", {1, 8, 0xf}, 0x10f},
      {"V_AND_OR_B32", {0xff, 0x0f, 0xf00}, 0xf0f},
      {"V_XAD_U32", {0xff, 0x0f, 1}, 0xf1},
      {"V_ADD3_U32", {1, 2, 0xffffffffu}, 2},
      {"V_XNOR_B32", {0xff00ff00u, 0xffff0000u}, 0xff0000ffu},
      {"V_MED3_I32", {0xffffffffu, 5, 3}, 3},
      {"V_MED3_U32", {0xffffffffu, 5, 3}, 5},
      {"V_MAXMIN_I32", {0xffffffffu, 5, 3}, 3},
      {"V_MINMAX_U32", {1, 5, 3}, 3},
      {"V_SAD_U8", {0x01020304u, 0x04030201u, 10}, 18},
      {"V_MSAD_U8", {0x01020304u, 0x04000201u, 10}, 17},
      {"V_SAT_PK_U8_I16", {0x01008000u}, 0xff00},
      {"V_SAD_U16", {0x00010005u, 0x00030002u, 1}, 6},
      {"V_SAD_HI_U8", {0x01u, 0x03u, 1}, 0x20001u},
      {"V_LERP_U8", {0x03030303u, 0x04040404u, 0x01000100u}, 0x04030403u},
  };
  for (const Row& row : rows) {
    WaveFixture fixture;
    EXPECT_EQ(result_of(fixture, row), row.expected) << row.name;
  }
}

TEST(VectorInteger, KeepsTheOtherHalfOfSixteenBits) {
  const Row rows[] = {
      {"V_ADD_NC_U16", {0xffff, 2}, 1},    {"V_MUL_LO_U16", {0x101, 0x101}, 0x0201},
      {"V_MIN_I16", {0xffff, 1}, 0xffff},  {"V_MAX_I16", {0xffff, 1}, 1},
      {"V_LSHLREV_B16", {17, 1}, 2},       {"V_ASHRREV_I16", {15, 0x8000}, 0xffff},
      {"V_MAD_U16", {0x100, 0x100, 5}, 5}, {"V_MED3_I16", {0xffff, 5, 3}, 3},
  };
  for (const Row& row : rows) {
    WaveFixture fixture;
    Operation operation = vector_operation(row.name, vgpr(0), {});
    for (std::uint32_t i = 0; i < row.sources.size(); ++i) {
      fixture.fill_row(i + 1, row.sources[i] | 0x55550000u);
      operation.source[i] = vgpr(i + 1);
    }
    fixture.fill_row(0, 0x12345678u);
    ASSERT_TRUE(fixture.run(operation)) << row.name;
    EXPECT_EQ(fixture.row(0)[0], 0x12340000u | row.expected) << row.name;
  }
}

TEST(VectorInteger, SaturatesWhereClampSaysSo) {
  const Row rows[] = {
      {"V_ADD_NC_U32", {0xffffffffu, 2}, 0xffffffffu},
      {"V_SUB_NC_U32", {1, 2}, 0},
      {"V_ADD_NC_I32", {0x7fffffffu, 2}, 0x7fffffffu},
      {"V_SUB_NC_I32", {0x80000000u, 2}, 0x80000000u},
      {"V_ADD_NC_U16", {0xffff, 2}, 0xffff},
      {"V_SUB_NC_I16", {0x8000, 2}, 0x8000},
      {"V_MAD_I16", {0x7fff, 0x7fff, 0}, 0x7fff},
  };
  for (const Row& row : rows) {
    WaveFixture fixture;
    Operation operation = vector_operation(row.name, vgpr(0), {});
    for (std::uint32_t i = 0; i < row.sources.size(); ++i) {
      fixture.fill_row(i + 1, row.sources[i]);
      operation.source[i] = vgpr(i + 1);
    }
    operation.clamp = true;
    ASSERT_TRUE(fixture.run(operation)) << row.name;
    EXPECT_EQ(fixture.row(0)[0], row.expected) << row.name;
  }
}

TEST(VectorInteger, DoesNotExecuteModifiersThatAreNone) {
  WaveFixture fixture;
  Operation operation = vector_operation("V_AND_B32", vgpr(0), {vgpr(1), vgpr(2)});
  operation.negate = 1;
  EXPECT_FALSE(fixture.run(operation));
  operation.negate = 0;
  operation.source[1] = Operand{};
  EXPECT_FALSE(fixture.run(operation));
}

TEST(VectorInteger, CarriesThroughMasks) {
  WaveFixture fixture(Generation::kGfx9, 64);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    fixture.row(1)[lane] = 0xffffffffu - lane % 2;
    fixture.row(2)[lane] = 1;
  }
  fixture.set_exec(0x0fffffffffffffffu);
  Operation add = vector_operation("V_ADD_CO_U32", vgpr(3), {vgpr(1), vgpr(2)});
  add.destination[1] = sgpr(kVccIndex, 2);
  ASSERT_TRUE(fixture.run(add));
  EXPECT_EQ(fixture.wave().mask(kVccIndex), 0x0555555555555555u) << "none where EXEC leaves out";
  Operation with = vector_operation("V_ADDC_CO_U32", vgpr(4),
                                    {vgpr(2), constant(0xffffffffu), sgpr(kVccIndex, 2)});
  with.destination[1] = sgpr(10, 2);
  ASSERT_TRUE(fixture.run(with));
  EXPECT_EQ(fixture.row(4)[0], 1u);
  EXPECT_EQ(fixture.row(4)[1], 0u);
  EXPECT_EQ(fixture.wave().mask(10), 0x0fffffffffffffffu);
  Operation sub =
      vector_operation("V_SUBBREV_CO_U32", vgpr(5), {vgpr(2), constant(1), sgpr(kVccIndex, 2)});
  sub.destination[1] = sgpr(10, 2);
  ASSERT_TRUE(fixture.run(sub));
  EXPECT_EQ(fixture.row(5)[0], 0xffffffffu) << "1 - 1 - 1";
  EXPECT_EQ(fixture.wave().mask(10), 0x0555555555555555u);
}

TEST(VectorInteger, MultipliesAndAddsTo64Bits) {
  WaveFixture fixture;
  fixture.fill_row(2, 0xffffffffu);
  fixture.fill_row(3, 0xffffffffu);
  fixture.fill_pair(4, 0x0000000200000000u);
  Operation operation =
      vector_operation("V_MAD_U64_U32", vgpr(0, 2), {vgpr(2), vgpr(3), vgpr(4, 2)});
  operation.destination[1] = sgpr(kVccIndex);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.pair(0, 9), 1u);
  EXPECT_EQ(fixture.wave().mask(kVccIndex), 0xffffffffu) << "the sum has a bit 64";
  operation.name = "V_MAD_I64_I32";
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.pair(0), 0x0000000200000001u);
  EXPECT_EQ(fixture.wave().mask(kVccIndex), 0u);
}

TEST(VectorInteger, ShiftsPairs) {
  WaveFixture fixture;
  fixture.fill_pair(2, 0x8000000000000001u);
  const auto shifted = [&](std::string_view name, std::uint32_t count) {
    Operation operation = vector_operation(name, vgpr(0, 2), {constant(count), vgpr(2, 2)});
    EXPECT_TRUE(fixture.run(operation));
    return fixture.pair(0, 5);
  };
  EXPECT_EQ(shifted("V_LSHLREV_B64", 64 + 4), 0x10u);
  EXPECT_EQ(shifted("V_LSHRREV_B64", 63), 1u);
  EXPECT_EQ(shifted("V_ASHRREV_I64", 63), ~std::uint64_t{0});
}

TEST(VectorInteger, CountsLanesBelow) {
  WaveFixture fixture(Generation::kGfx9, 64);
  Operation low = vector_operation("V_MBCNT_LO_U32_B32", vgpr(1), {constant(~0u), constant(0)});
  Operation high = vector_operation("V_MBCNT_HI_U32_B32", vgpr(1), {constant(~0u), vgpr(1)});
  ASSERT_TRUE(fixture.run(low));
  ASSERT_TRUE(fixture.run(high));
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(fixture.row(1)[lane], lane);
}

TEST(VectorInteger, SelectsByMasksWithSigns) {
  WaveFixture fixture;
  fixture.fill_row(1, 0x3f800000u);
  fixture.fill_row(2, 0x40000000u);
  fixture.wave().set_mask(10, 0xffff0000u);
  Operation operation = vector_operation("V_CNDMASK_B32", vgpr(0), {vgpr(1), vgpr(2), sgpr(10)});
  operation.negate = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0xbf800000u);
  EXPECT_EQ(fixture.row(0)[16], 0x40000000u);
}

TEST(VectorInteger, SwapsActiveLanes) {
  WaveFixture fixture;
  fixture.fill_row(1, 11);
  fixture.fill_row(2, 22);
  fixture.set_exec(1);
  Operation operation = vector_operation("V_SWAP_B32", vgpr(1), {vgpr(2)});
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(1)[0], 22u);
  EXPECT_EQ(fixture.row(2)[0], 11u);
  EXPECT_EQ(fixture.row(1)[1], 11u);
}

TEST(VectorInteger, ComputesPackedHalves) {
  WaveFixture fixture;
  fixture.fill_row(1, 0x0001ffffu);
  fixture.fill_row(2, 0x00020002u);
  Operation operation = vector_operation("V_PK_ADD_U16", vgpr(0), {vgpr(1), vgpr(2)});
  operation.family = isa::EncodingFamily::kVop3p;
  operation.op_sel_hi = 7;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[7], 0x00030001u);
  operation.clamp = true;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[7], 0x0003ffffu);
  operation.clamp = false;
  operation.op_sel = 1;     // the low result from the high half
  operation.op_sel_hi = 2;  // the high one from the low half
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[7], 0x00010003u);
}

}  // namespace
}  // namespace halyard::emulator::test
