// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

#include <functional>

namespace halyard::emulator::test {
namespace {

constexpr std::uint32_t kOld = 7;
constexpr int kKept = -1;
constexpr int kZero = -2;

// v1 = v0 moved by a permutation, v0 being 100 and the lane.
void expect_moved(const LanePermutation& permutation, WaveFixture& fixture,
                  const std::function<int(int)>& source) {
  const std::uint32_t lanes = fixture.wave().lanes;
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    fixture.row(0)[lane] = 100 + lane;
  fixture.fill_row(1, kOld);
  const std::uint64_t exec = fixture.wave().exec();
  Operation operation = vector_operation("V_MOV_B32", vgpr(1), {vgpr(0)});
  operation.permutation = &permutation;
  ASSERT_TRUE(fixture.run(operation)) << permutation.control;
  EXPECT_EQ(fixture.wave().exec(), exec);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const bool active = (exec >> lane & 1) != 0;
    const int from = active ? source(static_cast<int>(lane)) : kKept;
    const std::uint32_t expected = from == kKept   ? kOld
                                   : from == kZero ? 0
                                                   : 100 + static_cast<std::uint32_t>(from);
    ASSERT_EQ(fixture.row(1)[lane], expected) << permutation.control << " " << lane;
  }
}

LanePermutation permutation_of(std::uint16_t control) {
  LanePermutation permutation;
  permutation.control = control;
  return permutation;
}

TEST(Lane, MovesWithinRows) {
  const struct {
    std::uint16_t control;
    std::function<int(int)> source;
  } rows[] = {
      {0x1b, [](int lane) { return (lane & ~3) | (3 - (lane & 3)); }},       // quad_perm
      {0x101, [](int lane) { return lane % 16 == 15 ? kKept : lane + 1; }},  // row_shl:1
      {0x113, [](int lane) { return lane % 16 < 3 ? kKept : lane - 3; }},    // row_shr:3
      {0x123, [](int lane) { return (lane & ~15) | ((lane + 13) & 15); }},   // row_ror:3
      {0x140, [](int lane) { return (lane & ~15) | (15 - (lane & 15)); }},   // row_mirror
      {0x141, [](int lane) { return (lane & ~7) | (7 - (lane & 7)); }},      // row_half_mirror
      {0x155, [](int lane) { return (lane & ~15) | 5; }},                    // row_share:5
      {0x16f, [](int lane) { return lane ^ 15; }},                           // row_xmask:15
  };
  for (const auto& row : rows) {
    WaveFixture fixture;
    expect_moved(permutation_of(row.control), fixture, row.source);
  }
}

TEST(Lane, MovesAcrossRowsOnGfx9) {
  const struct {
    std::uint16_t control;
    std::function<int(int)> source;
  } rows[] = {
      {0x130, [](int lane) { return lane == 63 ? kKept : lane + 1; }},
      {0x134, [](int lane) { return (lane + 1) % 64; }},
      {0x138, [](int lane) { return lane == 0 ? kKept : lane - 1; }},
      {0x13c, [](int lane) { return (lane + 63) % 64; }},
      {0x142, [](int lane) { return lane < 16 ? kKept : (lane & ~15) - 1; }},
      {0x143, [](int lane) { return lane < 32 ? kKept : 31; }},
  };
  for (const auto& row : rows) {
    WaveFixture fixture(Generation::kGfx9, 64);
    expect_moved(permutation_of(row.control), fixture, row.source);
    WaveFixture later;
    Operation operation = vector_operation("V_MOV_B32", vgpr(1), {vgpr(0)});
    const LanePermutation permutation = permutation_of(row.control);
    operation.permutation = &permutation;
    EXPECT_FALSE(later.run(operation)) << row.control;
  }
}

TEST(Lane, DoesNotReadInactiveLanesUnlessToldTo) {
  LanePermutation permutation = permutation_of(0x101);
  WaveFixture fixture;
  fixture.set_exec(~(1u << 5));
  expect_moved(permutation, fixture,
               [](int lane) { return lane == 4 || lane % 16 == 15 ? kKept : lane + 1; });
  permutation.bound_control = true;
  expect_moved(permutation, fixture,
               [](int lane) { return lane == 4 || lane % 16 == 15 ? kZero : lane + 1; });
  permutation.fetch_inactive = true;
  expect_moved(permutation, fixture, [](int lane) { return lane % 16 == 15 ? kZero : lane + 1; });
}

TEST(Lane, WritesTheRowsAndBanksOfItsMasks) {
  LanePermutation permutation = permutation_of(0x101);
  permutation.bound_control = true;
  permutation.row_mask = 2;
  permutation.bank_mask = 13;
  WaveFixture fixture;
  expect_moved(permutation, fixture, [](int lane) {
    if (lane < 16 || lane / 4 % 4 == 1) return kKept;
    return lane == 31 ? kZero : lane + 1;
  });
}

TEST(Lane, PicksAnyOfEight) {
  LanePermutation permutation;
  permutation.is_dpp8 = true;
  permutation.lanes = {7, 6, 5, 4, 3, 2, 1, 0};
  WaveFixture fixture;
  expect_moved(permutation, fixture, [](int lane) { return (lane & ~7) | (7 - (lane & 7)); });
}

TEST(Lane, PermutesWhatAComparisonAndAnAdditionRead) {
  WaveFixture fixture;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    fixture.row(0)[lane] = lane;
  const LanePermutation permutation = permutation_of(0x1b);
  Operation compare = vector_operation("V_CMP_EQ_U32", sgpr(10), {vgpr(0), constant(3)});
  compare.permutation = &permutation;
  ASSERT_TRUE(fixture.run(compare));
  EXPECT_EQ(fixture.wave().mask(10), 1u);
  Operation add = vector_operation("V_ADD_NC_U32", vgpr(0), {vgpr(0), vgpr(0)});
  add.permutation = &permutation;
  ASSERT_TRUE(fixture.run(add));
  EXPECT_EQ(fixture.row(0)[1], 3u) << "2 + 1";
  Operation first = vector_operation("V_CMPX_EQ_U32", sgpr(kExecIndex), {vgpr(0), vgpr(0)});
  first.permutation = &permutation;
  ASSERT_TRUE(fixture.run(first));
  EXPECT_EQ(fixture.wave().exec(), 0xffffffffu);
}

TEST(Lane, ReadsAndWritesOneLane) {
  WaveFixture fixture(Generation::kGfx9, 64);
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    fixture.row(1)[lane] = 200 + lane;
  fixture.set_exec(0x10);
  Operation first = vector_operation("V_READFIRSTLANE_B32", sgpr(3), {vgpr(1)});
  ASSERT_TRUE(fixture.run(first));
  EXPECT_EQ(fixture.wave().scalar[3], 204u);
  fixture.set_exec(0);
  ASSERT_TRUE(fixture.run(first));
  EXPECT_EQ(fixture.wave().scalar[3], 200u) << "lane 0 where none is active";
  Operation read = vector_operation("V_READLANE_B32", sgpr(4), {vgpr(1), constant(64 + 9)});
  ASSERT_TRUE(fixture.run(read));
  EXPECT_EQ(fixture.wave().scalar[4], 209u) << "a lane beyond the wave counts from its start";
  Operation write = vector_operation("V_WRITELANE_B32", vgpr(1), {constant(5), constant(63)});
  ASSERT_TRUE(fixture.run(write));
  EXPECT_EQ(fixture.row(1)[63], 5u);
}

TEST(Lane, PermutesRowsBySelectors) {
  WaveFixture fixture;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    fixture.row(1)[lane] = lane;
  fixture.fill_row(0, kOld);
  Operation within = vector_operation("V_PERMLANE16_B32", vgpr(0),
                                      {vgpr(1), constant(0x89abcdefu), constant(0x01234567u)});
  ASSERT_TRUE(fixture.run(within));
  EXPECT_EQ(fixture.row(0)[0], 15u);
  EXPECT_EQ(fixture.row(0)[31], 16u);
  Operation across = within;
  across.name = "V_PERMLANEX16_B32";
  fixture.set_exec(0x0000ffffu);
  fixture.fill_row(0, kOld);
  ASSERT_TRUE(fixture.run(across));
  EXPECT_EQ(fixture.row(0)[0], kOld) << "its source is inactive";
  across.op_sel = 2;
  ASSERT_TRUE(fixture.run(across));
  EXPECT_EQ(fixture.row(0)[0], 0u);
  across.op_sel = 1;
  ASSERT_TRUE(fixture.run(across));
  EXPECT_EQ(fixture.row(0)[0], 31u);
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    fixture.row(2)[lane] = lane ^ 1;
  Operation by_lane = vector_operation("V_PERMLANE16_VAR_B32", vgpr(0), {vgpr(1), vgpr(2)});
  ASSERT_TRUE(fixture.run(by_lane));
  EXPECT_EQ(fixture.row(0)[4], 5u);
}

TEST(Lane, ExchangesHalvesOf64Lanes) {
  WaveFixture fixture(Generation::kGfx11, 64);
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    fixture.row(1)[lane] = lane;
  Operation operation = vector_operation("V_PERMLANE64_B32", vgpr(1), {vgpr(1)});
  ASSERT_TRUE(fixture.run(operation));
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(fixture.row(1)[lane], lane ^ 32);
}

TEST(Lane, TakesAndPutsPartsOfRegisters) {
  WaveFixture fixture(Generation::kGfx9, 64);
  fixture.fill_row(1, 0x80020304u);
  fixture.fill_row(2, 0x00010000u);
  fixture.fill_row(0, 0xaabbccddu);
  SubDwordSelection selection;
  selection.source = {3, 5};  // byte 3, word 1
  Operation operation = vector_operation("V_ADD_U32", vgpr(0), {vgpr(1), vgpr(2)});
  operation.sub_dword = &selection;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0x81u);
  selection.sign_extend = {true, false};
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[0], 0xffffff81u);
  selection.destination = 1;
  selection.unused = 2;
  fixture.fill_row(0, 0xaabbccddu);
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[63], 0xaabb81ddu);
  selection.unused = 1;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[63], 0xffff8100u);
  selection.unused = 0;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.row(0)[63], 0x00008100u);
}

