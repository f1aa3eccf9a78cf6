// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/operation.h"
#include "runtime/operators/problem.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/instance.h"

namespace halyard::selection {

// The candidate's build, its bytes checked against their recorded hash, loaded for `problem`.
base::Result<base::Ref<dispatch::LaunchPlan>> load_plan(Instance& instance, core::Device& device,
                                                        const Candidate& candidate,
                                                        const operators::Problem& problem);

// The choice of `candidate` with its plan loaded; the explanation is left empty.
base::Result<base::Ref<dispatch::KernelChoice>> load_choice(Instance& instance,
                                                            core::Device& device,
                                                            const Candidate& candidate,
                                                            const operators::Problem& problem);

}  // namespace halyard::selection
