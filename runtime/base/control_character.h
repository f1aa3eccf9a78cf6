// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace halyard::base {

// Where the first control character stands, which a terminal may act on: C0, DEL, or C1 in UTF-8.
// npos where there is none from `from` on.
std::size_t find_control_character(std::string_view text, std::size_t from = 0);

// `text` with \u001b for each of them.
std::string spell_control_characters(std::string_view text);

}  // namespace halyard::base
