// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <stdexcept>
#include <string>

namespace halyard::command_line {

// The process's exit codes.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUse = 2;

// Does the work after the command line was read, and returns the exit code.
using Action = std::function<int()>;

// One verb. `define` adds its options to `app`; the action lives as long as `app`.
struct Command {
  const char* name;
  const char* summary;
  Action (*define)(CLI::App& app);
};

// The command line says something that cannot be meant.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace halyard::command_line
