// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "capability-descriptors/isa/json_list.h"

#include <string>

namespace halyard::isa {

// In documents, letters say how an operand is used: i input, o output, h implicit, m in the
// microcode.
std::string operand_flags(const Operand& operand);
base::Status read_operand_flags(const JsonList& list, std::size_t index, Operand& operand);

}  // namespace halyard::isa
