// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"

#include <string>

namespace halyard::services {

// The "halyard.descriptor_diff/1" document of two descriptors or two instruction sets.
// Errors: kInvalidArgument, naming both, for one of each.
base::Result<std::string> compare_subjects(const Subject& left, const Subject& right);

}  // namespace halyard::services
