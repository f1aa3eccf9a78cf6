// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::toolchain {

// Where programs are looked for, whatever PATH says.
inline constexpr std::array<std::string_view, 3> kProgramFolders = {"/usr/local/bin", "/usr/bin",
                                                                    "/bin"};

// The absolute path of a program: `name` itself when it has a slash, else that in the first of
// kProgramFolders that has it.
std::optional<std::string> find_program(const std::string& name);

struct ProcessResult {
  int exit_code = 0;   // 128 and the signal's number for a process that a signal ended.
  std::string output;  // Standard output and standard error together, at most 1 MiB.
};

// For what only lists or names something.
inline constexpr std::chrono::seconds kShortPatience{10};

// Runs `arguments` (the program first, looked for in kProgramFolders) in `directory` with a small
// fixed environment and no input, and waits for its end. Nothing of this process is inherited.
// Errors: kNotFound when there is no such program; kUnavailable when it does not start;
// kDeadlineExceeded when it, or what holds its output, does not end in time; it is killed then.
base::Result<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                        const std::string& directory,
                                        std::chrono::milliseconds patience = std::chrono::hours(1));

}  // namespace halyard::toolchain
