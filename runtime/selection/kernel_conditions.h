// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/core/device.h"
#include "runtime/operators/problem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace halyard::selection {

// Why a kernel does not serve a problem, by the attributes and the conditions of its record;
// nothing when it does. A condition over a launch axis that has no value here is a guard of each
// launch.
std::optional<std::string> unserved_reason(const store::KernelRecord& record,
                                           const store::ParameterValues& parameters,
                                           const operators::Problem& problem,
                                           std::span<const std::optional<std::int64_t>> launch_axes,
                                           const core::Device& device);

}  // namespace halyard::selection
