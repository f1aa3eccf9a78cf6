// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/launch/launch.h"

#include "backends/emulator/observe/observer.h"
#include "tests/unit/backends/emulator/emulator_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <xmmintrin.h>

#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::emulator {
namespace {

using testing::constant_memory;
using ::testing::HasSubstr;
using testing::memory;
using testing::number;

// The kernels of launched.hip, on every kind of target.
class Launch : public ::testing::TestWithParam<std::string_view> {
 protected:
  static const LoadedObject& object() {
    static std::map<std::string_view, std::unique_ptr<const LoadedObject>> loaded;
    auto& found = loaded[GetParam()];
    if (!found) {
      found = testing::load_object(GetParam(), std::string(HALYARD_TEST_OBJECTS) + "/launched." +
                                                   std::string(GetParam()) + ".hsaco");
    }
    return *found;
  }

  // A launch that is to end well.
  static void run_well(std::string_view kernel, LaunchDesc desc) {
    const LaunchOutcome outcome = testing::run(object(), kernel, std::move(desc));
    EXPECT_FALSE(outcome.report) << report_text(*outcome.report);
    EXPECT_GT(outcome.instructions, 0U);
  }

  static base::Result<LaunchOutcome> launch_of(std::string_view kernel, LaunchDesc desc) {
    return launch(object(), **object().kernel(kernel), desc);
  }
};

INSTANTIATE_TEST_SUITE_P(Targets, Launch,
                         ::testing::Values("gfx90a", "gfx942", "gfx1100", "gfx1201"),
                         [](const auto& suite) { return std::string(suite.param); });

std::vector<std::uint32_t> expected_ids(const LaunchDesc& desc) {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t gz = 0; gz < desc.grid[2]; ++gz)
    for (std::uint32_t gy = 0; gy < desc.grid[1]; ++gy)
      for (std::uint32_t gx = 0; gx < desc.grid[0]; ++gx)
        for (std::uint32_t z = 0; z < desc.block[2]; ++z)
          for (std::uint32_t y = 0; y < desc.block[1]; ++y)
            for (std::uint32_t x = 0; x < desc.block[0]; ++x)
              ids.push_back(gx << 24 | gy << 20 | gz << 16 | z << 12 | y << 8 | x);
  return ids;
}

TEST_P(Launch, EveryWorkItemHasItsIds) {
  LaunchDesc desc;
  desc.grid = {3, 2, 2};
  desc.block = {10, 5, 3};
  const std::vector<std::uint32_t> expected = expected_ids(desc);
  std::vector<std::uint32_t> out(expected.size());
  desc.arguments = {memory("out", out), number("groups_x", 3), number("groups_y", 2)};
  run_well("ids", desc);
  EXPECT_EQ(out, expected);
}

TEST_P(Launch, ResultIsTheSameByAnyThreadsAndSchedule) {
  LaunchDesc desc;
  desc.grid = {7, 3, 1};
  desc.block = {16, 5, 1};
  const std::vector<std::uint32_t> expected = expected_ids(desc);
  for (const std::uint32_t threads : {1U, 4U}) {
    std::vector<std::uint32_t> out(expected.size());
    desc.arguments = {memory("out", out), number("groups_x", 7), number("groups_y", 3)};
    desc.options.threads = threads;
    desc.options.schedule_seed = threads == 1 ? std::optional<std::uint64_t>(99) : std::nullopt;
    run_well("ids", desc);
    EXPECT_EQ(out, expected);
  }
}

TEST_P(Launch, GridSizesAreInTheDispatchPacket) {
  LaunchDesc desc;
  desc.grid = {2, 3, 4};
  desc.block = {8, 2, 1};
  std::vector<std::uint32_t> out(3);
  desc.arguments = {memory("out", out)};
  run_well("grid_sizes", desc);
  EXPECT_EQ(out, (std::vector<std::uint32_t>{16, 6, 4}));
}

