// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "kernel-store/kernel_record.h"
#include "runtime/operators/problem.h"
#include "runtime/verification/conformance/finding_list.h"

#include <cstdint>
#include <vector>

namespace halyard::verification {

// A kernel, its parameters at their defaults, on one problem.
struct StageValues {
  const store::KernelRecord& record;
  const operators::Problem& problem;
  const std::vector<std::int64_t>& launch_axes;
  const descriptors::CapabilitySet* capabilities;  // may be null
};

// Compiles every expression of the kernel, and where its conditions hold here evaluates them: adds
// a finding for one that does not compile, has no value, or has one that no launch takes. Whether
// the conditions hold; false too after a finding.
bool check_stage_values(const StageValues& values, FindingList& findings);

}  // namespace halyard::verification
