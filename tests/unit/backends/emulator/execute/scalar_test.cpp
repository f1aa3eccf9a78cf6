// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace halyard::emulator::test {
namespace {

struct Row {
  std::string_view name;
  std::vector<std::uint64_t> sources;
  std::uint64_t expected;
  bool scc_before;
  bool scc_after;
};

// Sources from s2 on, two registers each, to s[0:1].
void expect_row(const Row& row, std::uint32_t bits) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  Operation operation = scalar_operation(row.name, sgpr(0, 2), {});
  for (std::uint32_t i = 0; i < row.sources.size(); ++i) {
    wave.set_scalar64(2 + 2 * i, row.sources[i]);
    operation.source[i] = sgpr(2 + 2 * i, 2);
  }
  wave.scc = row.scc_before;
  ASSERT_TRUE(fixture.run(operation)) << row.name;
  EXPECT_EQ(bits == 64 ? wave.scalar64(0) : wave.scalar[0], row.expected) << row.name;
  EXPECT_EQ(wave.scc, row.scc_after) << row.name;
}

TEST(Scalar, ComputesNumbersOf32Bits) {
  const Row rows[] = {
      {"S_ADD_U32", {0xffffffffu, 1}, 0, false, true},
      {"S_ADD_I32", {0x7fffffffu, 1}, 0x80000000u, false, true},
      {"S_ADD_I32", {0xffffffffu, 1}, 0, true, false},
      {"S_SUB_U32", {1, 2}, 0xffffffffu, false, true},
      {"S_SUB_I32", {0x80000000u, 1}, 0x7fffffffu, false, true},
      {"S_ADDC_U32", {0xffffffffu, 0}, 0, true, true},
      {"S_ADD_CO_CI_U32", {1, 2}, 4, true, false},
      {"S_SUBB_U32", {0, 0xffffffffu}, 0, true, true},
      {"S_SUBB_U32", {5, 3}, 1, true, false},
      {"S_MUL_I32", {0x10001u, 0x10001u}, 0x20001u, true, true},
      {"S_MUL_HI_U32", {0xffffffffu, 0xffffffffu}, 0xfffffffeu, false, false},
      {"S_MUL_HI_I32", {0xffffffffu, 2}, 0xffffffffu, false, false},
      {"S_LSHL2_ADD_U32", {0x40000000u, 1}, 1, false, true},
      {"S_MIN_I32", {0xffffffffu, 1}, 0xffffffffu, false, true},
      {"S_MAX_U32", {0xffffffffu, 1}, 0xffffffffu, false, true},
      {"S_MIN_U32", {5, 5}, 5, true, false},
      {"S_MAX_I32", {5, 5}, 5, false, true},
      {"S_ABS_I32", {0xfffffffbu}, 5, false, true},
      {"S_ABS_I32", {0x80000000u}, 0x80000000u, false, true},
      {"S_ABSDIFF_I32", {3, 8}, 5, false, true},
      {"S_ABSDIFF_I32", {8, 8}, 0, true, false},
      {"S_CSELECT_B32", {3, 8}, 3, true, true},
      {"S_CSELECT_B32", {3, 8}, 8, false, false},
      {"S_SEXT_I32_I8", {0x180}, 0xffffff80u, true, true},
      {"S_SEXT_I32_I16", {0x17fff}, 0x7fffu, false, false},
      {"S_PACK_LH_B32_B16", {0x11112222u, 0x33334444u}, 0x33332222u, false, false},
      {"S_PACK_HL_B32_B16", {0x11112222u, 0x33334444u}, 0x44441111u, false, false},
      {"S_AND_B32", {0xf0, 0x0f}, 0, true, false},
      {"S_NAND_B32", {~0u, ~0u}, 0, true, false},
      {"S_ANDN2_B32", {0xff, 0x0f}, 0xf0, false, true},
      {"S_OR_NOT1_B32", {0, ~0u}, 0, true, false},
      {"S_LSHL_B32", {1, 33}, 2, false, true},
      {"S_LSHR_B32", {1, 1}, 0, true, false},
      {"S_ASHR_I32", {0x80000000u, 31}, 0xffffffffu, false, true},
      {"S_BFM_B32", {4, 8}, 0xf00, true, true},
      {"S_BFE_U32", {0xabcd1234u, 8u | 8u << 16}, 0x12, false, true},
      {"S_BFE_U32", {0xabcd1234u, 28u | 16u << 16}, 0xa, false, true},
      {"S_BFE_U32", {0xabcd1234u, 32u << 16}, 0xabcd1234u, false, true},
      {"S_BFE_U32", {0xabcd1234u, 8}, 0, true, false},
      {"S_BFE_I32", {0x00008000u, 8u | 8u << 16}, 0xffffff80u, false, true},
      {"S_BREV_B32", {1}, 0x80000000u, false, false},
      {"S_BCNT1_I32_B32", {0xf0}, 4, false, true},
      {"S_BCNT0_I32_B32", {~0u}, 0, true, false},
      {"S_FF1_I32_B32", {8}, 3, false, false},
      {"S_FF1_I32_B32", {0}, 0xffffffffu, false, false},
      {"S_FF0_I32_B32", {7}, 3, false, false},
      {"S_FLBIT_I32_B32", {0x00010000u}, 15, false, false},
      {"S_FLBIT_I32", {0xffff0000u}, 16, false, false},
      {"S_CLS_I32", {0}, 0xffffffffu, false, false},
      {"S_QUADMASK_B32", {0x80000010u}, 0x82u, false, true},
      {"S_WQM_B32", {0x80000010u}, 0xf00000f0u, false, true},
  };
  for (const Row& row : rows)
    expect_row(row, 32);
}