TEST_P(Launch, NumbersOfAnySizeArePassed) {
  LaunchDesc desc;
  std::vector<double> out(4);
  const auto bits = [](double value) {
    std::uint64_t result;
    std::memcpy(&result, &value, sizeof(result));
    return result;
  };
  constexpr std::uint64_t kOneAndAHalf = 0x3fc00000;
  desc.arguments = {memory("out", out), number("a", bits(-2.25)), number("b", 0xfd),
                    number("c", 65535), number("d", kOneAndAHalf)};
  run_well("values", desc);
  EXPECT_EQ(out, (std::vector<double>{-2.25, -3, 65535, 1.5}));
}

TEST_P(Launch, ModeOfTheCallingThreadTakesNoPart) {
  constexpr float kTiny = 0x1p-126F;
  std::vector<float> in;
  for (const float value : {kTiny, 0.5F, 1.0F, 0x1.8p-24F})
    in.insert(in.end(), 64, value);
  std::vector<float> out(128);
  LaunchDesc desc;
  desc.block = {64, 1, 1};
  desc.arguments = {memory("out", out), constant_memory("in", in)};
  constexpr std::uint32_t kTowardsZeroAndNoDenormals = 0xe040;
  constexpr std::uint32_t kFlags = 0x3f;
  const std::uint32_t mode = _mm_getcsr();
  _mm_setcsr(mode | kTowardsZeroAndNoDenormals);
  run_well("arithmetic", desc);
  const std::uint32_t mode_afterwards = _mm_getcsr();
  _mm_setcsr(mode);
  EXPECT_EQ(mode_afterwards & ~kFlags, (mode | kTowardsZeroAndNoDenormals) & ~kFlags);
  const auto bits = [](float value) {
    std::uint32_t result;
    std::memcpy(&result, &value, sizeof(result));
    return result;
  };
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(bits(out[i]), 0x00400000U) << i;
    EXPECT_EQ(bits(out[64 + i]), 0x3f800001U) << i;
  }
}

TEST_P(Launch, WavesMeetAtABarrier) {
  constexpr std::uint32_t kItems = 200;
  LaunchDesc desc;
  desc.grid = {2, 1, 1};
  desc.block = {kItems, 1, 1};
  for (const std::uint64_t seed : {0, 1, 2}) {
    std::vector<std::uint32_t> out(2 * kItems);
    desc.arguments = {memory("out", out)};
    if (seed > 0) desc.options.schedule_seed = seed;
    run_well("reverse", desc);
    for (std::uint32_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], (kItems - 1 - i % kItems) * 3) << i;
  }
}

TEST_P(Launch, EveryLaneHasItsScratch) {
  LaunchDesc desc;
  desc.block = {70, 1, 1};
  std::vector<std::uint32_t> out(70);
  desc.arguments = {memory("out", out), number("rounds", 3)};
  ASSERT_GT((*object().kernel("scratch"))->descriptor.private_segment_bytes, 0U);
  run_well("scratch", desc);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const std::uint32_t kept = i & 15;
    EXPECT_EQ(out[i], kept * kept + (kept == 7 ? 1 : kept == 14 ? 2 : 0)) << i;
  }
}

TEST_P(Launch, AtomicsCountEveryWorkItem) {
  LaunchDesc desc;
  desc.grid = {20, 1, 1};
  desc.block = {96, 1, 1};
  desc.options.threads = 4;
  std::vector<std::uint32_t> counter(1);
  desc.arguments = {memory("counter", counter)};
  run_well("count", desc);
  EXPECT_EQ(counter[0], 20U * 96U);
}

TEST_P(Launch, EveryLaunchHasTheVariablesOfTheFile) {
  LaunchDesc desc;
  desc.block = {8, 1, 1};
  for (int time = 0; time < 2; ++time) {
    std::vector<std::uint32_t> out(8);
    desc.arguments = {memory("out", out)};
    run_well("lookup", desc);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{10, 8, 11, 8, 12, 16, 9, 13}));
  }
}

TEST_P(Launch, AddressesInTheObjectAreRelocated) {
  LaunchDesc desc;
  desc.block = {4, 1, 1};
  std::vector<std::uint32_t> out(4);
  desc.arguments = {memory("out", out)};
  run_well("through_pointers", desc);
  EXPECT_EQ(out, (std::vector<std::uint32_t>{6, 8, 6, 8}));
}

