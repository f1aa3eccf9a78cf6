// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/dispatch/launch.h"
#include "runtime/operators/problem.h"

#include <span>

namespace halyard::dispatch {

// Checks `view` against the contract's tensor and fills `out`: device, alignment, stride rule, and
// that every element lies inside the view and the view inside its buffer.
// Errors: INVALID_ARGUMENT naming the tensor and the numbers. Allocates nothing on success.
base::Status bind_view(const core::Device& device, const operators::ContractTensor& tensor,
                       const operators::TensorShape& shape, const TensorView& view,
                       BoundTensor& out);

// Checks that no output shares bytes with another tensor, unless the contract lets the two alias
// and they coincide, or their rows interleave without touching.
// Errors: INVALID_ARGUMENT naming both tensors. Allocates nothing on success.
base::Status check_overlaps(const operators::Contract& contract, const BoundLaunch& bound);

}  // namespace halyard::dispatch
