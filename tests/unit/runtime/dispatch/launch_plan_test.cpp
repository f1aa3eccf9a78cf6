// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/launch_plan.h"

#include "tests/unit/runtime/dispatch/dispatch_fixture.h"

#include <gtest/gtest.h>

namespace halyard::dispatch {
namespace {

using LaunchPlanTest = DispatchTest;

TEST_F(LaunchPlanTest, ArgumentsAreEncodedInTheOrderOfTheStage) {
  make(kernel_text("", R"({"tensor": "x", "binding": 0}, {"tensor": "y", "binding": 1},
      {"axis": "rows", "type": "u32", "push": 0}, {"stride": "x", "dimension": 0, "type": "u32",
      "push": 4}, {"attribute": "epsilon", "type": "f32", "push": 8}, {"scalar": "factor",
      "type": "f32", "push": 12}, {"expression": "columns * 2 - rows", "type": "i32",
      "push": 16})"));
  ASSERT_TRUE(emit(9));
  ASSERT_EQ(1U, log_.commands.size());
  const auto& command = log_.commands[0];
  EXPECT_EQ(3U, command.grid[0]);
  ASSERT_EQ(7U, command.arguments.size());
  EXPECT_EQ(x_.get(), command.arguments[0].buffer);
  EXPECT_EQ(256U, command.arguments[0].offset_bytes);
  EXPECT_EQ(9U * 64 * 4, command.arguments[0].length_bytes);
  EXPECT_EQ(9U, command.arguments[2].bits);
  EXPECT_EQ(64U, command.arguments[3].bits);
  EXPECT_EQ(0x3f000000U, command.arguments[4].bits);
  EXPECT_EQ(0x3fc00000U, command.arguments[5].bits);
  EXPECT_EQ(119U, command.arguments[6].bits);
}

TEST_F(LaunchPlanTest, LaunchWithoutOutputsDoesNothing) {
  make(kernel_text("", R"({"tensor": "y", "binding": 0})"));
  ASSERT_TRUE(emit(0));
  EXPECT_TRUE(log_.commands.empty());
}

TEST_F(LaunchPlanTest, FalseConditionIsOutsideTheGuards) {
  make(kernel_text(R"("where": ["rows % 2 == 0"],)", R"({"tensor": "y", "binding": 0})"));
  EXPECT_TRUE(emit(8));
  const base::Status status = emit(7);
  ASSERT_FALSE(status);
  EXPECT_EQ(base::ErrorCode::kOutsideGuards, status.error().code());
  EXPECT_EQ("The kernel serves only rows % 2 == 0, which is false with rows = 7.",
            status.error().message());
}

TEST_F(LaunchPlanTest, WorkspaceRegionsAreAlignedAndZeroed) {
  make(kernel_text(R"("workspace": [{"name": "a", "bytes": "rows * 10", "alignment_bytes": 16,
      "initial": "undefined"}, {"name": "b", "bytes": 6, "alignment_bytes": 4,
      "initial": "zero"}],)",
                   R"({"workspace": "a", "binding": 0}, {"workspace": "b", "binding": 1})"));
  const std::int64_t axes[1] = {30};
  EXPECT_EQ(512U + 8, *operation_->workspace_bytes(axes));
  ASSERT_TRUE(emit(30, {weight_.get(), 1024, 4096, nullptr}));
  ASSERT_EQ(1U, log_.fills.size());
  EXPECT_EQ(1024U + 512, log_.fills[0].offset_bytes);
  EXPECT_EQ(8U, log_.fills[0].length_bytes);
  EXPECT_EQ(1024U + 512, log_.commands[0].arguments[1].offset_bytes);
}

