// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/selection/instance.h"

#include <optional>
#include <string>
#include <string_view>

namespace halyard::selection {

// The halyard.kernels/1 document: the bundled and stored kernels of a contract, or of all.
base::Result<std::string> kernels_json(Instance& instance,
                                       const std::optional<std::string>& contract);

// The halyard.kernel-detail/1 document of the kernel with this id, 8 or more leading digits of it,
// or name. Errors: NOT_FOUND; INVALID_ARGUMENT when several match.
base::Result<std::string> kernel_detail_json(Instance& instance, std::string_view kernel);

}  // namespace halyard::selection
