// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capability-descriptors/capability.h"
#include "runtime/inspection/catalog.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <vector>

namespace halyard::services {

const std::string& subject_id(const Subject& subject);

boost::json::array text_array(const std::vector<std::string>& texts);

// A flag as boolean, a number or a text.
boost::json::value capability_value(const descriptors::Capability& capability);

}  // namespace halyard::services
