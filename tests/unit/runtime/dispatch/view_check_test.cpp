// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/view_check.h"

#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

namespace halyard::dispatch {
namespace {

class ViewCheckTest : public ::testing::Test {
 protected:
  ViewCheckTest() : buffer_(*device_->create_buffer({4096, 0})) {
    tensor_.name = "t";
    tensor_.role = operators::TensorRole::kOutput;
    tensor_.strides = operators::StrideRule::kAny;
    tensor_.alignment_bytes = 4;
    shape_.present = true;
    shape_.rank = 2;
    shape_.type = base::DataType::kF32;
    shape_.sizes = {4, 8};
    shape_.element_count = 32;
    shape_.size_bytes = 128;
  }

  std::string message(const std::int64_t* strides, std::uint64_t length = 0) {
    const base::Status status =
        bind_view(*device_, tensor_, shape_, {buffer_.get(), 0, length, strides}, bound_);
    return status ? "" : status.error().message();
  }

  base::Ref<RecordingDevice> device_ = base::make_ref<RecordingDevice>();
  base::Ref<core::Buffer> buffer_;
  operators::ContractTensor tensor_;
  operators::TensorShape shape_;
  BoundTensor bound_;
};

TEST_F(ViewCheckTest, TransposedOutputIsAccepted) {
  const std::int64_t strides[2] = {1, 4};
  EXPECT_EQ("", message(strides));
  EXPECT_EQ(128U, bound_.length_bytes);
}

TEST_F(ViewCheckTest, OutputElementsMustNotCoincide) {
  const std::int64_t strides[2] = {1, 3};
  EXPECT_NE(message(strides).find("lets elements of this output overlap"), std::string::npos);
  const std::int64_t broadcast[2] = {0, 1};
  EXPECT_NE(message(broadcast).find("overlap"), std::string::npos);
}

TEST_F(ViewCheckTest, InputMayBeBroadcast) {
  tensor_.role = operators::TensorRole::kInput;
  const std::int64_t broadcast[2] = {0, 1};
  EXPECT_EQ("", message(broadcast));
  EXPECT_EQ(32U, bound_.length_bytes);
}

TEST_F(ViewCheckTest, NegativeStrideIsRefused) {
  const std::int64_t strides[2] = {8, -1};
  EXPECT_EQ("Tensor \"t\": Stride 1 (-1) is negative.", message(strides));
}

TEST_F(ViewCheckTest, StridesThatOverflowAreRefused) {
  const std::int64_t strides[2] = {std::numeric_limits<std::int64_t>::max() / 2, 1};
  EXPECT_NE(message(strides).find("2^63 - 1"), std::string::npos);
}

TEST_F(ViewCheckTest, ShortViewNamesBothSizes) {
  EXPECT_EQ("Tensor \"t\": Its 32 elements of f32 (128 bytes) do not fit the view (64 bytes).",
            message(nullptr, 64));
}

class OverlapTest : public ::testing::Test {
 protected:
  OverlapTest() : buffer_(*device_->create_buffer({4096, 0})) {
    auto contract = operators::Contract::parse(R"({
      "format": "halyard.contract/1", "name": "pair", "version": "1.0.0", "summary": "s",
      "axes": [{"name": "n", "kind": "launch", "min": 0, "max": 100}], "attributes": [],
      "types": [{"T": "f32"}],
      "tensors": [
        {"name": "x", "role": "input", "type": "T", "shape": ["n", "8"], "strides": "rows",
         "alignment_bytes": 4},
        {"name": "y", "role": "output", "type": "T", "shape": ["n", "8"], "strides": "rows",
         "alignment_bytes": 4, "may_alias": ["x"]}],
      "scalars": [], "accumulation": "f32", "determinism": "bitwise", "flops": "n", "bytes": "n",
      "tolerance": {"c": 1, "reduction": "1", "kind": "relative"}, "rules": {"nan": "n", "infinity": "i", "empty": "e", "masked": "m"},
      "golden": {"seeds": [1], "axes": [{"n": 1}]}, "workloads": []})",
                                               "contract");
    EXPECT_TRUE(contract) << contract.error().message();
    contract_ = *contract;
    for (std::size_t i = 0; i < 2; ++i) {
      bound_.shapes.tensors[i].rank = 2;
      bound_.shapes.tensors[i].sizes = {4, 8};
      bound_.shapes.tensors[i].type = base::DataType::kF32;
    }
  }

  bool accepts(std::uint64_t x_offset, std::uint64_t y_offset, std::int64_t pitch) {
    const auto length = static_cast<std::uint64_t>(3 * pitch + 8) * 4;
    bound_.tensors[0] = {buffer_.get(), x_offset, length, {pitch, 1}};
    bound_.tensors[1] = {buffer_.get(), y_offset, length, {pitch, 1}};
    return check_overlaps(*contract_, bound_).has_value();
  }

  base::Ref<RecordingDevice> device_ = base::make_ref<RecordingDevice>();
  base::Ref<core::Buffer> buffer_;
  base::Ref<const operators::Contract> contract_;
  BoundLaunch bound_;
};

TEST_F(OverlapTest, CoincidingTensorsThatMayAliasAreAccepted) {
  EXPECT_TRUE(accepts(64, 64, 8));
}

TEST_F(OverlapTest, ShiftedAliasIsRefused) {
  EXPECT_FALSE(accepts(64, 68, 8));
}

TEST_F(OverlapTest, DisjointRangesAreAccepted) {
  EXPECT_TRUE(accepts(0, 128, 8));
}

TEST_F(OverlapTest, InterleavedRowsThatDoNotTouchAreAccepted) {
  EXPECT_TRUE(accepts(0, 32, 16));
  EXPECT_FALSE(accepts(0, 28, 16));
  EXPECT_FALSE(accepts(0, 48, 16));  // The row of y wraps into the next row of x.
}

}  // namespace
}  // namespace halyard::dispatch
