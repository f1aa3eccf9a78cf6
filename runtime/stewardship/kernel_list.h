// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/stewardship/stewarded_store.h"

#include <string>

namespace halyard::stewardship {

// The "halyard.kernels/1" document of the bundled and stored kernels of a contract, or of all for
// an empty name. Errors: kNotFound for an unknown contract; those of the store.
base::Result<std::string> kernels_json(const StewardedStore& stewarded,
                                       const std::string& contract);

// The "halyard.kernel-detail/1" document. Errors: as find_kernel().
base::Result<std::string> kernel_detail_json(const StewardedStore& stewarded,
                                             const std::string& kernel);

}  // namespace halyard::stewardship
