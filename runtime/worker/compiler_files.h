// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/toolchain/compiler.h"
#include "runtime/worker/sandbox.h"

#include <string>
#include <vector>

namespace halyard::worker {

// What a compiler must see to run, each file at its own place: the program with its shared
// libraries, and for clang the linkers that it calls. No headers: kernels are compiled without.
struct CompilerFiles {
  std::string program;  // without symbolic links
  std::vector<VisiblePath> visible;
  std::vector<std::string> environment;  // all that is set for it
};

// Errors: NOT_FOUND for a program, linker or library that is not there.
base::Result<CompilerFiles> find_compiler_files(toolchain::Tool tool, const std::string& program);

}  // namespace halyard::worker
