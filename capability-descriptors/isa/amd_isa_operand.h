// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/amd_isa_element.h"

namespace halyard::isa {

// Reads the DataFormat children of `list` into set.data_formats.
void read_data_formats(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                       NameIndex& names, ImportFindings& findings);

// Reads the OperandType children of `list` into set.operand_types; runs of numbered registers
// become ranges.
void read_operand_types(const pugi::xml_node& list, const ElementPath& path, InstructionSet& set,
                        NameIndex& names, ImportFindings& findings);

// Moves the runs of two or more of `values` whose names are a word and ascending numbers, with
// values that ascend alike, into ranges.
std::vector<RegisterRange> fold_registers(std::vector<NamedValue>& values);

}  // namespace halyard::isa