TEST(Scalar, ComputesNumbersOf64Bits) {
  const Row rows[] = {
      {"S_ADD_NC_U64", {~std::uint64_t{0}, 2}, 1, true, true},
      {"S_MUL_U64", {0x100000001u, 0x100000001u}, 0x200000001u, false, false},
      {"S_LSHL_B64", {1, 64 + 40}, std::uint64_t{1} << 40, false, true},
      {"S_ASHR_I64", {std::uint64_t{1} << 63, 63}, ~std::uint64_t{0}, false, true},
      {"S_BFE_U64", {0xabcd123400000000u, 32u | 16u << 16}, 0x1234, false, true},
      {"S_BFE_I64", {0x8000000000000000u, 60u | 4u << 16}, ~std::uint64_t{7}, false, true},
      {"S_BFM_B64", {40, 8}, 0x0000ffffffffff00u, false, false},
      {"S_NOT_B64", {~std::uint64_t{0}}, 0, true, false},
      {"S_CSELECT_B64", {1, 2}, 2, false, false},
      {"S_BREV_B64", {1}, std::uint64_t{1} << 63, false, false},
      {"S_BITREPLICATE_B64_B32", {0x80000001u}, 0xc000000000000003u, false, false},
  };
  for (const Row& row : rows)
    expect_row(row, 64);
  const Row counts[] = {
      {"S_BCNT1_I32_B64", {0xf00000000000000fu}, 8, false, true},
      {"S_FF1_I32_B64", {std::uint64_t{1} << 40}, 40, false, false},
      {"S_CLZ_I32_U64", {std::uint64_t{1} << 40}, 23, false, false},
      {"S_CLS_I32_I64", {~std::uint64_t{1}}, 63, false, false},
  };
  for (const Row& row : counts)
    expect_row(row, 32);
}

TEST(Scalar, SavesExecAndChangesIt) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  fixture.set_exec(0xff);
  wave.scalar[2] = 0xf0f;
  Operation save = scalar_operation("S_AND_SAVEEXEC_B32", sgpr(0), {sgpr(2)});
  ASSERT_TRUE(fixture.run(save));
  EXPECT_EQ(wave.scalar[0], 0xffu);
  EXPECT_EQ(wave.exec(), 0x0fu);
  EXPECT_TRUE(wave.scc);
  Operation write = scalar_operation("S_AND_NOT1_WREXEC_B32", sgpr(0), {sgpr(2)});
  ASSERT_TRUE(fixture.run(write));
  EXPECT_EQ(wave.exec(), 0xf00u);
  EXPECT_EQ(wave.scalar[0], 0xf00u);
  wave.scalar[2] = 0;
  Operation other = scalar_operation("S_AND_NOT0_SAVEEXEC_B32", sgpr(0), {sgpr(2)});
  ASSERT_TRUE(fixture.run(other));
  EXPECT_EQ(wave.exec(), 0xf00u) << "EXEC and what the source has not";
}

