// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace halyard::isa {

// The offset of the first byte that is NUL or does not belong to valid UTF-8 (no overlong form, no
// surrogate, nothing beyond U+10FFFF), or nothing.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

}  // namespace halyard::isa
