// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/lane_layout.h"

#include <gtest/gtest.h>

namespace halyard::descriptors {
namespace {

std::string problem(const LaneLayout& layout, const MatrixShape& shape, std::uint32_t lanes) {
  const auto status = check_lane_layout(layout, shape, lanes);
  return status ? "" : status.error().message();
}

TEST(LaneLayout, EveryElementOnceFits) {
  EXPECT_EQ(problem({8, "2 * item + lane / 16", "lane % 16", ""}, {16, 16, 1}, 32), "");
}

TEST(LaneLayout, EveryElementTwiceFits) {
  EXPECT_EQ(problem({16, "lane % 16", "item", ""}, {16, 16, 1}, 32), "");
}

TEST(LaneLayout, BlocksAreCovered) {
  EXPECT_EQ(problem({4, "item", "lane % 4", "lane / 4"}, {4, 4, 16}, 64), "");
}

TEST(LaneLayout, NoExpressionsAreNotLookedAt) {
  EXPECT_EQ(problem({7, "", "", ""}, {16, 16, 1}, 32), "");
}

TEST(LaneLayout, ElementOutsideTheMatrixIsNamed) {
  EXPECT_EQ(problem({8, "3 * item", "lane % 16", ""}, {16, 16, 1}, 32),
            "Item 6 of lane 0 lies in row 18, outside 0 to 15.");
}

TEST(LaneLayout, UnevenCoverIsNamed) {
  EXPECT_EQ(problem({8, "item", "lane % 16", ""}, {16, 16, 1}, 32),
            "The 8 items of 32 lanes hold some element 0 times and another 2 times.");
}

TEST(LaneLayout, ShapesFollowTheOperation) {
  MatrixOperation operation;
  operation.m = 16;
  operation.n = 8;
  operation.k = 32;
  operation.sparse = true;
  EXPECT_EQ(shape_of_a(operation).columns, 16U);
  EXPECT_EQ(shape_of_b(operation).rows, 32U);
  EXPECT_EQ(shape_of_d(operation).columns, 8U);
}

TEST(LaneLayout, DescriptorNamesOperationAndMatrix) {
  Descriptor descriptor;
  descriptor.id = "acme/a1";
  MatrixOperation& operation = descriptor.matrix_operations.emplace_back();
  operation.instruction = "MUL";
  operation.m = operation.n = operation.k = operation.lanes = 2;
  operation.a_type = operation.b_type = "f16";
  operation.c_type = "f32";
  operation.a = {2, "lane", "item", ""};
  EXPECT_TRUE(check_lane_layouts(descriptor));
  operation.b = {2, "lane", "lane", ""};
  const auto status = check_lane_layouts(descriptor);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message(),
            "acme/a1: the layout of B of MUL f16 f16 f32 of 2 lanes does not fit: The 2 items of 2 "
            "lanes hold some element 0 times and another 2 times.");
}

}  // namespace
}  // namespace halyard::descriptors
