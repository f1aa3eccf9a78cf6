// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/instruction_set.h"

#include <cstdint>
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

}  // namespace halyard::isa
