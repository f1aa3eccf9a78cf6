// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "runtime/base/result.h"
#include "runtime/toolchain/compiler.h"

#include <string>
#include <vector>

namespace halyard::toolchain {

// One binary that a package is to have, and how it is made.
struct CompileStep {
  store::KernelBuild build;  // Without `sha256`.
  Tool tool = Tool::kNone;
  // The compiler's, program first, for a run in the folder of the package's files; the output's
  // path is to follow. Empty with kNone, where the source is the binary.
  std::vector<std::string> arguments;
};

// The binaries of a package: one for each target and type binding, with the parameters that are
// compiled in at their defaults. `prelude_root` is the folder of preludes as the compiler sees it.
// A package names no flag: its words choose among tables, and its names and integers become
// definitions once they have the form of a name.
// Errors: kUnsupported for a language, target or definition that is not built; kNotFound for a
// compiler that is not there; kInvalidArgument for a name that is none.
base::Result<std::vector<CompileStep>> plan_package(const store::KernelPackage& package,
                                                    const std::string& prelude_root,
                                                    const Compilers& compilers);

}  // namespace halyard::toolchain
