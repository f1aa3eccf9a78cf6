// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::operators {

// The names that expressions may use, each with a slot and a value. A copy may be extended: slots
// keep their numbers. Reading from any number of threads; changing from one.
class SlotTable {
 public:
  // Errors: INVALID_ARGUMENT when the name is there already.
  base::Result<std::uint32_t> add(std::string name, std::int64_t value);

  std::optional<std::uint32_t> slot_of(std::string_view name) const;
  std::size_t size() const { return values_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  std::span<const std::int64_t> values() const { return values_; }
  void set(std::uint32_t slot, std::int64_t value) { values_[slot] = value; }

  // Resolves names against this table, which outlives the function.
  std::function<std::optional<std::uint32_t>(std::string_view)> resolver() const;

 private:
  std::vector<std::string> names_;
  std::vector<std::int64_t> values_;
};

}  // namespace halyard::operators
