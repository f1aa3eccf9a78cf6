// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/compile_plan.h"

#include "runtime/base/text.h"
#include "runtime/toolchain/target_flags.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace halyard::toolchain {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using store::KernelLanguage;
using store::KernelPackage;

constexpr std::size_t kMaxNameBytes = 64;

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

// [A-Z][A-Z0-9_]*
bool is_definition_name(std::string_view name) {
  const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_tail = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= kMaxNameBytes && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), is_tail);
}

// The definitions of one build, in the compiler's own spelling.
class Definitions {
 public:
  Definitions(const store::KernelRecord& record, std::vector<std::string>& flags)
      : record_(record),
        flags_(flags) {}

  Status add_type(const std::string& variable, base::DataType type) {
    HALYARD_TRY_ASSIGN(const std::string name, name_of("type variable", "TYPE_", variable));
    add(name, static_cast<std::uint32_t>(type));
    add(concat(name, '_', upper(base::data_type_name(type))), 1);
    return base::ok();
  }

  Status add_parameter(const std::string& parameter, std::int64_t value) {
    HALYARD_TRY_ASSIGN(const std::string name, name_of("parameter", "PARAM_", parameter));
    add(name, value);
    return base::ok();
  }

 private:
  Result<std::string> name_of(std::string_view what, std::string_view prefix,
                              const std::string& text) {
    const std::string name = upper(text);
    if (!is_definition_name(name)) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("Kernel \"", record_.name, "\": the ", what, " \"", text,
                          "\" is no name of letters, digits and underscores (at most ",
                          kMaxNameBytes, ", a letter first)."));
    }
    std::string full = concat("HALYARD_", prefix, name);
    if (!names_.insert(full).second) {
      return Error(ErrorCode::kInvalidArgument,
                   concat("Kernel \"", record_.name, "\": the ", what, " \"", text,
                          "\" and another give one definition, ", full, '.'));
    }
    return full;
  }

  void add(const std::string& name, std::int64_t value) {
    const bool is_assembly = record_.language == KernelLanguage::kAmdgcnAssembly;
    flags_.push_back(concat(is_assembly ? "-Wa,-defsym," : "-D", name, '=', value));
  }

  const store::KernelRecord& record_;
  std::vector<std::string>& flags_;
  std::set<std::string> names_;
};

bool takes_definitions(KernelLanguage language) {
  return language == KernelLanguage::kCpp || language == KernelLanguage::kGlsl ||
         language == KernelLanguage::kHip || language == KernelLanguage::kAmdgcnAssembly;
}

Status add_definitions(const store::KernelRecord& record, store::KernelBuild& build) {
  if (!takes_definitions(record.language)) {
    if (build.parameters.empty()) return base::ok();
    return Error(ErrorCode::kUnsupported,
                 concat("Kernel \"", record.name, "\": the parameter \"",
                        build.parameters.begin()->first, "\" is a definition, which ",
                        store::word_of(record.language), " has no way to take."));
  }
  Definitions definitions(record, build.flags);
  for (const auto& [variable, type] : build.types)
    HALYARD_TRY(definitions.add_type(variable, type));
  for (const auto& [name, value] : build.parameters)
    HALYARD_TRY(definitions.add_parameter(name, value));
  return base::ok();
}

std::string_view extension_of(KernelLanguage language, std::string_view target) {
  if (target.starts_with("spirv-")) return ".spv";
  if (target.starts_with("amdgcn-")) return ".co";
  if (language == KernelLanguage::kPtx) return ".ptx";
  return target.starts_with("nvsass-") ? ".cubin" : ".so";
}

std::string binary_name(const store::KernelBuild& build, std::string_view extension) {
  std::string name = build.target;
  for (const auto& [variable, type] : build.types) {
    name += concat('.', variable, '-', base::data_type_name(type));
  }
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == '/' || c == '+'; }, '_');
  return name + std::string(extension);
}

