// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/opened_store.h"

namespace halyard::command_line {

// store promote, quarantine, retire, rollback, history
void define_store_states(CLI::App& store, SubcommandActions& actions);

}  // namespace halyard::command_line
