// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/operation_arguments.h"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

namespace halyard::api {
namespace {

halyard_operation_desc plain_desc() {
  halyard_operation_desc desc = HALYARD_OPERATION_DESC_INIT;
  desc.contract = "gemm";
  return desc;
}

std::string complaint(const halyard_operation_desc& desc) {
  const auto request = read_operation_desc(&desc);
  if (request) return "";
  EXPECT_EQ(base::ErrorCode::kInvalidArgument, request.error().code());
  return request.error().message();
}

TEST(OperationDesc, ListsAreCopied) {
  const halyard_type_binding types[] = {{"T", HALYARD_TYPE_BF16}, {"S", HALYARD_TYPE_I32}};
  const halyard_axis axes[] = {{"N", 4}, {"M", 5}};
  halyard_operation_desc desc = plain_desc();
  desc.kernel = "gemm_rows_cpu";
  desc.flags = HALYARD_OPERATION_ALLOW_REFERENCE;
  desc.types = types;
  desc.type_count = 2;
  desc.axes = axes;
  desc.axis_count = 2;
  const auto request = read_operation_desc(&desc);
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ("gemm", request->contract);
  EXPECT_EQ("gemm_rows_cpu", request->kernel);
  EXPECT_TRUE(request->allow_reference);
  EXPECT_FALSE(request->assume_constants);
  EXPECT_EQ(base::DataType::kI32, request->types.at("S"));
  ASSERT_EQ(2U, request->axes.size());
  EXPECT_EQ("M", request->axes[1].name);
  EXPECT_EQ(5, request->axes[1].value);
}

TEST(OperationDesc, WholeNumbersOfAttributesAreIntegers) {
  const halyard_attribute attributes[] = {{"whole", nullptr, 3},
                                          {"part", nullptr, 0.5},
                                          {"text", "neox", 7},
                                          {"large", nullptr, 1e300}};
  halyard_operation_desc desc = plain_desc();
  desc.attributes = attributes;
  desc.attribute_count = 4;
  const auto request = read_operation_desc(&desc);
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(3, std::get<std::int64_t>(request->attributes.at("whole")));
  EXPECT_EQ(0.5, std::get<double>(request->attributes.at("part")));
  EXPECT_EQ("neox", std::get<std::string>(request->attributes.at("text")));
  EXPECT_EQ(1e300, std::get<double>(request->attributes.at("large")));
}

TEST(OperationDesc, FaultsAreNamed) {
  halyard_operation_desc desc = plain_desc();
  desc.contract = nullptr;
  EXPECT_EQ("desc.contract is NULL.", complaint(desc));
  desc = plain_desc();
  desc.flags = 12;
  EXPECT_EQ("Flags (12) have bits beyond 3.", complaint(desc));
  desc = plain_desc();
  desc.axis_count = 1;
  EXPECT_EQ("axes is NULL.", complaint(desc));
  desc.axis_count = 5000;
  EXPECT_EQ("The count of axes (5000) is above 1024.", complaint(desc));
  const halyard_axis nameless = {nullptr, 1};
  desc.axis_count = 1;
  desc.axes = &nameless;
  EXPECT_EQ("axes[0].name is NULL.", complaint(desc));
}

TEST(OperationDesc, RepeatedNamesAreRefused) {
  const halyard_type_binding types[] = {{"T", HALYARD_TYPE_F32}, {"T", HALYARD_TYPE_F16}};
  halyard_operation_desc desc = plain_desc();
  desc.types = types;
  desc.type_count = 2;
  EXPECT_EQ("Type variable \"T\" is bound twice.", complaint(desc));
  const halyard_attribute attributes[] = {{"bias", nullptr, 0}, {"bias", nullptr, 1}};
  desc = plain_desc();
  desc.attributes = attributes;
  desc.attribute_count = 2;
  EXPECT_EQ("Attribute \"bias\" is given twice.", complaint(desc));
}

TEST(OperationDesc, UnknownTypeIsRefused) {
  const halyard_type_binding type = {"T", 999};
  halyard_operation_desc desc = plain_desc();
  desc.types = &type;
  desc.type_count = 1;
  EXPECT_EQ("Type 999 of variable \"T\" is unknown.", complaint(desc));
}

class LaunchArgumentsTest : public ::testing::Test {
 protected:
  static base::Ref<const operators::Contract> make_contract() {
    auto contract = operators::Contract::parse(R"({
      "format": "halyard.contract/1", "name": "mixed", "version": "1.0.0", "summary": "Mixed.",
      "axes": [{"name": "n", "kind": "launch", "min": 0, "max": 100}],
      "attributes": [], "types": [{"T": "f32"}],
      "tensors": [
        {"name": "x", "role": "input", "type": "T", "shape": ["n"], "strides": "any",
         "alignment_bytes": 4},
        {"name": "y", "role": "output", "type": "T", "shape": ["n"], "strides": "any",
         "alignment_bytes": 4}],
      "scalars": [{"name": "word", "type": "f32"}, {"name": "wide", "type": "i64"}],
      "accumulation": "f32", "determinism": "bitwise", "flops": "n", "bytes": "n",
      "tolerance": {"c": 1, "reduction": "1", "kind": "relative"},
      "rules": {"nan": "n", "infinity": "i", "empty": "e", "masked": "m"},
      "golden": {"seeds": [1], "axes": [{"n": 1}]}, "workloads": []})",
                                               "contract");
    EXPECT_TRUE(contract) << contract.error().message();
    return *contract;
  }

