// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"
#include "runtime/base/json.h"

#include <string_view>
#include <vector>

namespace halyard::isa {

// The index of the element of `table` with this name, or kNoIndex.
template <typename Named>
std::uint32_t index_of(const std::vector<Named>& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<std::uint32_t>(i);
  }
  return kNoIndex;
}

// Reads the tables of a "halyard.instruction_set/1" document that stand before the instructions:
// data formats, operand types and encodings.
base::Status read_tables(const base::JsonObject& document, InstructionSet& set);

}  // namespace halyard::isa
