// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/operators/contract.h"
#include "runtime/verification/runner.h"
#include "runtime/verification/verdict.h"

#include <optional>

namespace halyard::verification {

// Makes the launch of a counter-example once more, with either end of the tensors fenced, and gives
// what is wrong with it.
// Errors: INVALID_ARGUMENT for a launch or inputs that the contract does not have; the runner's.
base::Result<std::optional<Finding>> launch_counter_example(
    Runner& runner, const base::Ref<const operators::Contract>& contract,
    const CounterExample& example);

}  // namespace halyard::verification
