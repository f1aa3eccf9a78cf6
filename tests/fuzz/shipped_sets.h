// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <vector>

namespace halyard::fuzz {

// The instruction sets of AMD that come with the library, corrected, in the order of the names of
// their files; read once.
// Ends the process where one cannot be read.
const std::vector<isa::InstructionSet>& shipped_sets();

}  // namespace halyard::fuzz
