// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_launch.h"

#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include <gmock/gmock.h>

#include <string>

namespace halyard::emulator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(EmulatorFault, ReportBecomesOneLineWithItsKindFirst) {
  Report report;
  report.kind = ReportKind::kOutOfBounds;
  report.what = "A store of 4 bytes lies outside of what the kernel was given.";
  report.kernel = "softmax";
  report.instruction = "global_store_b32 v2, v3, s[4:5]";
  report.buffer = "y";
  report.distance_bytes = 16;
  const base::Error error = fault(report);
  EXPECT_EQ(error.code(), base::ErrorCode::kKernelFault);
  EXPECT_THAT(error.message(), StartsWith("out_of_bounds: A store of 4 bytes lies outside"));
  EXPECT_THAT(error.message(), HasSubstr("global_store_b32 v2, v3, s[4:5]"));
  EXPECT_THAT(error.message(), HasSubstr("16 bytes behind the end of y"));
  EXPECT_EQ(error.message().find('\n'), std::string::npos);
}

TEST(EmulatorFault, UnknownInstructionIsWhatTheEmulatorCannotDo) {
  EXPECT_EQ(fault(Report()).code(), base::ErrorCode::kUnsupported);
  EXPECT_THAT(fault(Report()).message(), StartsWith("unknown_instruction: "));
}

class EmulatorLaunch : public EmulatorFixture {};

TEST_F(EmulatorLaunch, StoreBehindTheBufferIsAFaultAndStoresNothingThere) {
  const auto queue = make_queue();
  const auto increment = load("increment");
  const auto words = make_buffer(80, 5);
  const auto status = run(*queue, *increment, *words, 81);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kKernelFault);
  EXPECT_THAT(status.error().message(), StartsWith("out_of_bounds: "));
  EXPECT_THAT(status.error().message(), HasSubstr("words"));
  EXPECT_THAT(status.error().message(), HasSubstr("kernel increment"));
}

TEST_F(EmulatorLaunch, KernelThatNeverEndsEndsWithItsBudget) {
  const auto queue = make_queue();
  const auto spin = load("spin");
  const auto words = make_buffer(1);
  const auto status = run(*queue, *spin, *words, 1);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), base::ErrorCode::kKernelFault);
  EXPECT_THAT(status.error().message(), StartsWith("budget_exceeded: "));
}

TEST_F(EmulatorLaunch, KernelThatOnlyReadsABufferMayNotStoreThere) {
  const auto queue = make_queue();
  core::StageDesc stage = probe_stage("increment");
  stage.arguments[0].is_written = false;
  const auto executable = try_load(stage);
  ASSERT_TRUE(executable);
  const auto words = make_buffer(1, 7);
  const auto status = run(*queue, **executable, *words, 1);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), StartsWith("store_to_constant: "));
  EXPECT_EQ(word(*words, 0), 7U);
}

class EmulatorFullMode : public EmulatorFixture {
 protected:
  static base::Configuration full() {
    base::Configuration configuration = emulator_configuration();
    configuration.emulator_mode.value = base::EmulatorMode::kFull;
    configuration.emulator_schedule.value = 1;
    return configuration;
  }
  EmulatorFullMode() : EmulatorFixture(full()) {}
};

TEST_F(EmulatorFullMode, MissingWaitIsCaughtAtTheInstruction) {
  const auto queue = make_queue();
  const auto at_once = load("increment_at_once");
  const auto words = make_buffer(32);
  const auto status = run(*queue, *at_once, *words, 32);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), StartsWith("missing_wait: "));
  EXPECT_THAT(status.error().message(), HasSubstr("v_add_nc_u32"));
}

TEST_F(EmulatorFullMode, KernelThatWaitsHasNoReport) {
  const auto queue = make_queue();
  const auto increment = load("increment");
  const auto words = make_buffer(100);
  for (int i = 0; i < 3; ++i) {
    const auto status = run(*queue, *increment, *words, 100);
    ASSERT_TRUE(status) << status.error().message();
  }
  EXPECT_EQ(word(*words, 0), 3U);
  EXPECT_EQ(word(*words, 99), 3U);
}

class EmulatorStatistics : public EmulatorFixture {
 protected:
  EmulatorStatistics()
      : EmulatorStatistics(base::make_ref<core::BackendSettings>(emulator_configuration())) {}
  explicit EmulatorStatistics(const base::Ref<core::BackendSettings>& settings)
      : EmulatorFixture(*settings),
        settings_(settings) {}

  base::Ref<core::BackendSettings> settings_;
};

TEST_F(EmulatorStatistics, AreToldWhereSomebodyReadsThem) {
  std::string told;
  settings_->log.set_callback([&](base::LogLevel, std::string_view line) { told = line; });
  const auto queue = make_queue();
  const auto increment = load("increment");
  const auto words = make_buffer(64);
  ASSERT_TRUE(run(*queue, *increment, *words, 64));
  EXPECT_EQ(told, "");
  settings_->log.set_level(base::LogLevel::kDebug);
  ASSERT_TRUE(run(*queue, *increment, *words, 64));
  EXPECT_THAT(told, StartsWith("Kernel increment: "));
}

}  // namespace
}  // namespace halyard::emulator
