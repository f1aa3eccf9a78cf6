// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_record.h"
#include "runtime/core/capability.h"

#include <optional>
#include <string>

namespace halyard::selection {

// Why a device does not meet a requirement, as a sentence; nothing when it does. An unknown value
// does not meet any.
std::optional<std::string> unmet_reason(const store::Requirement& requirement,
                                        const core::CapabilitySet& capabilities);

}  // namespace halyard::selection
