// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::base {

// How many bytes must be put in, taken out or replaced to turn one text into the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The known name that `name` may have been meant to be: the first of the nearest, at most a third
// of its length (and at least one byte) away. Nothing when none is near.
std::optional<std::string_view> nearest_name(std::string_view name,
                                             std::span<const std::string_view> known);

// The end of a message about an unknown `name`: "; the nearest is "hidden"", or nothing.
std::string nearest_name_clause(std::string_view name, std::span<const std::string_view> known);

// At most `count` names: those that nearest_name() may give, the nearest first, then those that
// `name` is a part of, where it has three bytes or more.
std::vector<std::string_view> nearest_names(std::string_view name,
                                            std::span<const std::string_view> known,
                                            std::size_t count);

// The end of a message about an unknown `name` of many: "; the nearest are "a", "b" and "c"", or as
// nearest_name_clause().
std::string nearest_names_clause(std::string_view name, std::span<const std::string_view> known);

}  // namespace halyard::base