TEST_F(LaunchPlanTest, MissingShortAndMisalignedWorkspacesAreRefused) {
  make(kernel_text(R"("workspace": [{"name": "a", "bytes": 1000, "alignment_bytes": 16,
      "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  EXPECT_EQ("The launch has no workspace; the kernel needs 1000 bytes.", emit(1).error().message());
  EXPECT_EQ("The workspace has 512 bytes; the kernel needs 1000.",
            emit(1, {weight_.get(), 0, 512, nullptr}).error().message());
  EXPECT_EQ("The workspace's offset (128) is not a multiple of 256.",
            emit(1, {weight_.get(), 128, 4096, nullptr}).error().message());
}

TEST_F(LaunchPlanTest, WorkspaceThatSharesBytesWithATensorIsRefused) {
  make(kernel_text(R"("workspace": [{"name": "a", "bytes": 1000, "alignment_bytes": 16,
      "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  EXPECT_EQ(
      "The workspace (bytes 0 to 1000) overlaps tensor \"weight\" (512 to 768) in one buffer.",
      emit(1, {weight_.get(), 0, 1024, nullptr}).error().message());
  EXPECT_EQ("The workspace (bytes 256 to 1256) overlaps tensor \"y\" (0 to 512) in one buffer.",
            check(2, {y_.get(), 256, 1024, nullptr}).error().message());
  EXPECT_TRUE(emit(2, {y_.get(), 512, 1024, nullptr}));
  EXPECT_TRUE(emit(2, {weight_.get(), 768, 1024, nullptr}));
}

TEST_F(LaunchPlanTest, WorkspaceOfAnotherDeviceIsRefused) {
  make(kernel_text(R"("workspace": [{"name": "a", "bytes": 1000, "alignment_bytes": 16,
      "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  const auto stranger = core::make_fake_device("fake", 3, core::DeviceKind::kCpu);
  const auto buffer = *stranger->create_buffer({4096, 0});
  EXPECT_EQ("The workspace is on device fake:3, the operation on recording:0.",
            emit(1, {buffer.get(), 0, 4096, nullptr}).error().message());
}

TEST_F(LaunchPlanTest, CheckFindsWhatALaunchWouldWithoutCommands) {
  make(kernel_text(R"("where": ["rows % 2 == 0"], "workspace": [{"name": "a", "bytes": 1000,
      "alignment_bytes": 16, "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  const TensorView workspace = {weight_.get(), 1024, 1024, nullptr};
  EXPECT_EQ("The kernel serves only rows % 2 == 0, which is false with rows = 7.",
            check(7, workspace).error().message());
  EXPECT_EQ("The launch has no workspace; the kernel needs 1000 bytes.",
            check(8).error().message());
  EXPECT_TRUE(check(8, workspace));
  EXPECT_TRUE(log_.commands.empty());
}

TEST_F(LaunchPlanTest, TensorsBeyondTheBindingRangeAreDispatchedInPieces) {
  core::CapabilitySet capabilities;
  capabilities.set_number(core::CapabilityKey::kLimitStorageBufferRangeBytes, 3000);
  make(kernel_text("", R"({"tensor": "x", "binding": 0}, {"axis_offset": "rows", "type": "u32",
      "push": 0}, {"axis": "rows", "type": "u32", "push": 4})",
                   R"("split": {"axis": "rows", "multiple": 4},)"),
       std::move(capabilities));
  ASSERT_TRUE(emit(21));  // 3000 bytes hold 11 rows of 256; a multiple of 4 is 8.
  ASSERT_EQ(3U, log_.commands.size());
  EXPECT_EQ(256U + 8 * 256, log_.commands[1].arguments[0].offset_bytes);
  EXPECT_EQ(8U * 256, log_.commands[1].arguments[0].length_bytes);
  EXPECT_EQ(8U, log_.commands[1].arguments[1].bits);
  EXPECT_EQ(16U, log_.commands[2].arguments[1].bits);
  EXPECT_EQ(5U, log_.commands[2].arguments[2].bits);
  EXPECT_EQ(5U * 256, log_.commands[2].arguments[0].length_bytes);
  EXPECT_EQ(2U, log_.commands[2].grid[0]);
}

TEST_F(LaunchPlanTest, PieceLargerThanTheBindingRangeIsUnsupported) {
  core::CapabilitySet capabilities;
  capabilities.set_number(core::CapabilityKey::kLimitStorageBufferRangeBytes, 300);
  make(kernel_text("", R"({"tensor": "x", "binding": 0})",
                   R"("split": {"axis": "rows", "multiple": 4},)"),
       std::move(capabilities));
  EXPECT_EQ("4 rows of a tensor are larger than the device's binding range (300 bytes).",
            emit(21).error().message());
}

TEST_F(LaunchPlanTest, ValueBeyondItsArgumentTypeIsOutsideTheGuards) {
  make(kernel_text("", R"({"expression": "rows - 10", "type": "u32", "push": 0})"));
  EXPECT_EQ("Value -9 does not fit the kernel's argument of type u32.", emit(1).error().message());
}

TEST_F(LaunchPlanTest, UnknownCapabilityInAnExpressionIsUnsupported) {
  make(kernel_text(R"("where": ["rows < device.compute.units"],)",
                   R"({"tensor": "y", "binding": 0})"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ(base::ErrorCode::kUnsupported, created_->error().code());
  EXPECT_NE(created_->error().message().find("compute.units"), std::string::npos);
}

TEST_F(LaunchPlanTest, FeaturesThatThisVersionDoesNotLaunchAreNamed) {
  make(kernel_text("", R"({"tensor": "y", "binding": 0})", R"("cooperative": true,)"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ("The kernel uses cooperative launches, which this version does not launch.",
            created_->error().message());
}

TEST_F(LaunchPlanTest, ScalarOfAnotherTypeThanTheContractsIsRefused) {
  make(kernel_text("", R"({"scalar": "factor", "type": "f64", "push": 0})"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ("Scalar factor is f32 in the contract and f64 in the kernel.",
            created_->error().message());
}

}  // namespace
}  // namespace halyard::dispatch
