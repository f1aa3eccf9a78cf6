// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/selection/instance.h"

#include <string>

namespace halyard::selection {

// The halyard.doctor/1 document: version, settings with their origins, data directory, store,
// backends with their devices or the reason for having none. Enumerates all backends.
std::string report_json(Instance& instance);

}  // namespace halyard::selection
