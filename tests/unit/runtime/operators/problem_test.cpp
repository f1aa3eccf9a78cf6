// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/problem.h"

#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halyard::operators {
namespace {

using testing::contract;
using ::testing::HasSubstr;
using testing::kBf16;
using testing::kF32;

Problem gemm(const Attributes& attributes = {}) {
  return *Problem::create(contract("gemm"), kBf16, attributes,
                          std::vector<AxisValue>{{"N", 6144}, {"K", 4096}});
}

std::string failure(std::string_view name, const TypeBindings& types, const Attributes& attributes,
                    const std::vector<AxisValue>& axes) {
  const auto problem = Problem::create(contract(name), types, attributes, axes);
  if (problem) return "created";
  EXPECT_EQ(base::ErrorCode::kInvalidArgument, problem.error().code());
  return problem.error().message();
}

TEST(Problem, ShapesFollowLaunchAxes) {
  const Problem problem = gemm();
  ShapeTable shapes;
  for (const std::int64_t rows : {0, 1, 17}) {
    ASSERT_TRUE(problem.shapes_into(std::vector<std::int64_t>{rows}, shapes));
    EXPECT_EQ(4U, shapes.tensor_count);
    EXPECT_EQ(rows * 4096, shapes.tensors[0].element_count);
    EXPECT_EQ(6144 * 4096 * 2, shapes.tensors[1].size_bytes);
    EXPECT_FALSE(shapes.tensors[2].present);
    EXPECT_EQ(rows, shapes.tensors[3].sizes[0]);
    EXPECT_EQ(6144, shapes.tensors[3].sizes[1]);
  }
}

TEST(Problem, OptionalTensorFollowsItsAttribute) {
  const auto shapes = gemm({{"bias", std::int64_t{1}}}).shapes(std::vector<std::int64_t>{2});
  EXPECT_TRUE(shapes->tensors[2].present);
  EXPECT_EQ(6144, shapes->tensors[2].element_count);
}

TEST(Problem, CountsWork) {
  const std::vector<std::int64_t> rows{16};
  EXPECT_EQ(2LL * 16 * 6144 * 4096, *gemm().flops(rows));
  EXPECT_EQ(2LL * (16 * 4096 + 6144 * 4096 + 16 * 6144), *gemm().bytes(rows));
  EXPECT_EQ(4096, *gemm().reduction_length(rows));
}

TEST(Problem, SlotsStartWithLaunchAxes) {
  const Problem problem = gemm();
  EXPECT_EQ(0U, problem.slots().slot_of("M"));
  EXPECT_EQ(1U, problem.slots().slot_of("N"));
  EXPECT_EQ(2, problem.slots().values()[*problem.slots().slot_of("sizeof.T")]);
  EXPECT_FALSE(problem.slots().slot_of("tokens"));
  SlotTable extended = problem.slots();
  ASSERT_TRUE(extended.add("TILE_N", 64));
  EXPECT_EQ(problem.slots().size(), extended.slot_of("TILE_N"));
  EXPECT_THAT(extended.add("K", 1).error().message(), HasSubstr("\"K\" is given twice"));
  const auto tiles = base::Expression::compile("ceil_div(N, TILE_N)", extended.resolver());
  EXPECT_EQ(96, *tiles->evaluate(extended.values()));
}

TEST(Problem, AliasesNameAxes) {
  EXPECT_EQ(std::vector<std::int64_t>{5},
            *gemm().launch_values(std::vector<AxisValue>{{"tokens", 5}}));
}

TEST(Problem, AxisErrorsAreSentencesWithNumbers) {
  EXPECT_THAT(failure("gemm", kF32, {}, {{"N", 1}}), HasSubstr("prepare axis \"K\""));
  EXPECT_THAT(failure("gemm", kF32, {}, {{"N", 1}, {"K", 1}, {"N", 2}}),
              HasSubstr("given twice (1 and 2)"));
  EXPECT_THAT(failure("gemm", kF32, {}, {{"N", -1}, {"K", 1}}),
              HasSubstr("is -1, below its minimum (0)"));
  EXPECT_THAT(failure("gemm", kF32, {}, {{"N", 3000000000}, {"K", 1}}),
              HasSubstr("is 3000000000, above its maximum (2147483647)"));
  EXPECT_THAT(failure("gemm", kF32, {}, {{"N", 1}, {"K", 1}, {"M", 1}}),
              HasSubstr("\"M\" of contract \"gemm\" is a launch axis"));
  EXPECT_THAT(failure("rms_norm", kF32, {}, {{"hiddenn", 1}}), HasSubstr("\"hidden\""));
  EXPECT_THAT(failure("argmax", kF32, {}, {{"vocab", 0}}), HasSubstr("below its minimum (1)"));
}

TEST(Problem, ConditionsNameTheirValues) {
  EXPECT_THAT(failure("attention_decode_paged", kF32, {},
                      {{"q_heads", 5}, {"kv_heads", 2}, {"head_dim", 8}, {"page_size", 1}}),
              HasSubstr("needs q_heads % kv_heads == 0, but q_heads = 5, kv_heads = 2"));
}

TEST(Problem, RefusesTypesAndAttributes) {
  EXPECT_THAT(failure("rms_norm", {{"T", base::DataType::kI8}}, {}, {{"hidden", 8}}),
              HasSubstr("types T = i8; it allows T = f32; T = f16; T = bf16"));
  EXPECT_THAT(failure("rms_norm", {}, {}, {{"hidden", 8}}), HasSubstr("(none)"));
  EXPECT_THAT(failure("rms_norm", kF32, {{"epsilom", 1.0}}, {{"hidden", 8}}),
              HasSubstr("\"epsilon\""));
  EXPECT_THAT(failure("rms_norm", kF32, {{"epsilon", std::string("x")}}, {{"hidden", 8}}),
              HasSubstr("is \"x\", and it takes a number"));
  EXPECT_THAT(failure("gemm", kF32, {{"bias", std::int64_t{2}}}, {{"N", 1}, {"K", 1}}),
              HasSubstr("is 2, and it takes 0 or 1"));
}

TEST(Problem, DefaultsFillInAttributes) {
  const auto problem =
      Problem::create(contract("rms_norm"), kF32, {}, std::vector<AxisValue>{{"hidden", 8}});
  EXPECT_EQ(AttributeValue(1e-5), problem->attribute("epsilon"));
  const auto whole = Problem::create(contract("rms_norm"), kF32, {{"epsilon", std::int64_t{1}}},
                                     std::vector<AxisValue>{{"hidden", 8}});
  EXPECT_EQ(AttributeValue(1.0), whole->attribute("epsilon"));
}

TEST(Problem, LaunchAxesAreChecked) {
  const Problem problem = gemm();
  ShapeTable shapes;
  EXPECT_FALSE(problem.shapes_into(std::vector<std::int64_t>{-1}, shapes));
  EXPECT_FALSE(problem.shapes_into(std::vector<std::int64_t>{}, shapes));
  EXPECT_THAT(problem.shapes(std::vector<std::int64_t>{1, 2}).error().message(),
              HasSubstr("has 1 launch axes, and 2 values are given"));
  EXPECT_THAT(problem.flops(std::vector<std::int64_t>{-3}).error().message(),
              HasSubstr("is -3, below its minimum (0)"));
}

TEST(Problem, SizesThatOverflowAreRefused) {
  const auto problem = Problem::create(contract("copy_strided"), kF32, {}, {});
  ASSERT_TRUE(problem) << problem.error().message();
  const std::vector<std::int64_t> huge(4, 2147483647);
  ShapeTable shapes;
  EXPECT_FALSE(problem->shapes_into(huge, shapes));
  const auto refused = problem->shapes(huge);
  ASSERT_FALSE(refused);
  EXPECT_EQ(base::ErrorCode::kInvalidArgument, refused.error().code());
  EXPECT_THAT(refused.error().message(), HasSubstr("[2147483647, 2147483647"));
  EXPECT_TRUE(
      problem->shapes_into(std::vector<std::int64_t>{2147483647, 2147483647, 0, 9}, shapes));
}

TEST(AxisValues, WorkloadsMultiplyOut) {
  const base::Ref<const Contract> attention = contract("attention_decode_paged");
  const auto cases = expand_workload(*attention, attention->fields().workloads[0]);
  ASSERT_TRUE(cases) << cases.error().message();
  EXPECT_EQ(18U, cases->size());
  for (const std::vector<AxisValue>& axes : *cases) {
    const auto value = [&](std::string_view name) {
      return axes[*attention->axis_index(name)].value;
    };
    const std::int64_t pages = (value("kv_length") + value("page_size") - 1) / value("page_size");
    EXPECT_EQ(value("batch") * pages, value("num_indices"));
  }
}

}  // namespace
}  // namespace halyard::operators
