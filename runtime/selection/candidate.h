// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_state.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace halyard::selection {

enum class CandidateVerdict : std::uint8_t { kEligible, kRefused, kOutranked, kChosen };

// A kernel for one target, and what selection makes of it.
struct Candidate {
  const store::BundledKernel* kernel = nullptr;  // lives as long as the instance
  const store::BundledBuild* build = nullptr;    // null when refused for want of one
  std::string target;
  std::uint32_t target_rank = 0;  // place in the device's list, best first
  store::TypeBinding types;
  store::ParameterValues parameters;
  store::KernelState state = store::KernelState::kCandidate;
  CandidateVerdict verdict = CandidateVerdict::kEligible;
  std::string reason;  // one sentence: why refused, outranked or chosen
};

// Every (kernel, target) of the request's contract, refused or eligible by everything that is known
// without running it; eligible ones first, best first.
base::Result<std::vector<Candidate>> find_candidates(Instance& instance, const core::Device& device,
                                                     const BoundRequest& request);

// Whether two candidates rank alike, so that only a measurement can tell them apart.
bool rank_alike(const Candidate& a, const Candidate& b);

// Names kernel, target, types, parameters, device and driver.
std::string use_key(const Candidate& candidate, const core::Device& device);

}  // namespace halyard::selection
