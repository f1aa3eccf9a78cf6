// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/runtime/worker/compile_fixture.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace halyard::worker::testing {

namespace fs = std::filesystem;
using store::KernelLanguage;

const toolchain::Compilers& compilers() {
  static const toolchain::Compilers found = [] {
    auto compilers = toolchain::find_compilers({});
    EXPECT_TRUE(compilers && compilers->clang && compilers->glslc && compilers->spirv_as)
        << "clang-19, glslc and spirv-as must be installed";
    return compilers ? *compilers : toolchain::Compilers();
  }();
  return found;
}

std::string worker_program() {
  return HALYARD_WORKER_PROGRAM;
}

std::vector<Isolation> isolation_levels() {
  std::vector<Isolation> levels;
  const IsolationReport& report = probe_isolation(worker_program());
  for (const Isolation level : {Isolation::kFull, Isolation::kReduced}) {
    if (report.level >= level) levels.push_back(level);
  }
  if (report.level != Isolation::kFull) {
    std::printf("left out: isolation above %s; %s\n",
                std::string(isolation_name(report.level)).c_str(), report.shortfall().c_str());
  }
  return levels;
}

store::KernelPackage package_of(const Source& source) {
  store::KernelPackage package;
  package.record.name = "k";
  package.record.language = source.language;
  package.record.source = "kernel.src";
  package.record.types = {{{"T", base::DataType::kF32}}};
  switch (source.language) {
    case KernelLanguage::kCpp:
      package.record.targets = {"x86_64-v3"};
      break;
    case KernelLanguage::kHip:
    case KernelLanguage::kAmdgcnAssembly:
      package.record.targets = {"amdgcn-gfx1100"};
      break;
    default:
      package.record.targets = {"spirv-1.5"};
  }
  package.files = source.other_files;
  package.files["kernel.src"] = source.text;
  return package;
}

toolchain::CompileStep step_of(const store::KernelPackage& package) {
  auto steps = toolchain::plan_package(package, std::string(kConfinedPreludeRoot), compilers());
  EXPECT_TRUE(steps) << steps.error().message();
  return steps ? steps->front() : toolchain::CompileStep();
}

CompileRequest request_for(const store::KernelPackage& package, Isolation isolation) {
  CompileRequest request;
  request.package = &package;
  request.step = step_of(package);
  request.worker_program = worker_program();
  request.isolation = isolation;
  return request;
}

bool has_children() {
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    std::string first;
    if (children >> first) return true;
  }
  return false;
}

bool has_compile_folders() {
  const std::string prefix = "halyard-compile-" + std::to_string(::getpid()) + "-";
  const fs::directory_iterator entries("/tmp");
  return std::any_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
    return entry.path().filename().string().starts_with(prefix);
  });
}

std::string_view small_source(KernelLanguage language) {
  switch (language) {
    case KernelLanguage::kCpp:
      return "extern \"C\" __attribute__((visibility(\"default\"))) int f(int a) {\n"
             "  return a + HALYARD_TYPE_T;\n}\n";
    case KernelLanguage::kHip:
      return "extern \"C\" __attribute__((global)) void f(float* a) {\n"
             "  a[__builtin_amdgcn_workitem_id_x()] = HALYARD_TYPE_T;\n}\n";
    case KernelLanguage::kAmdgcnAssembly:
      return ".text\n.globl f\n.p2align 8\n.type f,@function\nf:\n"
             "  v_mov_b32 v0, HALYARD_TYPE_T\n  s_endpgm\n";
    case KernelLanguage::kGlsl:
      return "#version 450\nlayout(local_size_x = 1) in;\n"
             "layout(binding = 0) buffer B { uint v[]; };\n"
             "void main() { v[0] = HALYARD_TYPE_T; }\n";
    default:
      return "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
             "OpEntryPoint GLCompute %f \"main\"\nOpExecutionMode %f LocalSize 1 1 1\n"
             "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
             "%f = OpFunction %void None %type\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";
  }
}

std::vector<KernelLanguage> compiled_languages() {
  return {KernelLanguage::kCpp, KernelLanguage::kHip, KernelLanguage::kAmdgcnAssembly,
          KernelLanguage::kGlsl, KernelLanguage::kSpirvAssembly};
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace halyard::worker::testing
