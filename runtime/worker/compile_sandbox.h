// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_package.h"
#include "runtime/base/result.h"
#include "runtime/toolchain/compile_plan.h"
#include "runtime/worker/isolation.h"
#include "runtime/worker/sandbox.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::worker {

// Where a confined compiler sees preludes; the `prelude_root` of toolchain::plan_package().
inline constexpr std::string_view kConfinedPreludeRoot = "../prelude";

// Those of one step.
ResourceLimits default_compile_limits();

// One step of a foreign package.
struct CompileRequest {
  const store::KernelPackage* package = nullptr;  // borrowed for the call
  const store::PackageFiles* prelude = nullptr;   // of the prelude that it names; borrowed
  toolchain::CompileStep step;                    // planned with kConfinedPreludeRoot
  std::string worker_program;                     // the halyard-worker executable
  Isolation isolation = Isolation::kFull;
  bool may_be_unconfined = false;  // somebody has said that kNone will do
  ResourceLimits limits = default_compile_limits();
};

struct CompileResult {
  enum class Kind : std::uint8_t {
    kCompiled,
    kCompileError,   // the compiler refuses the source
    kCompileLimit,   // it was stopped at the limit that `limit` names
    kCompilerCrash,  // it ended otherwise
  };
  enum class Limit : std::uint8_t { kNone, kWall, kCpu, kMemory, kFileSize, kDiagnostics };

  Kind kind = Kind::kCompiled;
  Limit limit = Limit::kNone;
  std::vector<std::byte> object;  // kCompiled only
  std::string sentence;           // what has happened, with the numbers; empty with kCompiled
  std::string diagnostics;        // clean_diagnostics() of what the compiler wrote
  Isolation isolation = Isolation::kNone;
  std::chrono::nanoseconds wall{};
};

// "compiled", "compile_error", "compile_limit", "compiler_crash".
std::string_view compile_kind_name(CompileResult::Kind kind);
// "none", "wall", "cpu", "memory", "file_size", "diagnostics".
std::string_view compile_limit_name(CompileResult::Limit limit);

// Compiles in a process that sees the compiler, copies of the package's and the prelude's files,
// and an output folder of its own, which are gone afterwards. The same request gives the same
// bytes. A step that takes the source as it is starts nothing. At kReduced a source reads nothing
// else either, and can find out whether a path of the host exists.
//
// Threads: any number at once.
// Errors: INVALID_ARGUMENT for a file name that is none, or a prelude that is missing;
// PERMISSION_DENIED for a level above what the machine gives, and for kNone unless the request
// allows it; NOT_FOUND for a compiler that is not there; UNAVAILABLE and IO_ERROR when no process
// or folder can be had. None of them says anything about the package.
base::Result<CompileResult> compile_confined(const CompileRequest& request);

}  // namespace halyard::worker
