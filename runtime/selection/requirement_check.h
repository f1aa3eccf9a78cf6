// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/core/device.h"

#include <optional>
#include <string>

namespace halyard::selection {

// Why a device does not meet a requirement, as a sentence; nothing when it does. An unknown value
// does not meet any, nor does one that Device::fact_for_kernels() leaves out.
std::optional<std::string> unmet_reason(const store::Requirement& requirement,
                                        const core::Device& device);

}  // namespace halyard::selection
