// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/core/backend_set.h"

#include <span>

namespace halyard {

// All backends of this build, in the order in which devices are listed.
std::span<const core::NamedBackendFactory> backend_table();

}  // namespace halyard
