// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/workload.h"

#include "tests/unit/runtime/evaluation/evaluation_fixture.h"

namespace halyard::services {
namespace {

using testing::expect_refused;
using testing::kNorm;
using testing::workload_text;

TEST(Workload, ReadsOperationsAxesAndInputs) {
  const auto workload = Workload::parse(
      workload_text(kNorm, R"({"hidden": {"generator": "normal", "scale": 0.5}})"), "workload");
  ASSERT_TRUE(workload) << workload.error().message();
  EXPECT_EQ(workload->name, "test");
  ASSERT_EQ(workload->operations.size(), 1U);
  EXPECT_EQ(workload->operations[0].axes.at("hidden"), "8");
  EXPECT_EQ(workload->operations[0].tensors.at("y").tensor, "normed");
  EXPECT_EQ(workload->inputs.at("hidden").scale, 0.5);
  EXPECT_EQ(workload->axes[1].default_value, 10);
}

TEST(Workload, SaysWhereItIsWrong) {
  const auto parse = [](const std::string& text) { return Workload::parse(text, "workload"); };
  expect_refused(parse("[]"), "workload");
  expect_refused(parse(R"({"format": "halyard.workload/2", "name": "x", "operations": []})"),
                 "/format");
  expect_refused(parse(R"({"format": "halyard.workload/1", "name": "x", "operations": []})"),
                 "/operations has 0 elements");
  expect_refused(parse(workload_text(R"({"name": "norm"})")), "/operations/0/contract is missing");
  expect_refused(parse(workload_text(std::string(kNorm) + "," + kNorm)),
                 "/operations/1/name (\"norm\") is taken already");
  expect_refused(parse(workload_text(kNorm, R"({"x": {"generator": "norml"}})")),
                 "/inputs/x/generator");
  expect_refused(parse(workload_text(kNorm, R"({"x": {"generator": "normal", "skale": 1}})")),
                 "skale");
}

TEST(Workload, RefusesTypesAndExpressionsOfOtherKinds) {
  const std::string types =
      R"({"name": "n", "contract": "cast", "types": {"T": "f23"}, "axes": {}, "tensors": {}})";
  expect_refused(Workload::parse(workload_text(types), "workload"),
                 "/operations/0/types/T (\"f23\") is no type");
  const std::string axes =
      R"({"name": "n", "contract": "cast", "types": {}, "axes": {"n": 1.5}, "tensors": {}})";
  expect_refused(Workload::parse(workload_text(axes), "workload"),
                 "/operations/0/axes/n is neither an integer nor an expression");
}

TEST(Workload, RefusesTextThatIsNoJson) {
  expect_refused(Workload::parse("{\"format\": }", "workload"), "workload:1:");
  expect_refused(Workload::parse(R"({"name": "a", "name": "b"})", "workload"), "name");
}

}  // namespace
}  // namespace halyard::services
