// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/program.h"

#include "runtime/dispatch/operation.h"
#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

#include <cstring>

namespace halyard::dispatch {
namespace {

constexpr std::string_view kContract = R"({
  "format": "halyard.contract/1", "name": "scale_rows", "version": "1.0.0",
  "summary": "y = weight * x.",
  "axes": [{"name": "rows", "kind": "launch", "min": 0, "max": 100000},
           {"name": "columns", "kind": "prepare", "min": 1, "max": 100000}],
  "attributes": [{"name": "epsilon", "type": "number", "default": 0.5}],
  "types": [{"T": "f32"}],
  "tensors": [
    {"name": "x", "role": "input", "type": "T", "shape": ["rows", "columns"],
     "strides": "rows", "alignment_bytes": 16},
    {"name": "weight", "role": "input", "type": "T", "shape": ["columns"], "strides": "dense",
     "alignment_bytes": 16, "constant": true},
    {"name": "y", "role": "output", "type": "T", "shape": ["rows", "columns"],
     "strides": "rows", "alignment_bytes": 16}],
  "scalars": [{"name": "factor", "type": "f32"}],
  "accumulation": "f32", "determinism": "bitwise",
  "flops": "rows * columns", "bytes": "sizeof.T * rows * columns",
  "tolerance": {"c": 1, "reduction": "1", "kind": "relative"},
  "rules": {"nan": "n", "infinity": "i", "empty": "e", "masked": "m"},
  "golden": {"seeds": [1], "axes": [{"rows": 1, "columns": 4}]},
  "workloads": []
})";

// A kernel.json around the members that a test sets.
std::string kernel_text(const std::string& members, const std::string& arguments,
                        const std::string& stage_members = "") {
  return R"json({"format": "halyard.kernel/1", "name": "k", "version": "1.0.0",
    "contract": "scale_rows@1", "language": "glsl", "source": "k.comp", "prelude": "glsl/1",
    "targets": ["spirv-1.5"], "types": [{"T": "f32"}],)json" +
         members +
         R"json("stages": [{"name": "main", "cadence": "per-launch", "entry": "main",
    "grid": ["ceil_div(rows, 4)", 1, 1], "block": [1, 1, 1],)json" +
         stage_members + R"json("arguments": [)json" + arguments +
         R"json(]}], "provenance": {"project": "halyard"}, "license": "Apache-2.0"})json";
}

class ProgramTest : public ::testing::Test {
 protected:
  void make(const std::string& text, core::CapabilitySet capabilities = {}) {
    device_ = base::make_ref<RecordingDevice>(std::move(capabilities));
    auto contract = operators::Contract::parse(kContract, "contract");
    ASSERT_TRUE(contract) << contract.error().message();
    auto problem =
        operators::Problem::create(*contract, {{"T", base::DataType::kF32}}, {}, kColumns);
    ASSERT_TRUE(problem) << problem.error().message();
    auto record = store::parse_kernel_record(text, "kernel.json");
    ASSERT_TRUE(record) << record.error().message();
    created_ = std::make_unique<base::Result<base::Ref<Program>>>(Program::create(
        {*device_, *problem, *record, "spirv-1.5", "build", record->default_parameters(), {}}));
    if (!*created_) return;
    const auto choice = base::make_ref<KernelChoice>();
    choice->program = **created_;
    auto operation =
        Operation::create(*device_, std::move(*problem), {}, {100000}, choice);
    ASSERT_TRUE(operation) << operation.error().message();
    operation_ = *operation;
    x_ = *device_->create_buffer({1 << 20, 0});
    weight_ = *device_->create_buffer({1 << 20, 0});
    y_ = *device_->create_buffer({1 << 20, 0});
  }

  base::Status emit(std::int64_t rows, TensorView workspace = {}) {
    return with_launch(rows, workspace, [this](const Launch& launch) {  //
      return operation_->emit(log_, launch);
    });
  }

  base::Status check(std::int64_t rows, TensorView workspace = {}) {
    return with_launch(rows, workspace, [this](const Launch& launch) {  //
      return operation_->check(launch);
    });
  }

  template <typename Call>
  base::Status with_launch(std::int64_t rows, TensorView workspace, Call call) {
    const TensorView views[3] = {
        {x_.get(), 256, 0, nullptr}, {weight_.get(), 512, 0, nullptr}, {y_.get(), 0, 0, nullptr}};
    const std::int64_t axes[1] = {rows};
    const float factor = 1.5F;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &factor, sizeof(factor));
    const std::uint64_t scalars[1] = {bits};
    return call(Launch{views, axes, scalars, workspace});
  }

  const std::vector<operators::AxisValue> kColumns = {{"columns", 64}};
  base::Ref<RecordingDevice> device_;
  std::unique_ptr<base::Result<base::Ref<Program>>> created_;
  base::Ref<Operation> operation_;
  base::Ref<core::Buffer> x_;
  base::Ref<core::Buffer> weight_;
  base::Ref<core::Buffer> y_;
  CommandLog log_;
};