TEST(Lane, MovesRegistersThatM0Tells) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  for (std::uint32_t i = 0; i < 8; ++i)
    fixture.fill_row(i, 10 + i);
  wave.scalar[kM0Index] = 3;
  Operation from = vector_operation("V_MOVRELS_B32", vgpr(0), {vgpr(2)});
  ASSERT_TRUE(fixture.run(from));
  EXPECT_EQ(fixture.row(0)[31], 15u);
  Operation to = vector_operation("V_MOVRELD_B32", vgpr(2), {constant(99)});
  ASSERT_TRUE(fixture.run(to));
  EXPECT_EQ(fixture.row(5)[31], 99u);
  EXPECT_EQ(fixture.row(2)[31], 12u);
  wave.set_scalar64(12, 0x100000002u);
  Operation scalar = scalar_operation("S_MOVRELS_B64", sgpr(0, 2), {sgpr(9, 2)});
  ASSERT_TRUE(fixture.run(scalar));
  EXPECT_EQ(wave.scalar64(0), 0x100000002u);
  wave.scalar[kM0Index] = 0xffffffffu;
  ASSERT_TRUE(fixture.run(from));
  EXPECT_EQ(wave.status, WaveStatus::kStopped);
  EXPECT_EQ(fixture.workgroup().report->what,
            "M0 (4294967295) leads from register 2 past the last of 256.");
}

