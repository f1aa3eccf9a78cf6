// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_sandbox.h"

#include "runtime/base/text.h"
#include "runtime/worker/compile_diagnostics.h"
#include "runtime/worker/compile_folder.h"
#include "runtime/worker/compiler_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using Kind = CompileResult::Kind;
using Limit = CompileResult::Limit;

constexpr const char* kObjectName = "object";
constexpr const char* kObjectArgument = "../../out/object";

// What a driver says of a process that it started and that a limit ended, and what a compiler says
// that gets no more memory. A source can make a compiler print any of it: all it gains is another
// name for its failure.
struct Sign {
  std::string_view text;
  Limit limit;
};
constexpr auto kSigns = std::to_array<Sign>({
    {"unable to execute command: CPU time limit exceeded", Limit::kCpu},
    {"unable to execute command: File size limit exceeded", Limit::kFileSize},
    {"File too large", Limit::kFileSize},
    {"LLVM ERROR: out of memory", Limit::kMemory},
    {"std::bad_alloc", Limit::kMemory},
    {"Cannot allocate memory", Limit::kMemory},
    {"memory exhausted", Limit::kMemory},
});
constexpr auto kCrashSigns = std::to_array<std::string_view>({
    "command failed due to signal",
    "PLEASE submit a bug report",
    "unable to execute command: Aborted",
    "unable to execute command: Segmentation fault",
});
constexpr int kSigxcpu = 24;
constexpr int kSigxfsz = 25;

std::string limit_sentence(Limit limit, const ResourceLimits& limits) {
  switch (limit) {
    case Limit::kWall:
      return concat("The compiler is not done after ", limits.wall.count(), " ms.");
    case Limit::kCpu:
      return concat("The compiler is not done after ", limits.cpu.count(),
                    " s of a processor's time.");
    case Limit::kMemory:
      return concat("The compiler wants more than ", limits.memory_bytes, " bytes of memory.");
    case Limit::kFileSize:
      return concat("The compiler writes a file of more than ", limits.file_bytes, " bytes.");
    case Limit::kDiagnostics:
      return concat("The compiler writes more than ", limits.output_bytes,
                    " bytes of diagnostics.");
    case Limit::kNone:
      break;
  }
  return {};
}

void set_limit(CompileResult& result, Limit limit, const ResourceLimits& limits) {
  result.kind = Kind::kCompileLimit;
  result.limit = limit;
  result.sentence = limit_sentence(limit, limits);
}

void set_crash(CompileResult& result, std::string sentence) {
  result.kind = Kind::kCompilerCrash;
  result.sentence = std::move(sentence);
}

bool holds_any(std::string_view text, std::span<const std::string_view> pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [text](std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
  });
}

// Of a compiler that came to its end by itself, and not with success.
void judge_failure(const SandboxExit& exit, const CompileFolder& folder,
                   const ResourceLimits& limits, CompileResult& result) {
  const bool is_signal = exit.kind == SandboxExit::Kind::kSignalled;
  if (is_signal && exit.code == kSigxcpu) return set_limit(result, Limit::kCpu, limits);
  if ((is_signal && exit.code == kSigxfsz) || folder.has_output_of(limits.file_bytes)) {
    return set_limit(result, Limit::kFileSize, limits);
  }
  for (const Sign& sign : kSigns) {
    if (exit.output.find(sign.text) != std::string::npos) {
      return set_limit(result, sign.limit, limits);
    }
  }
  if (is_signal) return set_crash(result, concat("The compiler ends by signal ", exit.code, '.'));
  if (holds_any(exit.output, kCrashSigns)) {
    return set_crash(result, concat("The compiler breaks down (exit status ", exit.code, ")."));
  }
  result.kind = Kind::kCompileError;
  result.sentence = concat("The compiler refuses the source (exit status ", exit.code, ").");
}

void judge(const SandboxExit& exit, const CompileFolder& folder, const ResourceLimits& limits,
           CompileResult& result) {
  switch (exit.kind) {
    case SandboxExit::Kind::kExited:
    case SandboxExit::Kind::kSignalled:
      if (exit.kind == SandboxExit::Kind::kExited && exit.code == 0) return;
      return judge_failure(exit, folder, limits, result);
    case SandboxExit::Kind::kWallLimit:
    case SandboxExit::Kind::kUnkillable:
      return set_limit(result, Limit::kWall, limits);
    case SandboxExit::Kind::kCpuLimit:
      return set_limit(result, Limit::kCpu, limits);
    case SandboxExit::Kind::kOutputLimit:
      return set_limit(result, Limit::kDiagnostics, limits);
    case SandboxExit::Kind::kViolation:
      return set_crash(result, "The compiler asks the system for something that it may not have.");
  }
}

