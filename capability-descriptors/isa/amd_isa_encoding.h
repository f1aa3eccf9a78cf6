// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/amd_isa_element.h"

namespace halyard::isa {

// Reads the Encoding children of `list` into set.encodings, and their names into `names`.
void read_encodings(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                    NameIndex& names, ImportFindings& findings);

}  // namespace halyard::isa