Operation half(WaveFixture& fixture, std::string_view name, std::uint32_t to, std::uint32_t a,
               std::uint32_t b) {
  Operation operation = vector_operation(name, vgpr(to), {vgpr(a), vgpr(b)});
  operation.handler = fixture.choose(operation);
  EXPECT_NE(operation.handler, nullptr) << name;
  return operation;
}

TEST(Lane, ReadsBothHalvesOfAPairBeforeEitherWrites) {
  const struct {
    std::uint32_t x_to, x_a, x_b, y_to, y_a, y_b;
  } rows[] = {{0, 2, 3, 1, 2, 3}, {0, 1, 2, 1, 2, 3}, {0, 2, 3, 1, 0, 3}, {0, 1, 2, 1, 0, 3}};
  for (const auto& row : rows) {
    WaveFixture fixture;
    const std::uint32_t values[] = {5, 11, 17, 23};
    for (std::uint32_t i = 0; i < 4; ++i)
      fixture.fill_row(i, values[i]);
    const Operation x = half(fixture, "V_DUAL_ADD_NC_U32", row.x_to, row.x_a, row.x_b);
    const Operation y = half(fixture, "V_DUAL_AND_B32", row.y_to, row.y_a, row.y_b);
    Operation pair = vector_operation("V_DUAL_ADD_NC_U32", Operand{}, {});
    pair.first_half = &x;
    pair.second_half = &y;
    ASSERT_TRUE(fixture.run(pair));
    EXPECT_EQ(fixture.row(row.x_to)[31], values[row.x_a] + values[row.x_b]);
    EXPECT_EQ(fixture.row(row.y_to)[31], values[row.y_a] & values[row.y_b]);
  }
}

}  // namespace
}  // namespace halyard::emulator::test
