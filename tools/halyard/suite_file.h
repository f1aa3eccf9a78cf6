// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "halyard/halyard.hpp"

#include <string>

namespace halyard::command_line {

// The path of a suite: `name` itself where it is a path (has a '/' or ends in ".json"), else the
// suite of that name in the data directory. Throws UsageError with the names there are.
std::string find_suite(const Instance& instance, const std::string& name);

}  // namespace halyard::command_line
