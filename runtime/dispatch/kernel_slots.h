// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/base/result.h"
#include "runtime/core/device.h"
#include "runtime/operators/problem.h"
#include "runtime/operators/slot_table.h"

#include <span>
#include <string>
#include <vector>

namespace halyard::dispatch {

inline constexpr std::size_t kMaxKernelSlots = 96;

// The problem's slots, extended by the kernel's parameters and by each `device.<capability>` that
// an expression of the kernel names.
// Errors: UNSUPPORTED for a capability whose value is unknown; INVALID_ARGUMENT for too many names.
base::Result<operators::SlotTable> make_kernel_slots(const operators::Problem& problem,
                                                     const store::KernelRecord& record,
                                                     const store::ParameterValues& parameters,
                                                     const core::Device& device);

// All expressions of a kernel, as text.
std::vector<std::string> expression_texts(const store::KernelRecord& record);

}  // namespace halyard::dispatch
