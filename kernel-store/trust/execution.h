// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_state.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/policy.h"

#include <string>
#include <string_view>

namespace halyard::store {

// What is known of a kernel at a place when it is asked to run there.
struct ExecutionFacts {
  std::string_view kernel_name;
  bool bundled = false;
  CodePlace place = CodePlace::kThisProcess;
  KernelState state = KernelState::kCandidate;  // In force at the place, by this store's history.
  // An entry of this store's own history, in force at the place, says verified or promoted, and
  // is_key_name() does not hold of who says so. Evidence alone does not tell: anyone can write it.
  bool verified_here = false;
  const ApprovalStanding* approvals = nullptr;  // Null stands for none.
  // The binary that is to run; null when it is not known yet. An approval that names binaries is of
  // those alone.
  const Digest* build = nullptr;
  // What it rests on is of another driver or toolchain, which this says: "driver mesa 22.3.6".
  // Empty when it is not stale.
  std::string_view stale;
};

enum class ExecutionOutcome : std::uint8_t {
  kRun,
  kSelfTestFirst,  // Runs once a self-test under the present driver has passed.
  kVerifyFirst,    // Refused until it is verified again.
  kRefused,
};

struct ExecutionDecision {
  ExecutionOutcome outcome = ExecutionOutcome::kRefused;
  std::string reason;  // One sentence.
};

// Whether `policy` lets a kernel run. Pure.
ExecutionDecision decide_execution(const Policy& policy, const ExecutionFacts& facts);

}  // namespace halyard::store
