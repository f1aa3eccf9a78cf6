// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/operators/problem.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/instance.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::selection {

// Whether what is found on the device says nothing of a device that exists.
bool is_emulated(const core::Device& device);

// A record by `verifier` about `candidate` on `device`, of now; it has found nothing yet.
store::EvidenceRecord new_evidence(const core::Device& device, const Candidate& candidate,
                                   store::EvidenceKind kind, std::string verifier);

// What the store holds of `kind` about just this use: kernel, target, types, parameters, toolchain,
// device and driver; the newest first. Errors: those of the store.
base::Result<std::vector<store::EvidenceRecord>> stored_evidence(Instance& instance,
                                                                 const core::Device& device,
                                                                 const Candidate& candidate,
                                                                 store::EvidenceKind kind);

// The problem's prepare axes and these launch axes, by name.
store::AxisValues axis_values(const operators::Problem& problem,
                              std::span<const std::int64_t> launch_axes);
// "batch = 3, hidden = 64".
std::string axes_text(const store::AxisValues& axes);

// Every attribute of the problem, as evidence and explanations hold it.
boost::json::object attribute_values(const operators::Problem& problem);

}  // namespace halyard::selection
