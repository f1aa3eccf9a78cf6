// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace halyard::base {

// How many bytes must be put in, taken out or replaced to turn one text into the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The known name that `name` may have been meant to be: the first of the nearest, at most a third
// of its length (and at least one byte) away. Nothing when none is near.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known);

// The end of a message about an unknown `name`: "; the nearest is "hidden"", or nothing.
std::string nearest_name_clause(std::string_view name, std::span<const std::string_view> known);

}  // namespace halyard::base
