// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::services {

// "65536", "yes", "on"; large figures with an exponent.
std::string capability_value_text(const descriptors::Capability& capability);

// The capabilities that `wanted` takes, those with one first word on one line:
//   lds (byte): bytes_per_unit 131072, granule_bytes 1024 (derived)
// A value that is neither the driver's nor documented says so.
std::vector<std::string> capability_lines(const descriptors::CapabilitySet& capabilities,
                                          const std::function<bool(std::string_view key)>& wanted);

}  // namespace halyard::services
