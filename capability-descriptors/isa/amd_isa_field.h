// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/amd_isa_element.h"

namespace halyard::isa {

// The fields of a BitMap element of `bits` bits (0: not said), each name once. A field that lies
// beyond, or that cannot be read, is left out and found.
std::vector<Field> read_fields(const pugi::xml_node& bit_map, const ElementPath& path,
                               std::uint32_t bits, ImportFindings& findings);

// The PredefinedValue children of `list`.
std::vector<NamedValue> read_named_values(const pugi::xml_node& list, const ElementPath& path,
                                          ImportFindings& findings);

}  // namespace halyard::isa
