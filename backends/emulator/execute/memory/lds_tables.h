// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

#include <span>

namespace halyard::emulator {

// The parts of lds_semantics(), one file each.
std::span<const Semantic> lds_access_semantics();
std::span<const Semantic> lds_atomic_semantics();
std::span<const Semantic> lds_permute_semantics();

}  // namespace halyard::emulator
