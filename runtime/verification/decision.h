// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_state.h"
#include "runtime/verification/verdict.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace halyard::verification {

// The module that decides about trust. It sees what the stages found, and nothing else: no file, no
// clock, no process.

// One stage as it ended. A stage without a finding, that ran to its end, has passed.
struct StageResult {
  Stage stage = Stage::kManifest;
  bool is_complete = false;
  std::optional<Finding> finding;
};

// Of what a verification must consist before anything is accepted.
struct DecisionRules {
  bool accepts_reduced = true;  // isolation "reduced" is enough
  bool accepts_none = false;    // even "none"; only where the user has lowered it
};

// What the verifier says about the package.
struct Decision {
  VerdictClass verdict = VerdictClass::kUndecided;
  std::optional<Finding> finding;  // the reason; absent when accepted
};

// Accepts only when manifest, build, conformance, numerics and stability are each there once,
// complete and without a finding, no other stage has one, and the isolation is enough. The first
// finding in the order of the stages is the reason for a refusal, and an incomplete stage leaves it
// undecided.
Decision decide(std::span<const StageResult> stages, store::Isolation isolation,
                const DecisionRules& rules);

// A candidate against the incumbent in one bucket of shapes, from paired samples.
struct BucketComparison {
  std::string bucket;
  double speedup = 1;      // median of incumbent time over candidate time; above 1 is faster
  double noise = 0;        // spread of the same ratio, incumbent against itself
  double p_value = 1;      // of the candidate not being faster, paired
  bool is_honest = false;  // outputs of timed launches are right, and no floor was undercut
};

enum class PromotionAnswer : std::uint8_t { kPromote, kKeepVerified, kQuarantine };

struct PromotionDecision {
  PromotionAnswer answer = PromotionAnswer::kKeepVerified;
  std::string reason;
  std::vector<std::string> buckets;  // in which the candidate is promoted
};

// DESIGN §5: hardware evidence only; better beyond the noise in at least one bucket, worse in none
// by more than 2 % or the noise, whichever is more. A bucket whose time is not honest quarantines.
PromotionDecision decide_promotion(const Decision& decision, store::EvidenceKind kind,
                                   std::span<const BucketComparison> buckets);

}  // namespace halyard::verification
