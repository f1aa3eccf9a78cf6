// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/instance.h"
#include "runtime/selection/request.h"

#include <span>
#include <vector>

namespace halyard::selection {

// The fastest of candidates that rank alike and have passed their self-tests, by measurement on
// this device at the request's axes (launch axes at their bounds where given, else small). What was
// measured is kept as evidence and found there the next time. Reasons of the candidates tell the
// times. A problem too large to try without the application's constants is not measured: then the
// first candidate is taken, and its reason says so.
base::Result<Candidate*> fastest(Instance& instance, core::Device& device,
                                 const BoundRequest& request, std::span<Candidate*> candidates);

}  // namespace halyard::selection
