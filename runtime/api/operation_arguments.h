// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/operation.h"

#include "runtime/base/result.h"
#include "runtime/dispatch/launch.h"
#include "runtime/dispatch/operation.h"
#include "runtime/selection/request.h"

#include <array>
#include <cstdint>

namespace halyard::api {

// The description of an operation, copied into values of ours.
base::Result<selection::PrepareRequest> read_operation_desc(const halyard_operation_desc* desc);

// A launch record in the form of the layers below. Borrows what `launch` borrows.
class LaunchArguments {
 public:
  // Errors: INVALID_ARGUMENT. Allocates nothing on success.
  base::Status read(const halyard_launch* launch, const operators::Contract& contract);

  const dispatch::Launch& launch() const { return launch_; }

 private:
  std::array<dispatch::TensorView, operators::kMaxTensors> views_;
  std::array<std::uint64_t, operators::kMaxScalars> scalars_;
  dispatch::Launch launch_;
};

}  // namespace halyard::api
