// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/opened_store.h"

namespace halyard::command_line {

// store rollout
void define_store_rollout(CLI::App& store, SubcommandActions& actions);

}  // namespace halyard::command_line
