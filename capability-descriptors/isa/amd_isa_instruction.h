// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/amd_isa_element.h"

namespace halyard::isa {

// The tables that instructions name.
struct ReferencedNames {
  NameIndex encodings;
  NameIndex data_formats;
  NameIndex operand_types;
  NameIndex groups;
  NameIndex subgroups;
  bool lists_groups = false;
  bool lists_subgroups = false;
};

// Reads the Instruction children of `list` into set.instructions. A name that no table holds, a
// name that stands twice and an opcode that two instructions share are found.
void read_instructions(const pugi::xml_node& list, const ElementPath& path,
                       const ReferencedNames& names, InstructionSet& set, ImportFindings& findings);

}  // namespace halyard::isa
