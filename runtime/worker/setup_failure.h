// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halyard::worker {

// A step of confinement that the system refuses: what was tried, and errno.
struct SetupFailure {
  std::string step;  // "open \"/x\" for Landlock"
  int code = 0;
};

}  // namespace halyard::worker
