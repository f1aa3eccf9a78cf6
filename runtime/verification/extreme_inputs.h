// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/verification/input_family.h"

namespace halyard::verification {

// Whether values are known with which a careless formula for the contract overflows, cancels or
// rounds twice.
bool has_extremes(const operators::Contract& contract);

// Puts such values over the random ones of a launch.
void fill_extremes(const InputLaunch& launch, std::span<const operators::WritableTensor> tensors);

}  // namespace halyard::verification
