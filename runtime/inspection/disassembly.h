// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/inspection/catalog.h"

#include <optional>
#include <string>

namespace halyard::services {

// The code object in a file as lines for people. `target` ("gfx1100") wins over what the object
// says.
// Errors: those of base::read_text_file and of object::disassemble_object; kNotFound for a target
// that no descriptor has or whose descriptor has no instruction set.
base::Result<std::string> disassemble_file(const Catalog& catalog, const std::string& path,
                                           const std::optional<std::string>& target);

}  // namespace halyard::services
