// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/verification/build_stage.h"
#include "runtime/verification/package_verification.h"
#include "runtime/verification/supervised_runner.h"

#include <chrono>
#include <optional>

namespace halyard::verification {

// What the stage of timing is about: one build of the candidate.
struct TimingStageDesc {
  const VerifiedDevice* device = nullptr;
  const VerificationSetting* setting = nullptr;
  const store::KernelRecord* record = nullptr;
  const BuiltCode* candidate = nullptr;
  const CandidateDesc* runner = nullptr;  // of the candidate; the incumbent's is made alike
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::uint64_t seed = 0;
};

struct TimingStageResult {
  TimingReport report;
  std::vector<BucketComparison> comparisons;  // none without an incumbent
  std::optional<Finding> finding;
};

// Times the candidate beside the kernel that would run today, over a few visible workloads of the
// contract from small to large, each a bucket. Past the deadline the finding is kUndecided. Errors:
// UNAVAILABLE; what the incumbent answers.
base::Result<TimingStageResult> run_timing(const TimingStageDesc& desc);

}  // namespace halyard::verification
