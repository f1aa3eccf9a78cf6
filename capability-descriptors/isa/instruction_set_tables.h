// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/json.h"

namespace halyard::isa {

// Reads the tables of a "halyard.instruction_set/1" document that stand before the instructions:
// data formats, operand types and encodings.
base::Status read_tables(const base::JsonObject& document, InstructionSet& set);

}  // namespace halyard::isa
