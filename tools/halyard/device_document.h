// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <boost/json/object.hpp>
#include <string>

namespace halyard::command_line {

// "CPU", "discrete GPU", "software", …
const char* kind_name(std::uint32_t kind);

// What halyard_device_info says, the descriptor and the disagreements, as JSON.
boost::json::object device_document(const Device& device);

// The names of the flags below `prefix` that are known to be set, without the prefix.
std::string set_flags(const Device& device, const std::string& prefix);

}  // namespace halyard::command_line
