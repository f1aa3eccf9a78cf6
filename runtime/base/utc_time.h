// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halyard::base {

// This moment in seconds, as records and results hold it: "2026-02-03T04:05:06Z".
std::string utc_now();

}  // namespace halyard::base
