// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/descriptor.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::services {

// The "halyard.descriptor_value/1" document of one key. A value that no source gives is known =
// false and no error.
// Errors: kNotFound, with the nearest name, for a key that is neither a known one nor one of
// the descriptor's own.
base::Result<std::string> query_capability(const descriptors::Descriptor& descriptor,
                                           std::string_view key);

}  // namespace halyard::services