TEST_P(Launch, BudgetEndsALoop) {
  LaunchDesc desc;
  desc.options.instruction_budget = 10'000;
  std::vector<std::uint32_t> out(1);
  desc.arguments = {memory("out", out)};
  const LaunchOutcome outcome = testing::run(object(), "forever", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->kind, ReportKind::kBudgetExceeded);
  EXPECT_THAT(outcome.report->what, HasSubstr("more than 10000 instructions"));
  EXPECT_EQ(outcome.report->kernel, "forever");
  EXPECT_FALSE(outcome.report->instruction.empty());
  EXPECT_EQ(outcome.instructions, 10'001U);
}

TEST_P(Launch, StoreBeyondABufferNamesItAndTheFirstWorkgroup) {
  LaunchDesc desc;
  desc.grid = {8, 1, 1};
  desc.block = {32, 1, 1};
  for (const std::uint32_t threads : {1U, 3U}) {
    desc.options.threads = threads;
    std::vector<std::uint32_t> out(5 * 32);
    desc.arguments = {memory("out", out), number("groups_x", 8), number("groups_y", 1)};
    const LaunchOutcome outcome = testing::run(object(), "ids", desc);
    ASSERT_TRUE(outcome.report);
    EXPECT_EQ(outcome.report->kind, ReportKind::kOutOfBounds);
    EXPECT_EQ(outcome.report->buffer, "out");
    EXPECT_EQ(outcome.report->workgroup[0], 5U);
    EXPECT_THAT(outcome.report->instruction, HasSubstr("global_store_"));
    EXPECT_EQ(outcome.report->kernel, "ids");
  }
}

TEST_P(Launch, AbsentMemoryHasTheAddressZero) {
  LaunchDesc desc;
  LaunchArgument absent;
  absent.name = "out";
  desc.arguments = {absent, number("groups_x", 1), number("groups_y", 1)};
  const LaunchOutcome outcome = testing::run(object(), "ids", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(outcome.report->memory_address, 0U);
}

TEST_P(Launch, RefusesAnotherNumberOfArguments) {
  LaunchDesc desc;
  std::vector<std::uint32_t> out(1);
  desc.arguments = {memory("out", out)};
  const auto outcome = launch_of("ids", desc);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("takes 3 arguments, not 1"));
}

TEST_P(Launch, RefusesANumberForMemory) {
  LaunchDesc desc;
  desc.arguments = {number("out", 8), number("groups_x", 1), number("groups_y", 1)};
  const auto outcome = launch_of("ids", desc);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("\"out\" is a number"));
}

