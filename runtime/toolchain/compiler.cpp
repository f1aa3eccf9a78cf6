// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/compiler.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/process.h"

#include <array>
#include <span>
#include <utility>

namespace halyard::toolchain {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using store::KernelLanguage;

constexpr auto kToolNames = std::to_array<std::string_view>({"none", "clang", "glslc", "spirv-as"});
constexpr auto kClangNames =
    std::to_array<std::string_view>({"clang++-19", "clang++-20", "clang++-21", "clang++"});
constexpr auto kGlslcNames = std::to_array<std::string_view>({"glslc"});
constexpr auto kSpirvAsNames = std::to_array<std::string_view>({"spirv-as"});

Result<std::optional<Compiler>> find_compiler(const std::optional<std::string>& named,
                                              std::span<const std::string_view> usual) {
  if (named) {
    const std::string program = find_program(*named).value_or(*named);
    HALYARD_TRY_ASSIGN(Compiler compiler, probe_compiler(program));
    return std::optional(std::move(compiler));
  }
  for (const std::string_view name : usual) {
    const std::optional<std::string> program = find_program(std::string(name));
    if (!program) continue;
    Result<Compiler> compiler = probe_compiler(*program);
    if (compiler) return std::optional(std::move(*compiler));
  }
  return std::optional<Compiler>();
}

}  // namespace

std::string_view tool_name(Tool tool) {
  return kToolNames[static_cast<std::size_t>(tool)];
}

Result<Tool> tool_of(KernelLanguage language) {
  switch (language) {
    case KernelLanguage::kCpp:
    case KernelLanguage::kHip:
    case KernelLanguage::kAmdgcnAssembly:
      return Tool::kClang;
    case KernelLanguage::kGlsl:
      return Tool::kGlslc;
    case KernelLanguage::kSpirvAssembly:
      return Tool::kSpirvAs;
    case KernelLanguage::kPtx:
    case KernelLanguage::kSpirv:
    case KernelLanguage::kObject:
      return Tool::kNone;
    case KernelLanguage::kCuda:
      break;
  }
  return Error(ErrorCode::kUnsupported, concat("No compiler of ", store::word_of(language),
                                               " is known; ptx and object are taken as they are."));
}

const Compiler* Compilers::find(Tool tool) const {
  const auto pointer = [](const std::optional<Compiler>& compiler) {
    return compiler ? &*compiler : nullptr;
  };
  switch (tool) {
    case Tool::kClang:
      return pointer(clang);
    case Tool::kGlslc:
      return pointer(glslc);
    case Tool::kSpirvAs:
      return pointer(spirv_as);
    case Tool::kNone:
      break;
  }
  return nullptr;
}

Result<Compiler> probe_compiler(const std::string& program) {
  Result<ProcessResult> run = run_process({program, "--version"}, "/", kShortPatience);
  if (!run || run->exit_code != 0) {
    return Error(ErrorCode::kNotFound,
                 concat("The compiler \"", program, "\" is not there or does not start."));
  }
  std::string line = run->output.substr(0, run->output.find('\n'));
  // "Debian clang version 19.1.7 (3~deb12u1)"
  if (const std::size_t at = line.find("clang version "); at != std::string::npos) {
    const std::string version = line.substr(at + 14);
    line = concat("clang ", version.substr(0, version.find(' ')));
  }
  return Compiler{program, std::move(line)};
}

Result<Compilers> find_compilers(const base::Configuration& configuration) {
  Compilers compilers;
  HALYARD_TRY_ASSIGN(compilers.clang, find_compiler(configuration.clang.value, kClangNames));
  HALYARD_TRY_ASSIGN(compilers.glslc, find_compiler(configuration.glslc.value, kGlslcNames));
  HALYARD_TRY_ASSIGN(compilers.spirv_as,
                     find_compiler(configuration.spirv_as.value, kSpirvAsNames));
  return compilers;
}

}  // namespace halyard::toolchain
