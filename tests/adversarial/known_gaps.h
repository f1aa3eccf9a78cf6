// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace halyard::adversarial {

// Why a case or a mutant of this id is accepted though it must not be; nothing for all others. A
// run prints each, and fails when one is refused after all: it is then to be taken from the list.
std::optional<std::string_view> known_gap(std::string_view id);

}  // namespace halyard::adversarial
