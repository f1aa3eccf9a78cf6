// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace halyard::base {

// The canonical form of RFC 8785: no spaces, keys in the order of their UTF-16 code units, numbers
// as ECMAScript writes them. Integers beyond 2^53 keep all their digits, so that two of them never
// share one form. Doubles must be finite, as parse_json gives them.
std::string canonical_json(const boost::json::value& value);

// For files that people read: members in their own order, one value a line, indented by two spaces,
// with a line break at the end. Strings and numbers are as in canonical_json.
std::string pretty_json(const boost::json::value& value);

// As pretty_json, on one line without a break at its end: {"value": 8, "unit": "byte"}.
std::string line_json(const boost::json::value& value);

}  // namespace halyard::base
