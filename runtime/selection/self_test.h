// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/instance.h"

#include <string>

namespace halyard::selection {

// Whether `candidate` may run on `device`: what an earlier self-test of this kernel, target, types,
// parameters, device and driver found, else what one finds now. A self-test runs the contract's
// golden vectors; its finding is recorded in the store, and a failure quarantines the kernel for
// this driver. On success the candidate's state is that of the store.
// Errors: CORRUPT_DATA with what was wrong; UNSUPPORTED where it could not be run; DEVICE_LOST.
base::Status require_self_test(Instance& instance, core::Device& device, Candidate& candidate,
                               const operators::Problem& problem);

}  // namespace halyard::selection
