// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace halyard::base {

// Whether it is UTF-8 throughout: no overlong form, no surrogate, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace halyard::base
