// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"

#include <string>
#include <vector>

namespace halyard::kernel_builder {

struct ProcessResult {
  int exit_code = 0;   // 128 and the signal's number for a process that a signal ended.
  std::string output;  // Standard output and standard error together.
};

// Runs `arguments` (the program first, looked for in PATH) in `directory` with a small fixed
// environment and no input, and waits for its end.
// Errors: kNotFound when there is no such program; kIoError.
base::Result<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                        const std::string& directory);

}  // namespace halyard::kernel_builder
