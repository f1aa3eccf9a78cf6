// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <boost/json/object.hpp>
#include <iosfwd>
#include <optional>

namespace halyard::command_line {

// The time of the whole step in a halyard.results/1 document.
std::optional<double> step_ns(const boost::json::object& results);

// The results for people: a line for each operation, the whole step, the ceilings.
void print_measure_report(std::ostream& out, const boost::json::object& results);

}  // namespace halyard::command_line
