// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/bundle.h"
#include "kernel-store/kernel_package.h"
#include "runtime/base/result.h"
#include "runtime/toolchain/compiler.h"
#include "runtime/verification/verdict.h"
#include "runtime/worker/isolation.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace halyard::verification {

// A binary of the package, made here.
struct BuiltCode {
  store::KernelBuild build;
  std::vector<std::byte> bytes;
};

struct BuildSetting {
  toolchain::Compilers compilers;
  std::string data_directory;  // with prelude/
  std::string worker_program;
  worker::Isolation isolation = worker::Isolation::kFull;
  bool may_be_unconfined = false;
  std::vector<std::string> targets;         // only these, best first; empty: all
  std::optional<store::TypeBinding> types;  // only this binding
};

struct BuildOutcome {
  std::vector<BuiltCode> codes;
  std::optional<Finding> finding;  // the compiler's refusal, with the first lines of its words
};

// Compiles the package in the sandbox, for the best of the targets that it names for each binding.
// Errors: NOT_FOUND for a compiler or prelude that is missing, PERMISSION_DENIED and UNAVAILABLE as
// compile_confined().
base::Result<BuildOutcome> build_package(const store::KernelPackage& package,
                                         const BuildSetting& setting);

}  // namespace halyard::verification
