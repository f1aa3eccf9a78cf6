// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/operation.h"

#include "tests/unit/runtime/dispatch/dispatch_fixture.h"

#include <gtest/gtest.h>

namespace halyard::dispatch {
namespace {

const std::string kPlain = kernel_text("", R"({"tensor": "x", "binding": 0})");
// Repacks the weights with a stage of its own.
const std::string kPacking = R"json({"format": "halyard.kernel/1", "name": "p", "version": "1.0.0",
    "contract": "scale_rows@1", "language": "glsl", "source": "k.comp", "prelude": "glsl/1",
    "targets": ["spirv-1.5"], "types": [{"T": "f32"}],
    "packed_layouts": [{"name": "twice", "tensor": "weight", "bytes": "columns * 8",
      "alignment_bytes": 16, "stage": "pack"}],
    "stages": [{"name": "pack", "cadence": "per-constant", "entry": "pack", "grid": [1, 1, 1],
      "block": [1, 1, 1], "arguments": [{"tensor": "weight", "binding": 0},
      {"tensor": "weight", "packed": "twice", "binding": 1}]},
      {"name": "main", "cadence": "per-launch", "entry": "main", "grid": ["rows", 1, 1],
      "block": [1, 1, 1], "arguments": [{"tensor": "weight", "packed": "twice", "binding": 0}]}],
    "provenance": {"project": "halyard"}, "license": "Apache-2.0"})json";

class OperationTest : public DispatchTest {
 protected:
  base::Ref<Constant> make_weights() {
    constexpr std::int64_t kShape[] = {64};
    auto made =
        Constant::create(*device_, base::DataType::kF32, kShape, std::vector<std::byte>(256));
    EXPECT_TRUE(made) << made.error().message();
    return *made;
  }
};

TEST_F(OperationTest, LaunchGoesToTheQueue) {
  make(kPlain);
  const auto queue = base::make_ref<RecordingQueue>(*device_);
  ASSERT_TRUE(operation_->enqueue(*queue, launch(9)));
  ASSERT_EQ(1U, queue->grids.size());
  EXPECT_EQ(3U, queue->grids[0][0]);
}

TEST_F(OperationTest, CountsAreThoseOfTheContract) {
  make(kPlain);
  Launch one = launch(1);
  one.views = one.views.first(2);
  EXPECT_EQ("The launch has 2 views; contract scale_rows has 3 tensors.",
            operation_->check(one).error().message());
  one = launch(1);
  one.scalars = {};
  EXPECT_EQ("The launch has 0 scalars; contract scale_rows has 1.",
            operation_->check(one).error().message());
  one = launch(1);
  one.axes = {};
  EXPECT_EQ("The launch has 0 axes; contract scale_rows has 1.",
            operation_->check(one).error().message());
}

TEST_F(OperationTest, AxesStayWithinContractAndBounds) {
  make(kPlain);
  EXPECT_EQ("Axis rows (-1) is not between 0 and 100000.", check(-1).error().message());
  EXPECT_EQ(base::ErrorCode::kOutsideGuards, check(-1).error().code());
  auto bounded = Operation::create(*device_, operation_->problem(), {}, {4},
                                   base::Ref<const KernelChoice>::share(&operation_->choice()));
  ASSERT_TRUE(bounded);
  operation_ = *bounded;
  EXPECT_TRUE(check(4));
  EXPECT_EQ("Axis rows (5) is above the bound that the operation was prepared for (4).",
            check(5).error().message());
}

TEST_F(OperationTest, QueueOfAnotherDeviceIsRefused) {
  make(kPlain);
  const auto other = base::make_ref<RecordingDevice>();
  const auto queue = base::make_ref<RecordingQueue>(*other);
  const base::Status status = operation_->enqueue(*queue, launch(1));
  ASSERT_FALSE(status);
  EXPECT_EQ("The queue is on device recording:0, the operation on recording:0.",
            status.error().message());
}

TEST_F(OperationTest, ConstantsAreRepackedOnceForAllOperations) {
  make(kPlain);
  const auto record = store::parse_kernel_record(kPacking, "kernel.json");
  ASSERT_TRUE(record) << record.error().message();
  const auto plan = LaunchPlan::create({*device_,
                                        operation_->problem(),
                                        *record,
                                        "spirv-1.5",
                                        "build",
                                        record->default_parameters(),
                                        {}});
  ASSERT_TRUE(plan) << plan.error().message();
  const auto choice = base::make_ref<KernelChoice>();
  choice->plan = *plan;
  const auto weights = make_weights();
  ConstantTable constants;
  constants[1] = weights;
  const auto first = Operation::create(*device_, operation_->problem(), constants, {100}, choice);
  ASSERT_TRUE(first) << first.error().message();
  EXPECT_EQ(256U + 512, weights->size_bytes());
  const auto second = Operation::create(*device_, operation_->problem(), constants, {100}, choice);
  ASSERT_TRUE(second) << second.error().message();
  EXPECT_EQ(256U + 512, weights->size_bytes());
  const auto missing = Operation::create(*device_, operation_->problem(), {}, {100}, choice);
  ASSERT_FALSE(missing);
  EXPECT_EQ("The kernel repacks tensor \"weight\", which is not bound to a constant.",
            missing.error().message());
}

TEST_F(OperationTest, BoundConstantTakesNoView) {
  make(kPlain);
  ConstantTable constants;
  constants[1] = make_weights();
  auto bound = Operation::create(*device_, operation_->problem(), constants, {100},
                                 base::Ref<const KernelChoice>::share(&operation_->choice()));
  ASSERT_TRUE(bound);
  operation_ = *bound;
  EXPECT_EQ("Tensor \"weight\": A view is given, but the tensor is bound to a constant.",
            check(1).error().message());
  Launch one = launch(1);
  std::vector<TensorView> views(one.views.begin(), one.views.end());
  views[1] = {};
  one.views = views;
  EXPECT_TRUE(operation_->check(one));
}

TEST_F(OperationTest, RefusedKernelLeavesTheOperationAsItWas) {
  make(kPlain);
  const auto record = store::parse_kernel_record(kPacking, "kernel.json");
  const auto plan = LaunchPlan::create({*device_,
                                        operation_->problem(),
                                        *record,
                                        "spirv-1.5",
                                        "build",
                                        record->default_parameters(),
                                        {}});
  ASSERT_TRUE(plan) << plan.error().message();
  const auto choice = base::make_ref<KernelChoice>();
  choice->plan = *plan;
  const KernelChoice* const before = &operation_->choice();
  EXPECT_FALSE(operation_->adopt(choice));
  EXPECT_EQ(before, &operation_->choice());
  EXPECT_TRUE(check(1));
}

TEST_F(OperationTest, ReferenceNeedsNoWorkspaceAndWaitsForTheQueue) {
  make_reference();
  EXPECT_TRUE(operation_->is_reference());
  constexpr std::int64_t kAxes[] = {3};
  EXPECT_EQ(0U, *operation_->workspace_bytes(kAxes));
  const auto queue = base::make_ref<RecordingQueue>(*device_);
  const base::Status status = operation_->enqueue(*queue, launch(3));
  EXPECT_EQ(1, queue->synchronizations);
  ASSERT_FALSE(status);
  EXPECT_EQ("Contract \"scale_rows\" has no built-in reference.", status.error().message());
}

}  // namespace
}  // namespace halyard::dispatch
