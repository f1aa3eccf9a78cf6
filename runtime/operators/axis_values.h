// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/operators/contract.h"

#include <span>
#include <string>
#include <vector>

namespace halyard::operators {

struct AxisSplit {
  std::vector<AxisValue> prepare;
  std::vector<AxisValue> launch;  // Launch and device axes.
};

// Sorts named axes of any kind into those of create() and those of launch_values() of a problem.
// Errors: INVALID_ARGUMENT for a name that the contract does not know.
base::Result<AxisSplit> split_axes(const Contract& contract, std::span<const AxisValue> axes);

// The values of the axes `wanted` (indices into contract.axes()), in that order. Names may be
// aliases. Errors: INVALID_ARGUMENT for an unknown name, an axis of another kind, one given twice
// or left out, and a value outside its bounds.
base::Result<std::vector<std::int64_t>> order_axis_values(const Contract& contract,
                                                          std::span<const std::uint32_t> wanted,
                                                          std::span<const AxisValue> axes);

// Errors: INVALID_ARGUMENT when `value` is outside the bounds of `axis`.
base::Status check_axis_value(const Contract& contract, const ContractAxis& axis,
                              std::int64_t value);

// Every problem of a workload: all axes of the contract in contract order, lists multiplied out and
// expressions evaluated. Errors: INVALID_ARGUMENT for an expression that cannot be evaluated.
base::Result<std::vector<std::vector<AxisValue>>> expand_workload(const Contract& contract,
                                                                  const Workload& workload);

}  // namespace halyard::operators
