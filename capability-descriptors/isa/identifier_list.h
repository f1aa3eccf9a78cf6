// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/isa/json_list.h"

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace halyard::isa {

// "0xbe800000"
std::string hexadecimal(std::uint32_t value);
base::Result<std::uint32_t> read_hexadecimal(const base::JsonObject& object, std::string_view name);

// Ascending identifiers in few bytes: a base, and what is added to it, shifted left by "shift":
// numbers, and [first, last] for three or more in a row.
boost::json::object write_identifiers(const std::vector<std::uint32_t>& identifiers);
base::Result<std::vector<std::uint32_t>> read_identifiers(const base::JsonObject& object);

}  // namespace halyard::isa
