// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "runtime/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace halyard::kernel_builder {

// A compiler and what identifies it in a build.
struct Compiler {
  std::string program;
  std::string id;  // "clang 19.1.7".
};

struct Compilers {
  std::optional<Compiler> clang;  // Absent when no package needs it.
  std::optional<Compiler> glslc;
};

// One binary that a package is to have, and how it is made.
struct CompileStep {
  store::KernelBuild build;            // Without `sha256`.
  std::vector<std::string> arguments;  // The compiler's; the output's path is to follow.
};

// The binaries of a package: one for each target and type binding, with the parameters that are
// compiled in at their defaults. `prelude_root` is an absolute path.
// Errors: kUnsupported for a language or target that this tool does not build.
base::Result<std::vector<CompileStep>> plan_package(const store::KernelPackage& package,
                                                    const std::string& prelude_root,
                                                    const Compilers& compilers);

// The compiler's id from the first line of its --version. Errors: kNotFound.
base::Result<Compiler> probe_compiler(const std::string& program);

}  // namespace halyard::kernel_builder
