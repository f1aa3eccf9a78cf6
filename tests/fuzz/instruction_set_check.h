// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

namespace halyard::fuzz {

// Whether a set that an importer gave out is fit for all that follows: it can be written and read
// again, and a decoder can be made of it. Ends the process where not.
void check_instruction_set(const isa::InstructionSet& set);

}  // namespace halyard::fuzz
