// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/program/semantics.h"

#include <span>

namespace halyard::emulator {

// The parts of global_memory_semantics() and buffer_memory_semantics(), one file each.
std::span<const Semantic> flat_access_semantics();
std::span<const Semantic> flat_atomic_semantics();
std::span<const Semantic> buffer_access_semantics();
std::span<const Semantic> buffer_atomic_semantics();

}  // namespace halyard::emulator