Status check(const CompileRequest& request) {
  const store::KernelRecord& record = request.package->record;
  if (request.isolation == Isolation::kNone && !request.may_be_unconfined) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("Kernel \"", record.name,
                        "\" is not compiled: this machine does not confine the compiler, and "
                        "nobody has allowed that."));
  }
  if (record.prelude && request.prelude == nullptr) {
    return Error(ErrorCode::kInvalidArgument, concat("Kernel \"", record.name, "\" names prelude ",
                                                     *record.prelude, ", which is not given."));
  }
  return base::ok();
}

Status write_inputs(const CompileRequest& request, CompileFolder& folder) {
  HALYARD_TRY(folder.write_inputs("package", request.package->files));
  const std::optional<std::string>& prelude = request.package->record.prelude;
  if (!prelude) return base::ok();
  return folder.write_inputs(concat("prelude/", *prelude), *request.prelude);
}

SandboxDesc describe(const CompileRequest& request, const CompilerFiles& compiler,
                     const CompileFolder& folder) {
  SandboxDesc desc;
  desc.profile = SyscallProfile::kCompile;
  desc.limits = request.limits;
  desc.arguments = request.step.arguments;
  desc.arguments.front() = compiler.program;
  desc.arguments.emplace_back(kObjectArgument);
  desc.visible = compiler.visible;
  desc.environment = compiler.environment;
  const bool can_move = request.isolation == Isolation::kFull;
  const std::string input = can_move ? "/in" : folder.input();
  desc.visible.push_back({folder.input(), input});
  desc.working_directory = input + "/package";
  desc.output_folder = folder.output();
  return desc;
}

CompileResult take_source(const CompileRequest& request) {
  const std::string& source = request.package->files.at(request.package->record.source);
  CompileResult result;
  result.object.resize(source.size());
  std::memcpy(result.object.data(), source.data(), source.size());
  result.isolation = request.isolation;
  return result;
}

}  // namespace

ResourceLimits default_compile_limits() {
  ResourceLimits limits;
  limits.wall = std::chrono::seconds(60);
  limits.cpu = std::chrono::seconds(60);
  limits.memory_bytes = std::uint64_t{4} << 30;
  limits.file_bytes = std::uint64_t{64} << 20;
  limits.output_bytes = std::uint64_t{64} << 10;
  return limits;
}

std::string_view compile_kind_name(Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"compiled", "compile_error", "compile_limit",
                                                      "compiler_crash"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view compile_limit_name(Limit limit) {
  constexpr std::array<std::string_view, 6> kNames = {"none",   "wall",      "cpu",
                                                      "memory", "file_size", "diagnostics"};
  return kNames[static_cast<std::size_t>(limit)];
}

Result<CompileResult> compile_confined(const CompileRequest& request) {
  HALYARD_TRY(check(request));
  if (request.step.tool == toolchain::Tool::kNone) return take_source(request);
  HALYARD_TRY_ASSIGN(const CompilerFiles compiler,
                     find_compiler_files(request.step.tool, request.step.arguments.front()));
  HALYARD_TRY_ASSIGN(CompileFolder folder, CompileFolder::create());
  HALYARD_TRY(write_inputs(request, folder));
  HALYARD_TRY_ASSIGN(const SandboxExit exit,
                     run_sandboxed(request.worker_program, request.isolation,
                                   describe(request, compiler, folder)));
  CompileResult result;
  result.isolation = request.isolation;
  result.wall = exit.wall;
  result.diagnostics = clean_diagnostics(exit.output, folder.root(), request.limits.output_bytes);
  judge(exit, folder, request.limits, result);
  if (result.kind != Kind::kCompiled) return result;
  Result<std::vector<std::byte>> object =
      folder.read_output(kObjectName, request.limits.file_bytes);
  if (object) {
    result.object = std::move(*object);
  } else {
    set_crash(result, "The compiler ends with success and leaves no object.");
  }
  return result;
}

}  // namespace halyard::worker
