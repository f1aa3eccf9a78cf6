// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"
#include "runtime/base/result.h"

#include <string>

namespace halyard::selection {

// The directory of bundled contracts and kernels: the configured one, else "halyard" beside the
// library's own file.
// Errors: NOT_FOUND naming the paths that were tried.
base::Result<std::string> find_data_directory(const base::Configuration& configuration);

}  // namespace halyard::selection