TEST_P(Launch, RefusesShapesThatCannotBe) {
  LaunchDesc desc;
  std::vector<std::uint32_t> out(1);
  desc.arguments = {memory("out", out)};
  desc.grid = {0, 1, 1};
  EXPECT_EQ(launch_of("forever", desc).error().code(), base::ErrorCode::kInvalidArgument);
  desc.grid = {UINT32_MAX, 1, 1};
  desc.block = {2, 1, 1};
  EXPECT_EQ(launch_of("forever", desc).error().code(), base::ErrorCode::kInvalidArgument);
  desc.grid = {1, 1, 1};
  desc.block = {32, 32, 2};
  EXPECT_EQ(launch_of("forever", desc).error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_P(Launch, RefusesMoreLdsThanTheTargetHas) {
  LaunchDesc desc;
  std::vector<std::uint32_t> out(1);
  desc.arguments = {memory("out", out)};
  desc.dynamic_lds_bytes = 65536;
  const auto outcome = launch_of("reverse", desc);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_THAT(outcome.error().message(), HasSubstr("takes 66560 bytes of LDS"));
}

// Counts what it sees.
class CountingObserver final : public Observer {
 public:
  void begin(Workgroup& workgroup) override {
    ++begun;
    scalars = workgroup.initial_scalars;
  }
  void before(Wave&, const Operation&) override { ++befores; }
  void after(Wave&, const Operation&) override { ++afters; }
  void access(Wave&, const Operation&, const MemoryAccess&) override { ++accesses; }
  void barrier(Workgroup& workgroup) override {
    ++barriers;
    for (const Wave& wave : workgroup.waves)
      arrived += wave.status == WaveStatus::kAtBarrier ? 1U : 0U;
  }
  void end(Workgroup&) override { ++ended; }

  std::uint64_t begun = 0, befores = 0, afters = 0, accesses = 0, barriers = 0, arrived = 0,
                ended = 0;
  std::bitset<kScalarCount> scalars;
};

TEST_P(Launch, ObserverSeesEveryInstructionAndBarrier) {
  LaunchDesc desc;
  desc.grid = {2, 1, 1};
  desc.block = {128, 1, 1};
  std::vector<std::uint32_t> out(256);
  desc.arguments = {memory("out", out)};
  CountingObserver observer;
  desc.options.observer = &observer;
  const LaunchOutcome outcome = testing::run(object(), "reverse", desc);
  ASSERT_FALSE(outcome.report) << report_text(*outcome.report);
  EXPECT_EQ(observer.befores, outcome.instructions);
  EXPECT_EQ(observer.afters, outcome.instructions);
  EXPECT_EQ(observer.begun, 2U);
  EXPECT_EQ(observer.ended, 2U);
  EXPECT_EQ(observer.barriers, 2U);
  EXPECT_EQ(observer.arrived, 2U * 128 / (*object().kernel("reverse"))->lanes);
  EXPECT_GT(observer.accesses, 0U);
  EXPECT_TRUE(observer.scalars.test(kExecIndex));
}

// Stops the first wave at the third instruction.
class StoppingObserver final : public Observer {
 public:
  void begin(Workgroup&) override {}
  void before(Wave& wave, const Operation&) override {
    if (++seen == 3) wave.stop(Report{});
  }
  void after(Wave&, const Operation&) override { ++executed; }
  void access(Wave&, const Operation&, const MemoryAccess&) override {}
  void barrier(Workgroup&) override {}
  void end(Workgroup&) override {}

  std::uint64_t seen = 0, executed = 0;
};

TEST_P(Launch, ObserverStopsBeforeAnInstruction) {
  LaunchDesc desc;
  desc.block = {64, 1, 1};
  std::vector<std::uint32_t> out(64);
  desc.arguments = {memory("out", out)};
  StoppingObserver observer;
  desc.options.observer = &observer;
  const LaunchOutcome outcome = testing::run(object(), "reverse", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(observer.executed, 2U);
  EXPECT_EQ(outcome.instructions, 2U);
  const Program& program = *(*object().kernel("reverse"))->program;
  const Operation* const third = (*object().kernel("reverse"))->entry + 2;
  EXPECT_EQ(outcome.report->address, third->address);
  EXPECT_EQ(outcome.report->instruction, program.text(*third));
}

TEST(LaunchOfPreloadedArguments, RegistersHoldThem) {
  const auto object =
      testing::load_object("gfx942", std::string(HALYARD_TEST_OBJECTS) + "/preloaded.gfx942.hsaco");
  ASSERT_NE(object->kernels().front().descriptor.kernarg_preload, 0);
  LaunchDesc desc;
  desc.grid = {2, 1, 1};
  desc.block = {64, 1, 1};
  std::vector<std::uint32_t> out(128);
  desc.arguments = {memory("out", out), number("a", 7), number("b", 5)};
  const LaunchOutcome outcome = testing::run(*object, "preloaded", desc);
  ASSERT_FALSE(outcome.report) << report_text(*outcome.report);
  EXPECT_EQ(out[0], 705U);
  EXPECT_EQ(out[127], 706U);
}

TEST(LaunchOfBarriers, WaveThatWaitsInVainIsReported) {
  const auto object =
      testing::load_object("gfx1201", std::string(HALYARD_TEST_OBJECTS) + "/waiting.gfx1201.hsaco");
  LaunchDesc desc;
  desc.block = {64, 1, 1};
  const LaunchOutcome outcome = testing::run(*object, "waiting", desc);
  ASSERT_TRUE(outcome.report);
  EXPECT_EQ(outcome.report->kind, ReportKind::kDivergentBarrier);
  EXPECT_THAT(outcome.report->what, HasSubstr("2 of 2 waves wait for a barrier"));
  EXPECT_EQ(outcome.report->instruction, "s_barrier_wait 0xffff");
}

}  // namespace
}  // namespace halyard::emulator
