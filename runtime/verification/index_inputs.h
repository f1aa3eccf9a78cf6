// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/input_family.h"

namespace halyard::verification {

// Whether a contract has inputs that hold indices.
bool has_indices(const operators::Contract& contract);

// The edges of what a contract allows in its index tensors: descending and repeated entries, and
// ragged lengths where sequences have them.
void order_indices(const InputLaunch& launch, std::span<const operators::WritableTensor> tensors);

// Puts indices below and above their range into the index tensors; the contract's rule "masked"
// says what they mean.
void mask_indices(const InputLaunch& launch, std::span<const operators::WritableTensor> tensors);

}  // namespace halyard::verification
