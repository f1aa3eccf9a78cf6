// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/explanation.h"

#include "runtime/base/json.h"
#include "tests/unit/runtime/selection/selection_fixture.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>

namespace halyard::selection {
namespace {

namespace json = boost::json;

class ExplanationTest : public SelectionTest {
 protected:
  void SetUp() override {
    SelectionTest::SetUp();
    instance_ = make_instance();
    device_ = cpu(*instance_);
    PrepareRequest request = norm_request();
    request.axes.push_back({"batch", 12});
    auto bound = bind_request(*instance_, *device_, request);
    ASSERT_TRUE(bound) << bound.error().message();
    request_ = std::make_unique<BoundRequest>(std::move(*bound));
    const auto bundled = instance_->bundle().kernels("rms_norm");
    ASSERT_TRUE(bundled) << bundled.error().message();
    kernel_ = &(*bundled)->kernels.front();
  }

  Candidate candidate(std::string target, CandidateVerdict verdict, std::string reason) const {
    Candidate made;
    made.kernel = kernel_;
    made.target = std::move(target);
    made.verdict = verdict;
    made.reason = std::move(reason);
    return made;
  }
  json::value explanation(std::span<const Candidate> candidates, bool takes_reference) const {
    const std::string text = explanation_json(*device_, *request_, candidates, takes_reference);
    auto parsed = base::parse_json(text, "explanation");
    EXPECT_TRUE(parsed) << text;
    return *parsed;
  }

  base::Ref<Instance> instance_;
  base::Ref<core::Device> device_;
  std::unique_ptr<BoundRequest> request_;
  const store::BuiltKernel* kernel_ = nullptr;
};

TEST_F(ExplanationTest, HoldsTheRequestAndEveryCandidate) {
  const Candidate candidates[] = {
      candidate("x86_64-v3", CandidateVerdict::kChosen, "It is the best."),
      candidate("x86_64-v2", CandidateVerdict::kOutranked, "It is not."),
      candidate("x86_64-v4", CandidateVerdict::kRefused, "It is missing.")};
  const json::value document = explanation(candidates, false);
  EXPECT_EQ("halyard.explanation/1", document.at("format").as_string());
  EXPECT_EQ("rms_norm@1.0.0", document.at("contract").as_string());
  EXPECT_EQ("cpu:0", document.at("device").as_string());
  EXPECT_EQ("f32", document.at("types").at("T").as_string());
  EXPECT_EQ(64, document.at("axes").at("hidden").to_number<int>());
  EXPECT_EQ(12, document.at("launch_bounds").at("batch").to_number<int>());
  EXPECT_EQ(1e-5, document.at("attributes").at("epsilon").to_number<double>());
  EXPECT_FALSE(document.at("reference").as_bool());
  EXPECT_EQ("x86_64-v3", document.at("chosen").at("target").as_string());
  const json::array& list = document.at("candidates").as_array();
  ASSERT_EQ(3U, list.size());
  EXPECT_EQ("outranked", list[1].at("verdict").as_string());
  EXPECT_EQ("It is missing.", list[2].at("reason").as_string());
  EXPECT_EQ("bundled", list[2].at("origin").as_string());
}

TEST_F(ExplanationTest, WithoutAChoiceChosenIsNull) {
  const json::value document = explanation({}, true);
  EXPECT_TRUE(document.at("chosen").is_null());
  EXPECT_TRUE(document.at("reference").as_bool());
}

TEST_F(ExplanationTest, RefusalNamesTheFirstReasons) {
  std::vector<Candidate> candidates;
  for (const char* target : {"x86_64-v4", "x86_64-v3", "x86_64-v2", "x86_64-v1"}) {
    candidates.push_back(candidate(target, CandidateVerdict::kRefused, "It is missing."));
  }
  const std::string name = kernel_->package.record.name;
  EXPECT_EQ("No kernel of rms_norm for T = f32 can run on device cpu:0. " + name +
                " (x86_64-v4): It is missing. " + name + " (x86_64-v3): It is missing. " + name +
                " (x86_64-v2): It is missing.",
            refusal_sentence(*device_, *request_, candidates));
}

TEST_F(ExplanationTest, RefusalWithoutCandidatesSaysWhetherOneWasAskedFor) {
  EXPECT_EQ(
      "No kernel of rms_norm for T = f32 can run on device cpu:0; the store has none for its "
      "targets.",
      refusal_sentence(*device_, *request_, {}));
  request_->kernel = "nothing";
  EXPECT_EQ(
      "No kernel of rms_norm for T = f32 can run on device cpu:0; there is none called \"nothing\" "
      "for it.",
      refusal_sentence(*device_, *request_, {}));
}

TEST_F(ExplanationTest, RequestNamesTheKindOfDeviceOnly) {
  const auto document = base::parse_json(request_json(*device_, *request_), "request");
  ASSERT_TRUE(document);
  EXPECT_EQ("halyard.request/1", document->at("format").as_string());
  EXPECT_EQ(device_->info().fingerprint, document->at("fingerprint").as_string());
  EXPECT_EQ(nullptr, document->as_object().if_contains("device"));
}

}  // namespace
}  // namespace halyard::selection
