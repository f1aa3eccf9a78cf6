// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/decision.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

namespace halyard::verification {
namespace {

using store::EvidenceKind;
using store::Isolation;

constexpr std::array kRequired = {Stage::kManifest, Stage::kBuild, Stage::kConformance,
                                  Stage::kNumerics, Stage::kStability};

std::vector<StageResult> passed_stages() {
  std::vector<StageResult> stages;
  for (const Stage stage : kRequired)
    stages.push_back({stage, true, std::nullopt});
  return stages;
}

Finding finding(Stage stage, VerdictClass verdict) {
  return {stage, verdict, "It is wrong.", std::nullopt};
}

BucketComparison bucket(double speedup, double noise, double p_value) {
  return {"batch = 1", speedup, noise, p_value, true};
}

const Decision kAccepted{VerdictClass::kAccept, std::nullopt};

TEST(Decision, AllStagesPassedIsAccepted) {
  const Decision decision = decide(passed_stages(), Isolation::kFull, {});
  EXPECT_EQ(decision.verdict, VerdictClass::kAccept);
  EXPECT_FALSE(decision.finding);
}

TEST(Decision, NothingIsAcceptedWithoutEachStage) {
  EXPECT_EQ(decide({}, Isolation::kFull, {}).verdict, VerdictClass::kUndecided);
  for (std::size_t missing = 0; missing < kRequired.size(); ++missing) {
    std::vector<StageResult> stages = passed_stages();
    stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(missing));
    const Decision decision = decide(stages, Isolation::kFull, {});
    EXPECT_EQ(decision.verdict, VerdictClass::kUndecided);
    ASSERT_TRUE(decision.finding);
    EXPECT_EQ(decision.finding->stage, kRequired[missing]);
    EXPECT_EQ(decision.finding->sentence,
              "Stage " + std::string(stage_name(kRequired[missing])) + " has not run once.");
  }
}

TEST(Decision, StageThatRanTwiceIsUndecided) {
  std::vector<StageResult> stages = passed_stages();
  stages.push_back(stages.front());
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kUndecided);
}

TEST(Decision, IncompleteStageIsUndecided) {
  for (std::size_t at = 0; at < kRequired.size(); ++at) {
    std::vector<StageResult> stages = passed_stages();
    stages[at].is_complete = false;
    const Decision decision = decide(stages, Isolation::kFull, {});
    EXPECT_EQ(decision.verdict, VerdictClass::kUndecided);
    ASSERT_TRUE(decision.finding);
    EXPECT_EQ(decision.finding->stage, kRequired[at]);
  }
}

TEST(Decision, EachFindingRefusesWithItsClass) {
  for (const Stage stage : kRequired) {
    for (const VerdictClass verdict :
         {VerdictClass::kStatic, VerdictClass::kNumeric, VerdictClass::kBounds,
          VerdictClass::kNondet, VerdictClass::kCheat, VerdictClass::kTiming, VerdictClass::kHang,
          VerdictClass::kQuarantine, VerdictClass::kUndecided}) {
      std::vector<StageResult> stages = passed_stages();
      for (StageResult& result : stages) {
        if (result.stage == stage) result.finding = finding(stage, verdict);
      }
      EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, verdict);
    }
  }
}

TEST(Decision, FirstFindingInTheOrderOfStagesIsTheReason) {
  std::vector<StageResult> stages = passed_stages();
  stages[3].finding = finding(Stage::kNumerics, VerdictClass::kNumeric);
  stages[1].finding = finding(Stage::kBuild, VerdictClass::kStatic);
  std::swap(stages[0], stages[3]);
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kStatic);
}

TEST(Decision, FindingThatSaysAcceptIsUndecided) {
  std::vector<StageResult> stages = passed_stages();
  stages[2].finding = finding(Stage::kConformance, VerdictClass::kAccept);
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kUndecided);
}

TEST(Decision, FindingOfAnotherStageRefuses) {
  std::vector<StageResult> stages = passed_stages();
  stages.push_back({Stage::kTiming, true, std::nullopt});
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kAccept);
  stages.back().finding = finding(Stage::kTiming, VerdictClass::kCheat);
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kCheat);
  stages.back().finding = finding(Stage::kTiming, VerdictClass::kAccept);
  EXPECT_EQ(decide(stages, Isolation::kFull, {}).verdict, VerdictClass::kUndecided);
}

