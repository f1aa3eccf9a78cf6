// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/device.h"
#include "runtime/selection/candidate.h"
#include "runtime/selection/request.h"

#include <span>
#include <string>

namespace halyard::selection {

// The halyard.explanation/1 document: the request, and each candidate with its verdict and reason.
std::string explanation_json(const core::Device& device, const BoundRequest& request,
                             std::span<const Candidate> candidates, bool takes_reference);

// Why nothing can run, in one sentence for NO_KERNEL.
std::string refusal_sentence(const core::Device& device, const BoundRequest& request,
                             std::span<const Candidate> candidates);

// The halyard.request/1 document that asks for the missing kernel. Holds nothing secret.
std::string request_json(const core::Device& device, const BoundRequest& request);

}  // namespace halyard::selection
