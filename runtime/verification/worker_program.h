// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <string>

namespace halyard::verification {

// The program of the worker as it was installed with the library that this function is linked into:
// libexec/halyard/halyard-worker under the same prefix.
// Errors: NOT_FOUND naming the paths that were tried.
base::Result<std::string> find_worker_program();

}  // namespace halyard::verification
