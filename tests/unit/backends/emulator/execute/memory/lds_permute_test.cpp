// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/memory/wave_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;

Operation swizzle(std::uint32_t pattern) {
  Operation operation;
  operation.name = "DS_SWIZZLE_B32";
  operation.source[0] = vector_operand(0);
  operation.destination[0] = vector_operand(1);
  operation.immediate = pattern;
  return operation;
}

// The lane that each lane takes its value from.
void expect_sources(std::uint32_t pattern,
                    const std::function<std::uint32_t(std::uint32_t)>& from) {
  for (const std::uint32_t lanes : {32u, 64u}) {
    WaveBench bench(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      bench.row(0)[lane] = 1000 + lane;
    ASSERT_TRUE(bench.execute(lds_semantics(), swizzle(pattern)));
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      EXPECT_EQ(bench.row(1)[lane], 1000 + from(lane)) << pattern << ", lane " << lane;
  }
}

TEST(LdsPermute, SwizzleWithinFour) {
  expect_sources(0x801b, [](std::uint32_t lane) { return lane ^ 3; });
  expect_sources(0x80aa, [](std::uint32_t lane) { return (lane & ~3u) | 2; });
}

TEST(LdsPermute, SwizzleByMasks) {
  expect_sources(0x041f, [](std::uint32_t lane) { return lane ^ 1; });
  expect_sources(0x401f, [](std::uint32_t lane) { return lane ^ 16; });
  expect_sources(0x00e0, [](std::uint32_t lane) { return (lane & 32) | 7; });
}

TEST(LdsPermute, SwizzleByRotation) {
  expect_sources(0xc020, [](std::uint32_t lane) { return (lane & 32) | ((lane + 1) & 31); });
  expect_sources(0xc420, [](std::uint32_t lane) { return (lane & 32) | ((lane - 1) & 31); });
}

TEST(LdsPermute, SwizzleForFourierTransforms) {
  // The example of AMD's manual, with lanes counted from 0.
  const std::uint32_t expected[32] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                      1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};
  expect_sources(0xe000, [&](std::uint32_t lane) { return (lane & 32) | expected[lane % 32]; });
  expect_sources(0xe01f, [](std::uint32_t lane) { return lane; });
}

TEST(LdsPermute, SwizzleFromAnInactiveLaneIsZero) {
  WaveBench bench;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 1000 + lane;
    bench.row(1)[lane] = 5;
  }
  bench.set_exec(0x5);
  ASSERT_TRUE(bench.execute(lds_semantics(), swizzle(0x041f)));
  EXPECT_EQ(bench.row(1)[0], 0u);
  EXPECT_EQ(bench.row(1)[1], 5u);
  EXPECT_EQ(bench.row(1)[2], 0u);
}

Operation permute(const char* name) {
  Operation operation;
  operation.name = name;
  operation.source[0] = vector_operand(0);
  operation.source[1] = vector_operand(1);
  operation.destination[0] = vector_operand(2);
  return operation;
}

TEST(LdsPermute, ForwardSendsToTheAddressedLane) {
  WaveBench bench(64, Generation::kGfx9);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    bench.row(0)[lane] = 4 * ((lane + 40) % 64);
    bench.row(1)[lane] = 1000 + lane;
  }
  ASSERT_TRUE(bench.execute(lds_semantics(), permute("DS_PERMUTE_B32")));
  for (std::uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(bench.row(2)[lane], 1000 + (lane + 24) % 64);
}

TEST(LdsPermute, ForwardKeepsTheHighestLaneAndFillsWithZero) {
  WaveBench bench;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    bench.row(1)[lane] = 1000 + lane;
  ASSERT_TRUE(bench.execute(lds_semantics(), permute("DS_PERMUTE_B32")));
  EXPECT_EQ(bench.row(2)[0], 1031u);
  EXPECT_EQ(bench.row(2)[1], 0u);
}

TEST(LdsPermute, BackwardFetchesModuloTheWave) {
  WaveBench bench;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 4 * (lane + 5) + 128;
    bench.row(1)[lane] = 1000 + lane;
  }
  Operation operation = permute("DS_BPERMUTE_B32");
  operation.immediate = 4;
  ASSERT_TRUE(bench.execute(lds_semantics(), operation));
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bench.row(2)[lane], 1000 + (lane + 6) % 32);
}

TEST(LdsPermute, BackwardStaysWithinHalvesFromGfx11On) {
  WaveBench bench(64, Generation::kGfx11);
  for (std::uint32_t lane = 0; lane < 64; ++lane) {
    bench.row(0)[lane] = 0;
    bench.row(1)[lane] = 1000 + lane;
  }
  ASSERT_TRUE(bench.execute(lds_semantics(), permute("DS_BPERMUTE_B32")));
  EXPECT_EQ(bench.row(2)[31], 1000u);
  EXPECT_EQ(bench.row(2)[32], 1032u);
}

TEST(LdsPermute, BackwardFromAnInactiveLane) {
  WaveBench bench(32, Generation::kGfx12);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    bench.row(0)[lane] = 4;
    bench.row(1)[lane] = 1000 + lane;
  }
  bench.set_exec(1);
  ASSERT_TRUE(bench.execute(lds_semantics(), permute("DS_BPERMUTE_B32")));
  EXPECT_EQ(bench.row(2)[0], 0u);
  ASSERT_TRUE(bench.execute(lds_semantics(), permute("DS_BPERMUTE_FI_B32")));
  EXPECT_EQ(bench.row(2)[0], 1001u);
}

Operation count(const char* name) {
  Operation operation;
  operation.name = name;
  operation.destination[0] = vector_operand(2);
  operation.immediate = 8;
  return operation;
}

TEST(LdsPermute, AppendAndConsumeCountTheLanes) {
  WaveBench bench;
  bench.use_lds(16);
  bench.set_exec(0x70);
  write_dword(bench.lds().data() + 8, 10);
  ASSERT_TRUE(bench.execute(lds_semantics(), count("DS_APPEND")));
  EXPECT_EQ(read_dword(bench.lds().data() + 8), 13u);
  EXPECT_EQ(bench.row(2)[4], 10u);
  EXPECT_EQ(bench.row(2)[3], 0u);
  ASSERT_TRUE(bench.execute(lds_semantics(), count("DS_CONSUME")));
  EXPECT_EQ(read_dword(bench.lds().data() + 8), 10u);
  EXPECT_EQ(bench.row(2)[6], 13u);
}

TEST(LdsPermute, AppendWithM0IsNotExecuted) {
  WaveBench bench;
  bench.use_lds(16);
  bench.wave().scalar[kM0Index] = 4;
  ASSERT_TRUE(bench.execute(lds_semantics(), count("DS_APPEND")));
  ASSERT_TRUE(bench.report());
  EXPECT_EQ(bench.report()->kind, ReportKind::kUnknownInstruction);
  EXPECT_THAT(bench.report()->what, HasSubstr("M0 is 4"));
}

}  // namespace
}  // namespace halyard::emulator
