// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"
#include "runtime/selection/stored_kernel.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::selection {

enum class CandidateVerdict : std::uint8_t { kEligible, kRefused, kOutranked, kChosen };

// A kernel for one target, and what selection makes of it.
struct Candidate {
  const store::BuiltKernel* kernel = nullptr;  // of the bundle, or within `stored`
  base::Ref<const StoredKernel> stored;        // null for a bundled kernel
  const store::KernelBuild* build = nullptr;   // null when refused for want of one
  std::string target;
  std::uint32_t target_rank = 0;  // place in the device's list, best first
  store::TypeBinding types;
  store::ParameterValues parameters;
  store::KernelState state = store::KernelState::kCandidate;  // where it is asked for
  std::string stale;  // what its evidence is of, when not of this driver and toolchain
  std::string note;   // one sentence about state or evidence; may be empty
  CandidateVerdict verdict = CandidateVerdict::kEligible;
  std::string reason;  // one sentence: why refused, outranked or chosen
};

// Every (kernel, target) of the request's contract in the bundle and the store, refused or eligible
// by everything that is known without running it, the policy, the trusted keys and the lock file
// included; eligible ones first, best first. What of the bundle or the store cannot be read is left
// out and logged. Errors: those of RuleFiles::current() and hold_to_lock().
base::Result<std::vector<Candidate>> find_candidates(Instance& instance, const core::Device& device,
                                                     const BoundRequest& request);

// Whether two candidates rank alike, so that only a measurement can tell them apart.
bool rank_alike(const Candidate& a, const Candidate& b);

// Names kernel, target, types, parameters, device and driver.
std::string use_key(const Candidate& candidate, const core::Device& device);

}  // namespace halyard::selection
