// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/slot_table.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::operators {

base::Result<std::uint32_t> SlotTable::add(std::string name, std::int64_t value) {
  if (slot_of(name)) {
    return base::Error(base::ErrorCode::kInvalidArgument,
                       base::concat("Name \"", name, "\" is given twice."));
  }
  names_.push_back(std::move(name));
  values_.push_back(value);
  return static_cast<std::uint32_t>(values_.size() - 1);
}

std::optional<std::uint32_t> SlotTable::slot_of(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - names_.begin());
}

std::function<std::optional<std::uint32_t>(std::string_view)> SlotTable::resolver() const {
  return [this](std::string_view name) { return slot_of(name); };
}

}  // namespace halyard::operators
