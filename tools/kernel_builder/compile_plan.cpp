// SPDX-License-Identifier: Apache-2.0
#include "tools/kernel_builder/compile_plan.h"

#include "runtime/base/text.h"
#include "tools/kernel_builder/process.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace halyard::kernel_builder {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using store::KernelLanguage;
using store::KernelPackage;

struct Flag {
  std::string_view when;
  std::string_view flag;
};

constexpr auto kArchitectures = std::to_array<Flag>({
    {"x86_64-v4", "-march=x86-64-v4"},
    {"x86_64-v3", "-march=x86-64-v3"},
    {"x86_64-v2", "-march=x86-64-v2"},
});
constexpr auto kExtensions = std::to_array<Flag>({
    {"cpu.avx512_bf16", "-mavx512bf16"},
    {"cpu.avx512_vnni", "-mavx512vnni"},
});
constexpr auto kSpirvVersions = std::to_array<Flag>({
    {"spirv-1.3", "--target-env=vulkan1.1"},
    {"spirv-1.5", "--target-env=vulkan1.2"},
    {"spirv-1.6", "--target-env=vulkan1.3"},
});
// No headers but the prelude's, no library, no start-up code, and all symbols resolved.
constexpr auto kCppFlags = std::to_array<std::string_view>({
    "-std=c++20",
    "-O3",
    "-ffreestanding",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-math-errno",
    "-ffp-contract=on",
    "-fPIC",
    "-shared",
    "-nostdlib",
    "-nostdinc",
    "-nostdinc++",
    "-fvisibility=hidden",
    "-Wl,-z,defs",
    "-Wl,-z,now",
    "-Wl,-z,relro",
    "-Wl,-z,noexecstack",
    "-Wl,--build-id=none",
});
constexpr auto kGlslFlags =
    std::to_array<std::string_view>({"-fshader-stage=compute", "-O", "-Werror"});

template <std::size_t N>
std::optional<std::string> find_flag(const std::array<Flag, N>& flags, std::string_view when) {
  for (const Flag& flag : flags) {
    if (flag.when == when) return std::string(flag.flag);
  }
  return std::nullopt;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

void add_defines(const store::KernelBuild& build, std::vector<std::string>& flags) {
  for (const auto& [name, type] : build.types) {
    const std::string variable = concat("-DHALYARD_TYPE_", upper(name));
    flags.push_back(concat(variable, '=', static_cast<std::uint32_t>(type)));
    flags.push_back(concat(variable, '_', upper(base::data_type_name(type)), "=1"));
  }
  for (const auto& [name, value] : build.parameters) {
    flags.push_back(concat("-DHALYARD_PARAM_", upper(name), '=', value));
  }
}

Error unsupported_target(const KernelPackage& package, std::string_view target) {
  return Error(ErrorCode::kUnsupported, concat("Kernel \"", package.record.name, "\": no build of ",
                                               store::word_of(package.record.language),
                                               " for target \"", target, "\" is known."));
}

Result<std::vector<std::string>> cpp_flags(const KernelPackage& package,
                                           const store::KernelBuild& build) {
  const auto architecture = find_flag(kArchitectures, build.target);
  if (!architecture) return unsupported_target(package, build.target);
  std::vector<std::string> flags(kCppFlags.begin(), kCppFlags.end());
  flags.push_back(*architecture);
  for (const store::Requirement& requirement : package.record.requirements) {
    if (auto flag = find_flag(kExtensions, requirement.capability)) {
      flags.push_back(std::move(*flag));
    }
  }
  add_defines(build, flags);
  return flags;
}

Result<std::vector<std::string>> glsl_flags(const KernelPackage& package,
                                            const store::KernelBuild& build) {
  const auto version = find_flag(kSpirvVersions, build.target);
  if (!version) return unsupported_target(package, build.target);
  std::vector<std::string> flags(kGlslFlags.begin(), kGlslFlags.end());
  flags.push_back(*version);
  add_defines(build, flags);
  return flags;
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

Result<CompileStep> plan_build(const KernelPackage& package, store::KernelBuild build,
                               const std::string& prelude_root, const Compilers& compilers) {
  const bool is_cpp = package.record.language == KernelLanguage::kCpp;
  const Compiler& compiler = is_cpp ? *compilers.clang : *compilers.glslc;
  HALYARD_TRY_ASSIGN(build.flags, is_cpp ? cpp_flags(package, build) : glsl_flags(package, build));
  build.toolchain = compiler.id;
  build.file = binary_name(build, is_cpp ? ".so" : ".spv");
  CompileStep step{std::move(build), {compiler.program}};
  step.arguments.insert(step.arguments.end(), step.build.flags.begin(), step.build.flags.end());
  if (package.record.prelude) {
    step.arguments.emplace_back("-I");
    step.arguments.push_back(concat(prelude_root, '/', *package.record.prelude));
  }
  step.arguments.emplace_back("-I");
  step.arguments.emplace_back(".");
  step.arguments.push_back(package.record.source);
  step.arguments.emplace_back("-o");
  return step;
}

}  // namespace

Result<std::vector<CompileStep>> plan_package(const KernelPackage& package,
                                              const std::string& prelude_root,
                                              const Compilers& compilers) {
  const store::KernelRecord& record = package.record;
  if (record.language != KernelLanguage::kCpp && record.language != KernelLanguage::kGlsl) {
    return Error(ErrorCode::kUnsupported,
                 concat("Kernel \"", record.name, "\" is in ", store::word_of(record.language),
                        "; only c++ and glsl are built here."));
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

Result<Compiler> probe_compiler(const std::string& program) {
  Result<ProcessResult> run = run_process({program, "--version"}, "/");
  if (!run || run->exit_code != 0) {
    return Error(ErrorCode::kNotFound,
                 concat("The compiler \"", program,
                        "\" is not there or does not start, and bundled kernels need it: install "
                        "the packages clang-19 and glslc, or name others with --clang and "
                        "--glslc."));
  }
  std::string line = run->output.substr(0, run->output.find('\n'));
  // "Debian clang version 19.1.7 (3~deb12u1)"
  if (const std::size_t at = line.find("clang version "); at != std::string::npos) {
    const std::string version = line.substr(at + 14);
    line = concat("clang ", version.substr(0, version.find(' ')));
  }
  return Compiler{program, std::move(line)};
}

}  // namespace halyard::kernel_builder
