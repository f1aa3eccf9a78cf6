// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/decision.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace halyard::verification {
namespace {

constexpr std::array kRequired = {Stage::kManifest, Stage::kBuild, Stage::kConformance,
                                  Stage::kNumerics, Stage::kStability};
constexpr double kLeastLoss = 0.02;
constexpr double kMostLuck = 0.01;

Decision undecided(Stage stage, std::string sentence) {
  return {VerdictClass::kUndecided,
          Finding{stage, VerdictClass::kUndecided, std::move(sentence), std::nullopt}};
}

bool is_enough(store::Isolation isolation, const DecisionRules& rules) {
  switch (isolation) {
    case store::Isolation::kFull:
      return true;
    case store::Isolation::kReduced:
      return rules.accepts_reduced;
    case store::Isolation::kNone:
      break;
  }
  return rules.accepts_none;
}

bool is_measured(const BucketComparison& bucket) {
  return std::isfinite(bucket.speedup) && bucket.speedup > 0 && std::isfinite(bucket.noise) &&
         bucket.noise >= 0 && std::isfinite(bucket.p_value);
}

}  // namespace

Decision decide(std::span<const StageResult> stages, store::Isolation isolation,
                const DecisionRules& rules) {
  for (const Stage stage : kRequired) {
    const auto is_it = [&](const StageResult& result) { return result.stage == stage; };
    const auto found = std::find_if(stages.begin(), stages.end(), is_it);
    if (found == stages.end() || std::count_if(stages.begin(), stages.end(), is_it) != 1) {
      return undecided(stage, base::concat("Stage ", stage_name(stage), " has not run once."));
    }
    if (found->finding) {
      // A finding that says "accept" is none that this module knows.
      if (found->finding->verdict == VerdictClass::kAccept) {
        return undecided(stage, base::concat("Stage ", stage_name(stage), " contradicts itself."));
      }
      return {found->finding->verdict, found->finding};
    }
    if (!found->is_complete) {
      return undecided(stage, base::concat("Stage ", stage_name(stage), " did not end."));
    }
  }
  // Whatever else has run speaks too, such as the stage of timing.
  for (const StageResult& result : stages) {
    if (!result.finding) continue;
    if (result.finding->verdict == VerdictClass::kAccept) {
      return undecided(result.stage,
                       base::concat("Stage ", stage_name(result.stage), " contradicts itself."));
    }
    return {result.finding->verdict, result.finding};
  }
  if (!is_enough(isolation, rules)) {
    return undecided(Stage::kDecision, "The isolation of the candidate was not enough.");
  }
  return {VerdictClass::kAccept, std::nullopt};
}

PromotionDecision decide_promotion(const Decision& decision, store::EvidenceKind kind,
                                   std::span<const BucketComparison> buckets) {
  if (decision.verdict != VerdictClass::kAccept) {
    return {PromotionAnswer::kKeepVerified, "The package is not accepted.", {}};
  }
  if (kind != store::EvidenceKind::kHardware) {
    return {PromotionAnswer::kKeepVerified, "Only evidence from hardware promotes.", {}};
  }
  PromotionDecision result;
  for (const BucketComparison& bucket : buckets) {
    if (!bucket.is_honest || !is_measured(bucket)) {
      return {PromotionAnswer::kQuarantine,
              base::concat("The time in bucket ", bucket.bucket, " cannot be trusted."),
              {}};
    }
    const double loss = 1 - bucket.speedup;
    if (loss > std::max(kLeastLoss, bucket.noise)) {
      return {PromotionAnswer::kKeepVerified,
              base::concat("It is slower in bucket ", bucket.bucket, ": ", bucket.speedup,
                           " times the incumbent's speed, with a noise of ", bucket.noise, "."),
              {}};
    }
    if (bucket.speedup - 1 > bucket.noise && bucket.p_value < kMostLuck) {
      result.buckets.push_back(bucket.bucket);
    }
  }
  if (result.buckets.empty()) {
    result.reason = "It is faster than the incumbent in no bucket beyond the noise.";
    return result;
  }
  result.answer = PromotionAnswer::kPromote;
  result.reason = base::concat("It is faster beyond the noise in ", base::join(result.buckets),
                               " and slower nowhere.");
  return result;
}

}  // namespace halyard::verification
