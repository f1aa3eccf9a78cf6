// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace halyard::adversarial {

// Why a case or a mutant is accepted though it must not be.
struct KnownGap {
  std::string_view id;
  std::string_view reason;
  bool depends_on_seed = false;  // refused with some seeds
};

// The gap of this id; null for all others. A run prints each, and fails when one that does not
// depend on the seed is refused after all: it is then to be taken from the list.
const KnownGap* known_gap(std::string_view id);

}  // namespace halyard::adversarial
