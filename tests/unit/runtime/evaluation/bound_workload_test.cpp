// SPDX-License-Identifier: Apache-2.0
#include "runtime/evaluation/bound_workload.h"

#include "runtime/base/file.h"
#include "tests/unit/runtime/evaluation/evaluation_fixture.h"

#include <algorithm>
#include <set>

namespace halyard::services {
namespace {

using testing::bind_text;
using testing::expect_refused;
using testing::kNorm;
using testing::kProduct;
using testing::workload_text;

const SharedTensor& tensor(const BoundWorkload& workload, const std::string& name) {
  const auto found = std::find_if(workload.tensors.begin(), workload.tensors.end(),
                                  [&](const SharedTensor& shared) { return shared.name == name; });
  EXPECT_NE(found, workload.tensors.end()) << name;
  return *found;
}

std::string view_of_qkv(const std::string& strides) {
  return R"({"name": "rope", "contract": "rope", "types": {"T": "f32"},
      "axes": {"tokens": "batch", "max_positions": 4, "q_heads": 2, "kv_heads": 1, "head_dim": 4,
               "rotary_dim": 4},
      "tensors": {"q": {"tensor": "out", "offset": "0", "strides": )" +
         strides + R"(}, "k": {"tensor": "out", "offset": "8", "strides": ["16", "4", "1"]},
                  "cos_sin_cache": "table", "positions": "positions",
                  "q_out": {"tensor": "out", "offset": "0", "strides": ["16", "4", "1"]},
                  "k_out": {"tensor": "out", "offset": "8", "strides": ["16", "4", "1"]}}})";
}

TEST(BoundWorkload, WiresTensorsByName) {
  const auto bound = bind_text(workload_text(std::string(kNorm) + "," + kProduct), {{"batch", 3}});
  ASSERT_TRUE(bound) << bound.error().message();
  EXPECT_EQ(bound->operations[1].launch_axes, std::vector<std::int64_t>{3});
  EXPECT_TRUE(tensor(*bound, "hidden").first_read);
  EXPECT_FALSE(tensor(*bound, "normed").first_read);
  EXPECT_TRUE(tensor(*bound, "normed").is_written);
  EXPECT_EQ(tensor(*bound, "normed").element_count, 24);
  EXPECT_EQ(tensor(*bound, "normed").last_use, 1U);
  EXPECT_TRUE(tensor(*bound, "weight").is_constant);
  EXPECT_EQ(tensor(*bound, "weight").shape, (std::vector<std::int64_t>{16, 8}));
}

TEST(BoundWorkload, TakesTheContractsNamesWhereNoneAreGiven) {
  const auto bound =
      bind_text(workload_text(R"({"name": "norm", "contract": "rms_norm", "types": {"T": "f32"},
                                  "axes": {"batch": "batch", "hidden": 8}})"));
  ASSERT_TRUE(bound) << bound.error().message();
  EXPECT_EQ(bound->tensors.size(), 3U);
  EXPECT_TRUE(tensor(*bound, "weight").is_constant);
  EXPECT_TRUE(tensor(*bound, "y").is_written);
}

TEST(BoundWorkload, PlacesViewsInTensorsOfOtherOperations) {
  const auto bound = bind_text(
      workload_text(std::string(kNorm) + "," + kProduct + "," + view_of_qkv(R"(["16","4","1"])")));
  ASSERT_TRUE(bound) << bound.error().message();
  const BoundUse& k = *bound->operations[2].uses[1];
  EXPECT_EQ(k.offset, 8);
  EXPECT_FALSE(k.is_packed);
  EXPECT_EQ(k.strides[0], 16);
  EXPECT_EQ(bound->tensors[k.shared].name, "out");
  EXPECT_EQ(bound->tensors[k.shared].element_count, 32);
}

TEST(BoundWorkload, RefusesViewsPastTheEnd) {
  const std::string before = std::string(kNorm) + "," + kProduct + ",";
  expect_refused(bind_text(workload_text(before + view_of_qkv(R"(["160","4","1"])"))),
                 "/operations/2/tensors/q (\"out\") has 32 elements");
  expect_refused(bind_text(workload_text(before + view_of_qkv(R"(["16","1"])"))),
                 "/operations/2/tensors/q/strides has 2 elements, and the tensor has 3 dimensions");
  expect_refused(bind_text(workload_text(before + view_of_qkv(R"(["-16","4","1"])"))),
                 "is negative");
  expect_refused(bind_text(workload_text(before + view_of_qkv(R"(["wide","4","1"])"))), "wide");
}

TEST(BoundWorkload, RefusesNamesThatDoNotExist) {
  expect_refused(bind_text(workload_text(kNorm), {{"batsh", 3}}), "has no axis \"batsh\"");
  expect_refused(bind_text(workload_text(kNorm), {{"batch", 65}}), "is not between 1 and 64");
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return workload_text(text.replace(text.find(from), from.size(), to));
  };
  expect_refused(bind_text(with(kNorm, R"("hidden": 8)", R"("hiden": 8)")), "/operations/0/axes");
  expect_refused(bind_text(with(kNorm, R"("weight": "norm_weight", )", "")),
                 "/operations/0/tensors lacks \"weight\", a tensor of contract rms_norm");
  expect_refused(bind_text(with(kNorm, R"("weight":)", R"("weihgt":)")), "/operations/0/tensors");
  expect_refused(bind_text(with(kNorm, R"("f32")", R"("i32")")), "/operations/0");
  const auto unknown = bind_text(with(kNorm, "rms_norm", "rms_nrom"));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), base::ErrorCode::kNotFound);
}

TEST(BoundWorkload, RefusesTensorsThatDoNotAgree) {
  const auto product = [](const std::string& from, const std::string& to) {
    std::string text = kProduct;
    text.replace(text.find(from), from.size(), to);
    return bind_text(workload_text(std::string(kNorm) + "," + text));
  };
  expect_refused(product(R"("K": 8)", R"("K": 9)"),
                 "/operations/1/tensors/A (\"normed\") has 16 elements");
  expect_refused(product(R"("f32")", R"("bf16")"), "is bf16 here and f32 before");
  expect_refused(product(R"("B": "weight")", R"("B": "hidden")"), "constant");
}

TEST(BoundWorkload, RefusesRulesThatDoNotFit) {
  const auto rule = [](const std::string& inputs) {
    return bind_text(workload_text(kNorm, inputs));
  };
  expect_refused(rule(R"({"none": {"generator": "normal"}})"), "/inputs/none names no tensor");
  expect_refused(rule(R"({"normed": {"generator": "normal"}})"), "names a tensor that is no input");
  expect_refused(rule(R"({"hidden": {"generator": "constant", "value": 1}})"), "another kind");
}

TEST(BoundWorkload, BindsEverySuite) {
  std::set<std::string> contracts;
  for (const char* suite : {"llama-3.1-8b-decode", "smoke"}) {
    const std::string path = std::string(HALYARD_SOURCE_DIR "/kernel-store/suites/") + suite;
    const auto text = base::read_text_file(path + ".json", std::size_t{1} << 20);
    ASSERT_TRUE(text) << text.error().message();
    for (const std::int64_t batch : {1, 16}) {
      const auto bound = bind_text(*text, {{"batch", batch}});
      ASSERT_TRUE(bound) << bound.error().message();
      EXPECT_EQ(bound->name, suite);
      for (const BoundOperation& operation : bound->operations)
        contracts.insert(operation.problem.contract().name());
    }
  }
  EXPECT_EQ(contracts.size(), 11U);
}

}  // namespace
}  // namespace halyard::services
