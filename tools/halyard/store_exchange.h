// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/opened_store.h"

namespace halyard::command_line {

// store import, export, sync
void define_store_exchange(CLI::App& store, SubcommandActions& actions);

}  // namespace halyard::command_line
