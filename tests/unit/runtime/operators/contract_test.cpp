// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/contract.h"

#include "tests/unit/runtime/operators/host_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace halyard::operators {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSmall = R"({
  "format": "halyard.contract/1", "name": "scale", "version": "1.0.0", "summary": "y = 2 * x.",
  "axes": [{"name": "n", "kind": "launch", "min": 0, "max": 64, "aliases": ["tokens"]}],
  "attributes": [],
  "types": [{"T": "f32"}],
  "tensors": [{"name": "x", "role": "input", "type": "T", "shape": ["n"], "strides": "dense", "alignment_bytes": 4},
              {"name": "y", "role": "output", "type": "T", "shape": ["n"], "strides": "dense", "alignment_bytes": 4, "may_alias": ["x"]}],
  "scalars": [], "accumulation": "f32", "determinism": "bitwise", "flops": "n", "bytes": "2 * sizeof.T * n",
  "tolerance": {"c": 1, "reduction": "1", "kind": "relative"},
  "rules": {"nan": "NaN.", "infinity": "Infinity.", "empty": "Nothing.", "masked": "None."},
  "golden": {"seeds": [1], "axes": [{"n": 3}]},
  "workloads": [{"name": "a/b", "types": {"T": "f32"}, "axes": {"n": [1, 2]}}]
})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kSmall);
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string failure(const std::string& text) {
  const auto parsed = Contract::parse(text, "scale.json");
  if (parsed) return "parsed";
  EXPECT_EQ(base::ErrorCode::kCorruptData, parsed.error().code());
  return parsed.error().message();
}

TEST(Contract, ParsesIntoTypedMembers) {
  const auto parsed = Contract::parse(kSmall, "scale.json");
  ASSERT_TRUE(parsed) << parsed.error().message();
  const Contract& contract = **parsed;
  EXPECT_EQ("scale", contract.name());
  EXPECT_EQ(AxisKind::kLaunch, contract.axes()[0].kind);
  EXPECT_EQ(64, contract.axes()[0].max);
  EXPECT_EQ(TensorRole::kOutput, contract.tensors()[1].role);
  EXPECT_EQ(std::vector<std::string>{"x"}, contract.tensors()[1].may_alias);
  EXPECT_TRUE(contract.fields().bitwise);
  EXPECT_EQ(1U, contract.fields().golden.attributes.size());
  EXPECT_EQ(std::vector<std::uint32_t>{0}, contract.launch_axes());
  EXPECT_EQ(64U, contract.sha256().size());
}

TEST(Contract, IdentityIgnoresSpacesAndOrder) {
  const auto parsed = Contract::parse(kSmall, "a");
  const auto again = Contract::parse((*parsed)->canonical_json(), "b");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ((*parsed)->sha256(), (*again)->sha256());
  const auto other = Contract::parse(with("\"1.0.0\"", "\"1.0.1\""), "c");
  EXPECT_NE((*parsed)->sha256(), (*other)->sha256());
}

TEST(Contract, LookupsTakeAliasesAndSuggestNames) {
  const base::Ref<const Contract> contract = testing::contract("rms_norm");
  EXPECT_EQ(0U, *contract->axis_index("tokens"));
  EXPECT_EQ(1U, *contract->tensor_index("weight"));
  const auto missing = contract->axis_index("hiden");
  ASSERT_FALSE(missing);
  EXPECT_EQ(base::ErrorCode::kInvalidArgument, missing.error().code());
  EXPECT_THAT(missing.error().message(), HasSubstr("no axis \"hiden\""));
  EXPECT_THAT(missing.error().message(), HasSubstr("\"hidden\""));
  EXPECT_THAT(contract->tensor_index("qqqqqqqqq").error().message(),
              HasSubstr("it has x, weight, y"));
}

TEST(Contract, RefusesWhatDoesNotFitTogether) {
  EXPECT_THAT(failure(with("\"flops\": \"n\"", "\"flops\": \"m\"")), HasSubstr("m"));
  EXPECT_THAT(failure(with("[\"x\"]}", "[\"z\"]}")), HasSubstr("\"z\""));
  EXPECT_THAT(failure(with("\"name\": \"y\"", "\"name\": \"x\"")), HasSubstr("given twice"));
  EXPECT_THAT(failure(with("{\"n\": 3}", "{\"n\": 65}")), HasSubstr("above its maximum (64)"));
  EXPECT_THAT(failure(with("{\"n\": 3}", "{\"k\": 3}")), HasSubstr("no axis \"k\""));
  EXPECT_THAT(failure(with("\"launch\"", "\"lunch\"")), HasSubstr("/axes/0/kind"));
  EXPECT_THAT(failure(with("\"max\": 64", "\"max\": -1")), HasSubstr("/axes/0/max"));
  EXPECT_THAT(failure(with("\"type\": \"T\"", "\"type\": \"U\"")), HasSubstr("\"U\""));
  EXPECT_THAT(failure(with("\"scalars\": [],", "\"scalars\": [], \"extra\": 1,")),
              HasSubstr("extra"));
  EXPECT_THAT(failure(with("\"scale\"", "\"../x\"")), HasSubstr("[a-z0-9_]+"));
  EXPECT_THAT(failure("{"), HasSubstr("scale.json:1:"));
}

TEST(Contract, DeviceAxisIsALaunchAxis) {
  const base::Ref<const Contract> contract = testing::contract("attention_decode_paged");
  std::vector<std::string> names;
  for (const std::uint32_t axis : contract->launch_axes()) {
    names.push_back(contract->axes()[axis].name);
  }
  EXPECT_EQ((std::vector<std::string>{"batch", "num_pages", "num_indices", "kv_length"}), names);
}

}  // namespace
}  // namespace halyard::operators