TEST(Decision, IsolationMustBeEnough) {
  const auto verdict = [](Isolation isolation, bool reduced, bool none) {
    return decide(passed_stages(), isolation, {reduced, none}).verdict;
  };
  EXPECT_EQ(verdict(Isolation::kFull, false, false), VerdictClass::kAccept);
  EXPECT_EQ(verdict(Isolation::kReduced, true, false), VerdictClass::kAccept);
  EXPECT_EQ(verdict(Isolation::kReduced, false, false), VerdictClass::kUndecided);
  EXPECT_EQ(verdict(Isolation::kNone, true, false), VerdictClass::kUndecided);
  EXPECT_EQ(verdict(Isolation::kNone, true, true), VerdictClass::kAccept);
  EXPECT_EQ(verdict(static_cast<Isolation>(77), true, false), VerdictClass::kUndecided);
}

TEST(Promotion, FasterBeyondTheNoisePromotesInThatBucket) {
  const std::vector<BucketComparison> buckets = {bucket(1.015, 0.005, 0.001),
                                                 bucket(1.0, 0.01, 0.5)};
  const PromotionDecision promotion = decide_promotion(kAccepted, EvidenceKind::kHardware, buckets);
  EXPECT_EQ(promotion.answer, PromotionAnswer::kPromote);
  EXPECT_EQ(promotion.buckets, std::vector<std::string>{"batch = 1"});
}

TEST(Promotion, NothingButAnAcceptedPackageIsPromoted) {
  const std::vector<BucketComparison> buckets = {bucket(2, 0.01, 0.001)};
  const Decision refused{VerdictClass::kNumeric, finding(Stage::kNumerics, VerdictClass::kNumeric)};
  EXPECT_EQ(decide_promotion(refused, EvidenceKind::kHardware, buckets).answer,
            PromotionAnswer::kKeepVerified);
}

TEST(Promotion, OnlyHardwareEvidencePromotes) {
  const std::vector<BucketComparison> buckets = {bucket(2, 0.01, 0.001)};
  for (const EvidenceKind kind :
       {EvidenceKind::kStatic, EvidenceKind::kEmulated, EvidenceKind::kSelfTest}) {
    EXPECT_EQ(decide_promotion(kAccepted, kind, buckets).answer, PromotionAnswer::kKeepVerified);
  }
}

TEST(Promotion, AsFastAsTheIncumbentIsKept) {
  EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, {}).answer,
            PromotionAnswer::kKeepVerified);
  for (const BucketComparison& one :
       {bucket(1.0, 0.01, 0.5), bucket(1.5, 0.6, 0.001), bucket(1.5, 0.01, 0.01)}) {
    EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, {&one, 1}).answer,
              PromotionAnswer::kKeepVerified);
  }
}

TEST(Promotion, SlowerInOneBucketIsKept) {
  const std::vector<BucketComparison> slower = {bucket(2, 0.01, 0.001), bucket(0.97, 0.01, 1)};
  EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, slower).answer,
            PromotionAnswer::kKeepVerified);
  const std::vector<BucketComparison> within = {bucket(2, 0.01, 0.001), bucket(0.985, 0.01, 1)};
  EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, within).answer,
            PromotionAnswer::kPromote);
  const std::vector<BucketComparison> noisy = {bucket(2, 0.01, 0.001), bucket(0.95, 0.1, 1)};
  EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, noisy).answer,
            PromotionAnswer::kPromote);
}

TEST(Promotion, TimeThatCannotBeTrustedQuarantines) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<BucketComparison> suspects = {bucket(nan, 0.01, 0.001), bucket(0, 0.01, 0.001),
                                            bucket(2, nan, 0.001),    bucket(2, -0.1, 0.001),
                                            bucket(2, 0.01, nan),     bucket(2, 0.01, 0.001)};
  suspects.back().is_honest = false;
  for (const BucketComparison& one : suspects) {
    EXPECT_EQ(decide_promotion(kAccepted, EvidenceKind::kHardware, {&one, 1}).answer,
              PromotionAnswer::kQuarantine);
  }
}

}  // namespace
}  // namespace halyard::verification
