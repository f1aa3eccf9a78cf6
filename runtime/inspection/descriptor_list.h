// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"

#include <string>

namespace halyard::services {

// The "halyard.descriptor_list/1" document. A file that cannot be read has an entry with its
// "error" and is no failure of the list. Errors: those of Catalog::read.
base::Result<std::string> list_descriptors(const Catalog& catalog);

}  // namespace halyard::services
