// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/halyard/command.h"

#include <CLI/CLI.hpp>

namespace halyard::command_line {

// Prints help to stdout where it was asked for, else one sentence to stderr.
int explain_parse_error(const CLI::App& app, const CLI::ParseError& error);

// Runs `action`, turns what it throws into a sentence and an exit code, and sees to it that all
// output was written, as a ShownStream shows it. A reader that closed our stdout ends the process
// without a sentence.
int run_and_flush(const Action& action);

}  // namespace halyard::command_line