TEST(Scalar, ComparesAndTakesConstants) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  const auto holds = [&](std::string_view name, std::uint64_t a, std::uint64_t b) {
    wave.set_scalar64(2, a);
    wave.set_scalar64(4, b);
    Operation operation = scalar_operation(name, Operand{}, {sgpr(2, 2), sgpr(4, 2)});
    EXPECT_TRUE(fixture.run(operation)) << name;
    return wave.scc;
  };
  EXPECT_TRUE(holds("S_CMP_LT_I32", 0xffffffffu, 0));
  EXPECT_FALSE(holds("S_CMP_LT_U32", 0xffffffffu, 0));
  EXPECT_TRUE(holds("S_CMP_LG_U64", 0x100000000u, 0));
  EXPECT_TRUE(holds("S_BITCMP1_B64", std::uint64_t{1} << 40, 40));
  EXPECT_TRUE(holds("S_BITCMP0_B32", 1, 33));
  EXPECT_TRUE(holds("S_CMP_NGE_F32", 0x7fc00000u, 0));
  EXPECT_FALSE(holds("S_CMP_GE_F16", 0xbc00, 0x3c00));
  wave.scalar[0] = 0x7fffffffu;
  Operation add = scalar_operation("S_ADDK_I32", sgpr(0), {}, 1);
  ASSERT_TRUE(fixture.run(add));
  EXPECT_EQ(wave.scalar[0], 0x80000000u);
  EXPECT_TRUE(wave.scc);
  Operation move = scalar_operation("S_MOVK_I32", sgpr(0), {}, -2);
  ASSERT_TRUE(fixture.run(move));
  EXPECT_EQ(wave.scalar[0], 0xfffffffeu);
  wave.scalar[2] = 0xffffu;
  Operation compare = scalar_operation("S_CMPK_EQ_U32", Operand{}, {sgpr(2)}, -1);
  ASSERT_TRUE(fixture.run(compare));
  EXPECT_TRUE(wave.scc) << "an unsigned constant is widened with zeros";
  compare.name = "S_CMPK_EQ_I32";
  ASSERT_TRUE(fixture.run(compare));
  EXPECT_FALSE(wave.scc);
}

TEST(Scalar, ComputesFloats) {
  WaveFixture fixture(Generation::kGfx12);
  Wave& wave = fixture.wave();
  const auto result = [&](std::string_view name, std::uint32_t a, std::uint32_t b) {
    wave.scalar[2] = a;
    wave.scalar[3] = b;
    Operation operation = scalar_operation(name, sgpr(0), {sgpr(2), sgpr(3)});
    EXPECT_TRUE(fixture.run(operation)) << name;
    return wave.scalar[0];
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  EXPECT_EQ(result("S_ADD_F32", bits(1.5f), bits(2.0f)), bits(3.5f));
  EXPECT_EQ(result("S_SUB_F32", bits(1.5f), 0x7fc00001u), 0xffc00001u);
  EXPECT_EQ(result("S_MAX_NUM_F32", 0x7fc00000u, bits(2.0f)), bits(2.0f));
  EXPECT_EQ(result("S_MUL_F16", 0x4000, 0x4200), 0x4600u);
  EXPECT_EQ(result("S_CVT_F32_I32", 0xffffffffu, 0), bits(-1.0f));
  EXPECT_EQ(result("S_CVT_F32_U32", 0xffffffffu, 0), bits(4294967296.0f));
  EXPECT_EQ(result("S_CVT_U32_F32", bits(-1.0f), 0), 0u);
  EXPECT_EQ(result("S_CVT_HI_F32_F16", 0x3c000000u, 0), bits(1.0f));
  EXPECT_EQ(result("S_CVT_PK_RTZ_F16_F32", bits(1.0f), bits(1e9f)), 0x7bff3c00u);
  EXPECT_EQ(result("S_RNDNE_F32", bits(2.5f), 0), bits(2.0f));
  EXPECT_EQ(result("V_S_RCP_F32", bits(4.0f), 0), bits(0.25f));
  wave.mode.round_single = 1;
  EXPECT_EQ(result("S_CVT_F32_U32", 0x1000001u, 0), bits(16777218.0f));
}

}  // namespace
}  // namespace halyard::emulator::test
