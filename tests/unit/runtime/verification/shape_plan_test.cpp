// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/shape_plan.h"

#include "tests/unit/runtime/verification/verification_fixture.h"

#include <algorithm>
#include <set>

namespace halyard::verification {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the fixture of these tests.

std::vector<PlannedShape> plan(const ShapePlanDesc& desc) {
  auto shapes = plan_shapes(desc);
  EXPECT_TRUE(shapes) << shapes.error().message();
  return shapes ? std::move(*shapes) : std::vector<PlannedShape>{};
}

std::set<std::int64_t> values_of(const std::vector<PlannedShape>& shapes, std::string_view axis) {
  std::set<std::int64_t> values;
  for (const PlannedShape& shape : shapes) {
    for (const operators::AxisValue& each : shape.axes) {
      if (each.name == axis) values.insert(each.value);
    }
  }
  return values;
}

std::vector<std::string> texts_of(const std::vector<PlannedShape>& shapes, bool held_out) {
  std::vector<std::string> texts;
  for (const PlannedShape& shape : shapes) {
    if ((shape.origin == ShapeOrigin::kHeldOut) == held_out) texts.push_back(axes_text(shape.axes));
  }
  return texts;
}

TEST(ShapePlan, HasTheEdgesOfEveryAxis) {
  ShapePlanDesc desc = small_plan("gemm", kBf16);
  desc.budget.edge.steps = 4'000'000;
  const std::vector<PlannedShape> shapes = plan(desc);
  for (const char* axis : {"M", "N", "K"}) {
    const std::set<std::int64_t> values = values_of(shapes, axis);
    for (const std::int64_t edge : {0, 1, 2, 7, 15, 16, 17, 31, 33, 63, 65, 127, 129, 1023, 1025})
      EXPECT_TRUE(values.contains(edge)) << axis << " " << edge;
  }
  EXPECT_TRUE(values_of(shapes, "K").contains(14336));
  EXPECT_TRUE(values_of(shapes, "M").contains(65536));
}

TEST(ShapePlan, HasTheVocabulariesOfModels) {
  ShapePlanDesc desc = small_plan("argmax", kBf16);
  desc.budget.edge.steps = 1'000'000;
  const std::set<std::int64_t> values = values_of(plan(desc), "vocab");
  for (const std::int64_t size : {128256, 129280, 151936})
    EXPECT_TRUE(values.contains(size)) << size;
}

TEST(ShapePlan, KeepsAxesThatDependOnOthers) {
  for (const PlannedShape& shape : plan(small_plan("attention_decode_paged", kF32))) {
    const auto shapes = shape.problem.shapes(shape.launch_axes);
    EXPECT_TRUE(shapes) << axes_text(shape.axes);
  }
  const std::set<std::int64_t> lengths =
      values_of(plan(small_plan("attention_decode_paged", kF32)), "kv_length");
  for (const std::int64_t edge : {0, 1, 63, 64, 65})
    EXPECT_TRUE(lengths.contains(edge)) << edge;
}

TEST(ShapePlan, RisesInCostAndEndsWithHeldOutShapes) {
  const std::vector<PlannedShape> shapes = plan(small_plan("rms_norm", kF32));
  const auto is_held_out = [](const PlannedShape& shape) {
    return shape.origin == ShapeOrigin::kHeldOut;
  };
  const auto first = std::find_if(shapes.begin(), shapes.end(), is_held_out);
  EXPECT_EQ(shapes.end() - first, 4);
  EXPECT_TRUE(std::all_of(first, shapes.end(), is_held_out));
  const auto is_cheaper = [](const PlannedShape& a, const PlannedShape& b) {
    return a.steps < b.steps;
  };
  EXPECT_TRUE(std::is_sorted(shapes.begin(), first, is_cheaper));
}

TEST(ShapePlan, DrawsHeldOutShapesFromTheSeedAlone) {
  ShapePlanDesc desc = small_plan("rms_norm", kF32);
  const std::vector<PlannedShape> shapes = plan(desc);
  EXPECT_EQ(texts_of(shapes, true), texts_of(plan(desc), true));
  EXPECT_EQ(texts_of(shapes, false), texts_of(plan(desc), false));
  desc.seed += 1;
  EXPECT_NE(texts_of(shapes, true), texts_of(plan(desc), true));
  EXPECT_EQ(texts_of(shapes, false), texts_of(plan(desc), false));
}

TEST(ShapePlan, KeepsToWhatTheKernelTakesAndToTheBudget) {
  ShapePlanDesc desc = small_plan("gemm", kF16);
  desc.serves = [](const operators::Problem& problem, std::span<const std::int64_t> axes) {
    return problem.prepare_axis("K") % 32 == 0 && axes[0] > 0;
  };
  const std::vector<PlannedShape> shapes = plan(desc);
  EXPECT_EQ(texts_of(shapes, true).size(), 4U);
  for (const PlannedShape& shape : shapes) {
    EXPECT_EQ(shape.problem.prepare_axis("K") % 32, 0);
    EXPECT_LE(shape.steps, 60'000);
  }
}

TEST(ShapePlan, KeepsLaunchAxesWithinTheirLimit) {
  ShapePlanDesc desc = small_plan("gemm", kBf16);
  desc.budget.edge.steps = 4'000'000;
  EXPECT_TRUE(values_of(plan(desc), "M").contains(65536));
  desc.budget.edge.launch_axis = 8192;
  desc.budget.visible.launch_axis = 8192;
  const std::set<std::int64_t> values = values_of(plan(desc), "M");
  EXPECT_TRUE(values.contains(8191));
  EXPECT_LE(*values.rbegin(), 8192);
}

TEST(ShapePlan, KeepsTheCheapestWithinTheBudgetOfAll) {
  ShapePlanDesc desc = small_plan("gemm", kF32);
  const std::size_t all = texts_of(plan(desc), false).size();
  desc.budget.all_steps = 100'000;
  const std::vector<PlannedShape> shapes = plan(desc);
  std::int64_t steps = 0;
  for (const PlannedShape& shape : shapes) {
    if (shape.origin != ShapeOrigin::kHeldOut) steps += shape.steps;
  }
  EXPECT_LE(steps, 100'000);
  EXPECT_LT(texts_of(shapes, false).size(), all);
  desc.budget.all_steps = 0;
  EXPECT_EQ(texts_of(plan(desc), false).size(), 4U);
}

TEST(ShapePlan, HasTheVisibleWorkloadsWithinTheBudget) {
  ShapePlanDesc desc = small_plan("gemm", kBf16);
  desc.budget.visible = {64'000'000, std::int64_t{128} << 20};
  desc.budget.visible_steps = 100'000'000;
  std::int64_t steps = 0;
  std::size_t count = 0;
  for (const PlannedShape& shape : plan(desc)) {
    if (shape.origin != ShapeOrigin::kVisible) continue;
    steps += shape.steps;
    ++count;
  }
  EXPECT_GE(count, 1U);
  EXPECT_LE(steps, 100'000'000);
}

TEST(ShapePlan, FindsTheLeastShapesBeyondThirtyOneBits) {  // E08
  const std::vector<PlannedShape> shapes =
      plan_large_shapes(small_plan("copy_strided", {{"T", base::DataType::kI8}}),
                        {std::int64_t{1} << 40, std::int64_t{6} << 30});
  ASSERT_FALSE(shapes.empty());
  for (const PlannedShape& shape : shapes) {
    const auto sizes = shape.problem.shapes(shape.launch_axes);
    ASSERT_TRUE(sizes);
    EXPECT_GE(sizes->tensors[0].element_count, (std::int64_t{1} << 31) + 4096);
    EXPECT_LE(sizes->tensors[0].element_count, (std::int64_t{1} << 31) + 4096 + 10'000);
  }
  EXPECT_TRUE(plan_large_shapes(small_plan("copy_strided", {{"T", base::DataType::kI8}}),
                                {std::int64_t{1} << 40, std::int64_t{1} << 30})
                  .empty());
}

}  // namespace
}  // namespace halyard::verification
