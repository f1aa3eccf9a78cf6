// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/result.h"

#include <string>
#include <string_view>

namespace halyard::isa {

inline constexpr std::string_view kInstructionSetFormat = "halyard.instruction_set/1";

// Reads a "halyard.instruction_set/1" document (capability-descriptors/schema/). Indices of the
// result are within their tables.
// Errors: kCorruptData, with the source, line and column or JSON pointer.
base::Result<InstructionSet> parse_instruction_set(std::string_view text,
                                                   std::string_view source_name);

// The document of `set`, deterministic: equal sets give equal bytes.
std::string write_instruction_set(const InstructionSet& set);

}  // namespace halyard::isa
