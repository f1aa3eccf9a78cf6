// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/opened_store.h"

namespace halyard::command_line {

// store verify, gc
void define_store_upkeep(CLI::App& store, SubcommandActions& actions);

}  // namespace halyard::command_line