// What the source is, whatever its name ends with: by its ending alone, a compiler would link,
// preprocess or disassemble it. And no name of the working directory in the binary, no copy of the
// source beside a crash.
std::vector<std::string> language_arguments(KernelLanguage language) {
  switch (language) {
    case KernelLanguage::kCpp:
      return {"-ffile-compilation-dir=.", "-fno-crash-diagnostics", "-x", "c++"};
    case KernelLanguage::kHip:
      return {"-ffile-compilation-dir=.", "-fno-crash-diagnostics", "-x", "hip"};
    case KernelLanguage::kAmdgcnAssembly:
      return {"-ffile-compilation-dir=.", "-fno-crash-diagnostics", "-x", "assembler"};
    case KernelLanguage::kGlsl:
      return {"-x", "glsl"};
    default:
      return {};
  }
}

std::vector<std::string> step_arguments(const store::KernelRecord& record,
                                        const store::KernelBuild& build,
                                        const std::string& prelude_root, const Compiler& compiler) {
  std::vector<std::string> arguments = {compiler.program};
  arguments.insert(arguments.end(), build.flags.begin(), build.flags.end());
  const std::vector<std::string> language = language_arguments(record.language);
  arguments.insert(arguments.end(), language.begin(), language.end());
  if (record.language != KernelLanguage::kSpirvAssembly) {
    if (record.prelude) {
      arguments.emplace_back("-I");
      arguments.push_back(concat(prelude_root, '/', *record.prelude));
    }
    arguments.emplace_back("-I");
    arguments.emplace_back(".");
  }
  arguments.push_back(record.source);
  arguments.emplace_back("-o");
  return arguments;
}

Result<CompileStep> plan_build(const KernelPackage& package, store::KernelBuild build,
                               const std::string& prelude_root, const Compilers& compilers) {
  const store::KernelRecord& record = package.record;
  CompileStep step;
  HALYARD_TRY_ASSIGN(step.tool, tool_of(record.language));
  HALYARD_TRY_ASSIGN(build.flags, target_flags(record, build.target));
  HALYARD_TRY(add_definitions(record, build));
  build.file = binary_name(build, extension_of(record.language, build.target));
  build.toolchain = tool_name(Tool::kNone);
  if (step.tool != Tool::kNone) {
    const Compiler* const compiler = compilers.find(step.tool);
    if (compiler == nullptr) {
      return Error(ErrorCode::kNotFound,
                   concat("Kernel \"", record.name, "\" is in ", store::word_of(record.language),
                          ", and its compiler, ", tool_name(step.tool), ", is not there."));
    }
    build.toolchain = compiler->id;
    step.arguments = step_arguments(record, build, prelude_root, *compiler);
  }
  step.build = std::move(build);
  return step;
}

}  // namespace

Result<std::vector<CompileStep>> plan_package(const KernelPackage& package,
                                              const std::string& prelude_root,
                                              const Compilers& compilers) {
  const store::KernelRecord& record = package.record;
  if (!store::is_package_file_name(record.source)) {
    return Error(ErrorCode::kInvalidArgument, concat("Kernel \"", record.name, "\": the source \"",
                                                     record.source, "\" is no plain file name."));
  }
  if (auto tool = tool_of(record.language); !tool) {
    return std::move(tool.error()).with_context(concat("planning kernel \"", record.name, '"'));
  }
  std::vector<CompileStep> steps;
  for (const std::string& target : record.targets) {
    for (const store::TypeBinding& types : record.types) {
      store::KernelBuild build;
      build.target = target;
      build.types = types;
      for (const store::KernelParameter& parameter : record.parameters) {
        if (parameter.kind != store::ParameterKind::kDefine) continue;
        build.parameters.emplace(parameter.name, parameter.default_value);
      }
      HALYARD_TRY_ASSIGN(CompileStep step,
                         plan_build(package, std::move(build), prelude_root, compilers));
      steps.push_back(std::move(step));
    }
  }
  return steps;
}

}  // namespace halyard::toolchain
