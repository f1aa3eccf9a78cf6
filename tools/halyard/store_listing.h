// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/opened_store.h"

namespace halyard::command_line {

// store list, show
void define_store_listing(CLI::App& store, SubcommandActions& actions);

}  // namespace halyard::command_line
