// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/program/program.h"

#include "backends/emulator/state/workgroup.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace halyard::emulator {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kEndProgram = 0xbfb00000;  // s_endpgm of gfx11
constexpr std::uint32_t kMove = 0x7e020302;        // v_mov_b32_e32 v1, v2
constexpr std::uint32_t kBranchBack = 0xbfa0fffe;  // s_branch to the instruction before
constexpr std::uint32_t kNothing = 0xffffffff;

Program program_of(std::vector<std::uint32_t> words, ProgramLimits limits = {},
                   std::vector<std::uint32_t> starts = {0}) {
  auto program = Program::create(testing::tables_of("gfx1100"), std::move(words), starts, limits);
  EXPECT_TRUE(program) << program.error().message();
  return std::move(*program);
}

// What an operation says when a wave reaches it.
Report report_of(const Program& program, const Operation& operation) {
  Workgroup workgroup;
  workgroup.waves.resize(1);
  Wave& wave = workgroup.waves.front();
  wave.workgroup = &workgroup;
  wave.program = &program;
  operation.handler(wave, operation);
  EXPECT_EQ(wave.status, WaveStatus::kStopped);
  return workgroup.report.value_or(Report{});
}

TEST(Program, FindsOperationsByTheirOffsets) {
  const Program program = program_of({kMove, kMove, kEndProgram});
  ASSERT_NE(program.at(4), nullptr);
  EXPECT_EQ(program.at(4)->index, 1U);
  EXPECT_EQ(program.at(2), nullptr);
  EXPECT_EQ(program.at(12), nullptr);
  EXPECT_EQ(program.at(~std::uint64_t{0}), nullptr);
}

TEST(Program, WritesOperationsAsAssemblersDo) {
  const Program program = program_of({kMove, kEndProgram});
  EXPECT_EQ(program.text(*program.at(0)), "v_mov_b32_e32 v1, v2");
}

TEST(Program, BranchGoesToAnOperation) {
  const Program program = program_of({kMove, kBranchBack, kEndProgram});
  EXPECT_EQ(program.at(4)->target, program.at(0));
}

TEST(Program, BranchOutOfTheProgramGoesNowhere) {
  const Program program = program_of({kBranchBack, kEndProgram});
  EXPECT_EQ(program.at(0)->target, nullptr);
}

TEST(Program, EndOfTheCodeStopsAWave) {
  const Program program = program_of({kMove});
  const Report report = report_of(program, program.operations()[1]);
  EXPECT_EQ(report.kind, ReportKind::kBranchOutside);
  EXPECT_EQ(report.address, 4U);
}

TEST(Program, EndOfAFunctionStopsAWave) {
  const Program program = program_of({kMove, kMove, kEndProgram}, {}, {0, 1});
  ASSERT_EQ(program.operations().size(), 5U);
  EXPECT_EQ(report_of(program, program.operations()[1]).kind, ReportKind::kBranchOutside);
  EXPECT_EQ(program.at(4), &program.operations()[2]);
}

TEST(Program, DwordsThatAreNoInstructionStopAWave) {
  const Program program = program_of({kNothing, kEndProgram});
  const Report report = report_of(program, *program.at(0));
  EXPECT_EQ(report.kind, ReportKind::kUnknownInstruction);
  EXPECT_THAT(report.what, HasSubstr("0xffffffff at code offset 0"));
}

TEST(Program, RegisterBeyondTheLimitsStopsAWave) {
  ProgramLimits limits;
  limits.vector_registers = 2;
  const Program program = program_of({kMove, kEndProgram}, limits);
  const Report report = report_of(program, *program.at(0));
  EXPECT_EQ(report.kind, ReportKind::kUnknownInstruction);
  EXPECT_THAT(report.what, HasSubstr("V_MOV_B32 (0x7e020302 at code offset 0) names a register"));
}

TEST(Program, InstructionThatIsCutOffStopsAWave) {
  constexpr std::uint32_t kMoveLiteral = 0x7e0202ff;  // v_mov_b32_e32 v1, and a literal
  const Program program = program_of({kMoveLiteral});
  EXPECT_EQ(report_of(program, *program.at(0)).kind, ReportKind::kUnknownInstruction);
}

TEST(Program, StartsAreIndicesOfWords) {
  const std::array<std::uint32_t, 2> starts = {0, 7};
  const auto program = Program::create(testing::tables_of("gfx1100"), {kMove}, starts, {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(program.error().message(), HasSubstr("the dwords 0 to 7 of 1"));
}

}  // namespace
}  // namespace halyard::emulator
