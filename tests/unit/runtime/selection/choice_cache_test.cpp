// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/choice_cache.h"

#include "runtime/operators/contract_catalog.h"
#include "tests/unit/runtime/dispatch/recording_device.h"

#include <gtest/gtest.h>

#include <set>

namespace halyard::selection {
namespace {

base::Ref<const KnownChoice> make_choice() {
  const operators::ContractCatalog contracts(HALYARD_BUILT_DATA_DIRECTORY);
  const std::vector<operators::AxisValue> axes = {{"hidden", 8}};
  auto problem = operators::Problem::create(*contracts.find("rms_norm"),
                                            {{"T", base::DataType::kF32}}, {}, axes);
  EXPECT_TRUE(problem) << problem.error().message();
  return base::make_ref<KnownChoice>(*problem, dispatch::AxisBounds{1});
}

TEST(ChoiceCache, FindsWhatWasInserted) {
  ChoiceCache cache;
  const auto choice = make_choice();
  EXPECT_FALSE(cache.find("a", 1));
  cache.insert("a", 1, choice);
  EXPECT_EQ(choice.get(), cache.find("a", 1).get());
  EXPECT_FALSE(cache.find("b", 1));
}

TEST(ChoiceCache, LaterGenerationForgetsAll) {
  ChoiceCache cache;
  cache.insert("a", 1, make_choice());
  EXPECT_FALSE(cache.find("a", 2));
  EXPECT_FALSE(cache.find("a", 1));
}

TEST(ChoiceCache, ChoiceOfAnEarlierGenerationIsNotKept) {
  ChoiceCache cache;
  EXPECT_FALSE(cache.find("a", 5));
  cache.insert("a", 4, make_choice());
  EXPECT_FALSE(cache.find("a", 5));
  EXPECT_FALSE(cache.find("a", 4));
}

TEST(ChoiceCache, LongestUnusedGoesWhenItIsFull) {
  ChoiceCache cache;
  const auto choice = make_choice();
  for (std::size_t i = 0; i < ChoiceCache::kMaxChoices; ++i)
    cache.insert(std::to_string(i), 1, choice);
  EXPECT_TRUE(cache.find("0", 1));
  cache.insert("new", 1, choice);
  EXPECT_TRUE(cache.find("0", 1));
  EXPECT_FALSE(cache.find("1", 1));
  EXPECT_TRUE(cache.find("2", 1));
  EXPECT_TRUE(cache.find("new", 1));
}

TEST(ChoiceCache, EverythingThatDecidesIsInTheName) {
  const auto device = base::make_ref<dispatch::RecordingDevice>();
  const auto other_device = base::make_ref<dispatch::RecordingDevice>();
  const auto constant = [&](core::Device& on, const std::vector<std::int64_t>& shape) {
    return *dispatch::Constant::create(on, base::DataType::kF32, shape, std::vector<std::byte>(16));
  };
  PrepareRequest plain;
  plain.contract = "gemm";
  plain.types = {{"T", base::DataType::kF32}};
  plain.attributes = {{"bias", std::int64_t{1}}};
  plain.axes = {{"N", 4}};
  plain.constants = {{"B", constant(*device, {4})}};
  std::set<std::string> names = {choice_name(*device, plain)};
  const auto expect_new = [&](const core::Device& on, const PrepareRequest& request,
                              const char* what) {
    EXPECT_TRUE(names.insert(choice_name(on, request)).second) << what;
  };
  const auto changed = [&](const char* what, const std::function<void(PrepareRequest&)>& change) {
    PrepareRequest request = plain;
    change(request);
    expect_new(*device, request, what);
  };
  expect_new(*other_device, plain, "device");
  changed("contract", [](auto& r) { r.contract = "gemn"; });
  changed("types", [](auto& r) { r.types["T"] = base::DataType::kF16; });
  changed("attribute", [](auto& r) { r.attributes["bias"] = std::int64_t{0}; });
  changed("kind of attribute", [](auto& r) { r.attributes["bias"] = 1.0; });
  changed("axis", [](auto& r) { r.axes[0].value = 5; });
  changed("axis name", [](auto& r) { r.axes[0].name = "M"; });
  changed("bound", [](auto& r) { r.axes.push_back({"M", 1}); });
  changed("kernel", [](auto& r) { r.kernel = "gemm_rows_cpu"; });
  changed("empty kernel", [](auto& r) { r.kernel = ""; });
  changed("reference", [](auto& r) { r.allow_reference = true; });
  changed("no constant", [](auto& r) { r.constants.clear(); });
  changed("tensor", [](auto& r) { r.constants[0].first = "A"; });
  changed("shape", [&](auto& r) { r.constants[0].second = constant(*device, {2, 2}); });
  changed("place", [&](auto& r) { r.constants[0].second = constant(*other_device, {4}); });
  PrepareRequest same = plain;
  same.constants[0].second = constant(*device, {4});
  EXPECT_EQ(choice_name(*device, plain), choice_name(*device, same));
}

}  // namespace
}  // namespace halyard::selection
