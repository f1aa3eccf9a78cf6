// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/dispatch/operation.h"
#include "runtime/operators/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace halyard::selection {

class Instance;

// What an application asks to have prepared.
struct PrepareRequest {
  std::string contract;
  operators::TypeBindings types;
  operators::Attributes attributes;
  std::vector<operators::AxisValue> axes;  // of every kind; bounds for launch and device axes
  std::vector<std::pair<std::string, base::Ref<dispatch::Constant>>> constants;
  std::optional<std::string> kernel;  // id, 8 or more leading digits of it, or name
  bool allow_reference = false;
  bool assume_constants = false;  // explain() only: tensors that may be constant count as bound
};

// The request checked against its contract.
struct BoundRequest {
  operators::Problem problem;
  dispatch::ConstantTable constants;
  dispatch::AxisBounds bounds;                     // contract's maxima where none is given
  std::vector<std::optional<std::int64_t>> hints;  // bounds as given, in launch order
  std::optional<std::string> kernel;
  bool allow_reference = false;
  bool assume_constants = false;
};

// Errors: NOT_FOUND for an unknown contract; INVALID_ARGUMENT for everything else that is wrong.
base::Result<BoundRequest> bind_request(Instance& instance, const core::Device& device,
                                        const PrepareRequest& request);

}  // namespace halyard::selection
