// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/emulator_executable.h"

#include "tests/unit/backends/emulator/backend/emulator_fixture.h"

#include <gmock/gmock.h>

#include <array>
#include <cstddef>

namespace halyard::emulator {
namespace {

using testing::StartsWith;

class EmulatorExecutableTest : public EmulatorFixture {
 protected:
  // The failure of loading, with this code.
  std::string message(core::StageDesc stage, base::ErrorCode code) {
    const auto executable = try_load(std::move(stage));
    if (executable) return "no failure";
    EXPECT_EQ(executable.error().code(), code);
    return executable.error().message();
  }
};

TEST_F(EmulatorExecutableTest, KnowsTheKernelOfEachStage) {
  const auto executable = load("increment");
  EXPECT_EQ(static_cast<EmulatorExecutable&>(*executable).kernel(0).name, "increment");
}

TEST_F(EmulatorExecutableTest, EntryThatIsNotThereIsNamed) {
  EXPECT_THAT(message(probe_stage("decrement"), base::ErrorCode::kCorruptData),
              StartsWith("The code of kernel \"probe\" has no entry \"decrement\"."));
}

TEST_F(EmulatorExecutableTest, OtherArgumentsThanTheMetadataHasAreRefused) {
  core::StageDesc stage = probe_stage("increment");
  stage.arguments.pop_back();
  EXPECT_EQ(message(stage, base::ErrorCode::kCorruptData),
            "Entry \"increment\" takes 2 arguments by its metadata and 1 by the kernel's record.");
  stage = probe_stage("increment");
  stage.arguments[1].size_bytes = 8;
  EXPECT_EQ(
      message(stage, base::ErrorCode::kCorruptData),
      "Entry \"increment\" takes as argument 1 4 bytes (by_value) by its metadata and 8 bytes "
      "(a value) by the kernel's record.");
  stage = probe_stage("increment");
  stage.arguments[0].is_buffer = false;
  EXPECT_EQ(message(stage, base::ErrorCode::kCorruptData),
            "Entry \"increment\" takes as argument 0 8 bytes (global_buffer) by its metadata and 8 "
            "bytes (a value) by the kernel's record.");
}

TEST_F(EmulatorExecutableTest, OtherSubgroupSizeThanItIsCompiledForIsRefused) {
  core::StageDesc stage = probe_stage("increment");
  stage.subgroup_size = 64;
  EXPECT_EQ(
      message(stage, base::ErrorCode::kUnsupported),
      "Entry \"increment\" is compiled for subgroups of 32 lanes, and the stage requires 64.");
}

TEST_F(EmulatorExecutableTest, OtherTargetIsRefused) {
  core::ExecutableDesc desc;
  desc.name = "probe";
  desc.target = "amdgcn-gfx942";
  desc.code = probe_object();
  const auto executable = device_->load_executable(desc);
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(executable.error().message(),
            "Kernel \"probe\" is built for amdgcn-gfx942; device \"emulator:gfx1100\" takes "
            "amdgcn-gfx1100.");
}

TEST_F(EmulatorExecutableTest, WhatIsNoCodeObjectIsCorrupt) {
  const std::array<std::byte, 100> bytes{};
  core::ExecutableDesc desc;
  desc.name = "probe";
  desc.target = "amdgcn-gfx1100";
  desc.code = bytes;
  const auto executable = device_->load_executable(desc);
  ASSERT_FALSE(executable);
  EXPECT_EQ(executable.error().code(), base::ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace halyard::emulator