TEST_F(ProgramTest, ArgumentsAreEncodedInTheOrderOfTheStage) {
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

TEST_F(ProgramTest, LaunchWithoutOutputsDoesNothing) {
  make(kernel_text("", R"({"tensor": "y", "binding": 0})"));
  ASSERT_TRUE(emit(0));
  EXPECT_TRUE(log_.commands.empty());
}

TEST_F(ProgramTest, FalseConditionIsOutsideTheGuards) {
  make(kernel_text(R"("where": ["rows % 2 == 0"],)", R"({"tensor": "y", "binding": 0})"));
  EXPECT_TRUE(emit(8));
  const base::Status status = emit(7);
  ASSERT_FALSE(status);
  EXPECT_EQ(base::ErrorCode::kOutsideGuards, status.error().code());
  EXPECT_EQ("The kernel serves only rows % 2 == 0, which is false with rows = 7.",
            status.error().message());
}

TEST_F(ProgramTest, WorkspaceRegionsAreAlignedAndZeroed) {
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

TEST_F(ProgramTest, MissingShortAndMisalignedWorkspacesAreRefused) {
  make(kernel_text(R"("workspace": [{"name": "a", "bytes": 1000, "alignment_bytes": 16,
      "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  EXPECT_EQ("The launch has no workspace; the kernel needs 1000 bytes.", emit(1).error().message());
  EXPECT_EQ("The workspace has 512 bytes; the kernel needs 1000.",
            emit(1, {weight_.get(), 0, 512, nullptr}).error().message());
  EXPECT_EQ("The workspace's offset (128) is not a multiple of 256.",
            emit(1, {weight_.get(), 128, 4096, nullptr}).error().message());
}

TEST_F(ProgramTest, CheckFindsWhatALaunchWouldWithoutCommands) {
  make(kernel_text(R"("where": ["rows % 2 == 0"], "workspace": [{"name": "a", "bytes": 1000,
      "alignment_bytes": 16, "initial": "undefined"}],)",
                   R"({"workspace": "a", "binding": 0})"));
  const TensorView workspace = {weight_.get(), 0, 1024, nullptr};
  EXPECT_EQ("The kernel serves only rows % 2 == 0, which is false with rows = 7.",
            check(7, workspace).error().message());
  EXPECT_EQ("The launch has no workspace; the kernel needs 1000 bytes.",
            check(8).error().message());
  EXPECT_TRUE(check(8, workspace));
  EXPECT_TRUE(log_.commands.empty());
}

TEST_F(ProgramTest, TensorsBeyondTheBindingRangeAreDispatchedInPieces) {
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

TEST_F(ProgramTest, PieceLargerThanTheBindingRangeIsUnsupported) {
  core::CapabilitySet capabilities;
  capabilities.set_number(core::CapabilityKey::kLimitStorageBufferRangeBytes, 300);
  make(kernel_text("", R"({"tensor": "x", "binding": 0})",
                   R"("split": {"axis": "rows", "multiple": 4},)"),
       std::move(capabilities));
  EXPECT_EQ("4 rows of a tensor are larger than the device's binding range (300 bytes).",
            emit(21).error().message());
}

TEST_F(ProgramTest, ValueBeyondItsArgumentTypeIsOutsideTheGuards) {
  make(kernel_text("", R"({"expression": "rows - 10", "type": "u32", "push": 0})"));
  EXPECT_EQ("Value -9 does not fit the kernel's argument of type u32.", emit(1).error().message());
}

TEST_F(ProgramTest, UnknownCapabilityInAnExpressionIsUnsupported) {
  make(kernel_text(R"("where": ["rows < device.compute.units"],)",
                   R"({"tensor": "y", "binding": 0})"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ(base::ErrorCode::kUnsupported, created_->error().code());
  EXPECT_NE(created_->error().message().find("compute.units"), std::string::npos);
}

TEST_F(ProgramTest, FeaturesThatThisVersionDoesNotLaunchAreNamed) {
  make(kernel_text("", R"({"tensor": "y", "binding": 0})", R"("cooperative": true,)"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ("The kernel uses cooperative launches, which this version does not launch.",
            created_->error().message());
}

TEST_F(ProgramTest, ScalarOfAnotherTypeThanTheContractsIsRefused) {
  make(kernel_text("", R"({"scalar": "factor", "type": "f64", "push": 0})"));
  ASSERT_FALSE(*created_);
  EXPECT_EQ("Scalar factor is f32 in the contract and f64 in the kernel.",
            created_->error().message());
}

}  // namespace
}  // namespace halyard::dispatch
