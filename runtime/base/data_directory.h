// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/environment.h"
#include "runtime/base/result.h"

#include <string>

namespace halyard::base {

// The directory of bundled contracts, kernels and descriptors: the configured one, else "halyard"
// beside the file of the library that this function is linked into. Both libraries are installed
// into one folder.
// Errors: NOT_FOUND naming the paths that were tried.
Result<std::string> find_data_directory(const Configuration& configuration);

}  // namespace halyard::base
