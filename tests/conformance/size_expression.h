// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace halyard::conformance {

using Names = std::map<std::string, std::int64_t>;

// The value of an expression of a contract: integers, names, + - * / %, parentheses, ceil_div, min
// and max. Throws std::runtime_error with the expression when it cannot be read.
std::int64_t evaluate_size(const std::string& expression, const Names& names);

}  // namespace halyard::conformance
