// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/command.h"

namespace halyard::command_line {

Action define_trust(CLI::App& app);

}  // namespace halyard::command_line
