// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/backends/emulator/execute/wave_fixture.h"

#include <gtest/gtest.h>

namespace halyard::emulator::test {
namespace {

TEST(Control, BranchesWhereItsConditionHolds) {
  const struct {
    std::string_view name;
    bool scc;
    std::uint32_t vcc;
    std::uint32_t exec;
    bool taken;
  } rows[] = {
      {"S_BRANCH", false, 0, 0, true},          {"S_CBRANCH_SCC0", false, 0, 0, true},
      {"S_CBRANCH_SCC0", true, 0, 0, false},    {"S_CBRANCH_SCC1", true, 0, 0, true},
      {"S_CBRANCH_VCCZ", false, 0, 1, true},    {"S_CBRANCH_VCCNZ", false, 4, 1, true},
      {"S_CBRANCH_VCCNZ", false, 0, 1, false},  {"S_CBRANCH_EXECZ", false, 0, 0, true},
      {"S_CBRANCH_EXECNZ", false, 0, 0, false}, {"S_CBRANCH_EXECNZ", false, 0, 8, true},
  };
  for (const auto& row : rows) {
    WaveFixture fixture;
    Wave& wave = fixture.wave();
    const Operation target;
    Operation operation = scalar_operation(row.name, Operand{}, {});
    operation.target = &target;
    wave.scc = row.scc;
    wave.set_mask(kVccIndex, row.vcc);
    fixture.set_exec(row.exec);
    ASSERT_TRUE(fixture.run(operation)) << row.name;
    EXPECT_EQ(wave.next == &target, row.taken) << row.name;
  }
}

TEST(Control, StopsABranchThatLeavesTheCode) {
  WaveFixture fixture;
  Operation operation = scalar_operation("S_BRANCH", Operand{}, {}, 1000);
  operation.address = 0x40;
  ASSERT_TRUE(fixture.run(operation));
  EXPECT_EQ(fixture.wave().status, WaveStatus::kStopped);
  ASSERT_TRUE(fixture.workgroup().report.has_value());
  EXPECT_EQ(fixture.workgroup().report->kind, ReportKind::kBranchOutside);
  EXPECT_EQ(fixture.workgroup().report->what,
            "The branch by 1000 dwords leads to no instruction of the kernel's code.");
  EXPECT_EQ(fixture.workgroup().report->address, 0x40u);
}

TEST(Control, StopsAtATrapAndBehindTheCode) {
  WaveFixture trapped;
  Operation trap = scalar_operation("S_TRAP", Operand{}, {}, 2);
  ASSERT_TRUE(trapped.run(trap));
  EXPECT_EQ(trapped.workgroup().report->kind, ReportKind::kTrap);
  EXPECT_EQ(trapped.workgroup().report->what, "The kernel traps with 2.");
  WaveFixture lost;
  Operation padding = scalar_operation("S_CODE_END", Operand{}, {});
  ASSERT_TRUE(lost.run(padding));
  EXPECT_EQ(lost.workgroup().report->kind, ReportKind::kBranchOutside);
}

TEST(Control, EndsAndWaits) {
  WaveFixture fixture;
  Operation barrier = scalar_operation("S_BARRIER", Operand{}, {});
  ASSERT_TRUE(fixture.run(barrier));
  EXPECT_EQ(fixture.wave().status, WaveStatus::kAtBarrier);
  EXPECT_EQ(fixture.wave().barriers_signalled, 1u);
  EXPECT_EQ(fixture.wave().barriers_waited, 1u);
  Operation end = scalar_operation("S_ENDPGM", Operand{}, {});
  ASSERT_TRUE(fixture.run(end));
  EXPECT_EQ(fixture.wave().status, WaveStatus::kEnded);
}

TEST(Control, SignalsFirstAndThenWaits) {
  WaveFixture fixture(Generation::kGfx12);
  Operation first = scalar_operation("S_BARRIER_SIGNAL_ISFIRST", Operand{}, {constant(~0ull)});
  ASSERT_TRUE(fixture.run(first));
  EXPECT_TRUE(fixture.wave().scc);
  EXPECT_EQ(fixture.wave().status, WaveStatus::kRunning);
  Operation wait = scalar_operation("S_BARRIER_WAIT", Operand{}, {}, -1);
  ASSERT_TRUE(fixture.run(wait));
  EXPECT_EQ(fixture.wave().status, WaveStatus::kAtBarrier);
  Operation named = scalar_operation("S_BARRIER_SIGNAL", Operand{}, {constant(1)});
  EXPECT_FALSE(fixture.run(named)) << "named barriers are not executed";
}

TEST(Control, ReadsAndWritesTheFloatMode) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  constexpr std::int64_t kRound = 1 | 0 << 6 | 3 << 11;  // MODE, bits 0 to 3
  Operation set = scalar_operation("S_SETREG_IMM32_B32", Operand{}, {constant(0xfd)}, kRound);
  ASSERT_TRUE(fixture.run(set));
  EXPECT_EQ(wave.mode.round_single, 1);
  EXPECT_EQ(wave.mode.round_other, 3);
  EXPECT_EQ(wave.mode.denormals_single, 3) << "beyond the field";
  Operation get = scalar_operation("S_GETREG_B32", sgpr(0), {}, kRound);
  ASSERT_TRUE(fixture.run(get));
  EXPECT_EQ(wave.scalar[0], 0xdu);
  Operation denormals = scalar_operation("S_DENORM_MODE", Operand{}, {}, 0xc);
  ASSERT_TRUE(fixture.run(denormals));
  EXPECT_EQ(wave.mode.denormals_single, 0);
  EXPECT_EQ(wave.mode.denormals_other, 3);
  Operation round = scalar_operation("S_ROUND_MODE", Operand{}, {}, 0x4);
  ASSERT_TRUE(fixture.run(round));
  EXPECT_EQ(wave.mode.round_single, 0);
  EXPECT_EQ(wave.mode.round_other, 1);
  Operation other = scalar_operation("S_GETREG_B32", sgpr(0), {}, 3);
  EXPECT_FALSE(fixture.run(other)) << "no other register is known";
}

TEST(Control, KnowsWhichMessagesAreHarmless) {
  WaveFixture fixture;
  Operation harmless = scalar_operation("S_SENDMSG", Operand{}, {}, 3);
  EXPECT_TRUE(fixture.run(harmless));
  Operation other = scalar_operation("S_SENDMSG", Operand{}, {}, 1);
  EXPECT_FALSE(fixture.run(other));
  fixture.wave().executed = 0x123456789;
  Operation time = scalar_operation("S_SENDMSG_RTN_B64", sgpr(0, 2), {}, 0x83);
  ASSERT_TRUE(fixture.run(time));
  EXPECT_EQ(fixture.wave().scalar64(0), 0x123456789u);
  Operation door = scalar_operation("S_SENDMSG_RTN_B64", sgpr(0, 2), {}, 0x80);
  EXPECT_FALSE(fixture.run(door));
}

TEST(Control, SavesWhereACallReturnsTo) {
  WaveFixture fixture;
  Wave& wave = fixture.wave();
  Operation behind;
  behind.address = 0x24;
  const Operation target;
  wave.next = &behind;
  wave.code_base = 0x700000000000;
  Operation call = scalar_operation("S_CALL_B64", sgpr(4, 2), {});
  call.target = &target;
  ASSERT_TRUE(fixture.run(call));
  EXPECT_EQ(wave.scalar64(4), 0x700000000024u);
  EXPECT_EQ(wave.next, &target);
}

}  // namespace
}  // namespace halyard::emulator::test
