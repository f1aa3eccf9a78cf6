// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/emulator/detect/operation_facts.h"

namespace halyard::emulator {

// Adds what an instruction that accesses memory does, and what counts it.
void add_memory_facts(const Operation& operation, Generation generation, OperationFacts& facts);
// Adds what waits, barriers, branches and messages do.
void add_control_facts(const Operation& operation, Generation generation, OperationFacts& facts);
// Whether the cache policy of an access makes it one that other workgroups see, or that sees
// theirs.
bool has_coherent_policy(const Program& program, const Operation& operation);

}  // namespace halyard::emulator