  LaunchArgumentsTest() {
    views_[0].offset_bytes = 16;
    views_[1].length_bytes = 32;
    views_[1].strides = &stride_;
    scalars_[0].u64 = ~std::uint64_t{0};
    scalars_[0].f32 = 1.0F;
    scalars_[1].i64 = -2;
    launch_.view_count = 2;
    launch_.views = views_;
    launch_.axis_count = 1;
    launch_.axes = &axis_;
    launch_.scalar_count = 2;
    launch_.scalars = scalars_;
  }
  std::string complaint() {
    const base::Status status = arguments_.read(&launch_, *contract_);
    return status ? "" : status.error().message();
  }

  base::Ref<const operators::Contract> contract_ = make_contract();
  std::int64_t stride_ = 2;
  std::int64_t axis_ = 7;
  halyard_view views_[2] = {};
  halyard_scalar scalars_[2] = {};
  halyard_launch launch_ = HALYARD_LAUNCH_INIT;
  LaunchArguments arguments_;
};

TEST_F(LaunchArgumentsTest, LaunchIsBorrowedAsItIs) {
  launch_.workspace.offset_bytes = 256;
  ASSERT_EQ("", complaint());
  const dispatch::Launch& launch = arguments_.launch();
  ASSERT_EQ(2U, launch.views.size());
  EXPECT_EQ(16U, launch.views[0].offset_bytes);
  EXPECT_EQ(32U, launch.views[1].length_bytes);
  EXPECT_EQ(&stride_, launch.views[1].strides);
  EXPECT_EQ(&axis_, launch.axes.data());
  EXPECT_EQ(256U, launch.workspace.offset_bytes);
}

TEST_F(LaunchArgumentsTest, ScalarsHaveTheBitsOfTheirOwnType) {
  ASSERT_EQ("", complaint());
  EXPECT_EQ(0x3f800000U, arguments_.launch().scalars[0]);
  EXPECT_EQ(static_cast<std::uint64_t>(-2), arguments_.launch().scalars[1]);
}

TEST_F(LaunchArgumentsTest, CountsAreThoseOfTheContract) {
  launch_.view_count = 3;
  EXPECT_EQ("The launch has 3 views and 2 scalars; contract mixed has 2 tensors and 2 scalars.",
            complaint());
  launch_.view_count = 2;
  launch_.scalar_count = 0;
  EXPECT_EQ("The launch has 2 views and 0 scalars; contract mixed has 2 tensors and 2 scalars.",
            complaint());
}

TEST_F(LaunchArgumentsTest, ListsMustBeThere) {
  launch_.views = nullptr;
  EXPECT_EQ("launch.views is NULL.", complaint());
  launch_.views = views_;
  launch_.scalars = nullptr;
  EXPECT_EQ("launch.scalars is NULL.", complaint());
  launch_.scalars = scalars_;
  launch_.axes = nullptr;
  EXPECT_EQ("launch.axes is NULL.", complaint());
  EXPECT_EQ("launch is NULL.", arguments_.read(nullptr, *contract_).error().message());
}

TEST_F(LaunchArgumentsTest, StructOfAnotherSizeIsChecked) {
  launch_.struct_size = 8;
  EXPECT_NE("", complaint());
}

}  // namespace
}  // namespace halyard::api
