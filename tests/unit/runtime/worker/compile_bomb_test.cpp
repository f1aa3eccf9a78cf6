// SPDX-License-Identifier: Apache-2.0
// T-3: sources that are small and make a compiler large, slow or talkative.
#include "runtime/base/text.h"
#include "tests/unit/runtime/worker/compile_fixture.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>

namespace halyard::worker {
namespace {

using base::concat;
using store::KernelLanguage;
using testing::Source;
using Kind = CompileResult::Kind;

struct Bomb {
  const char* name;
  Source source;
  bool may_crash = false;  // clang has no limit of its own for it, and runs out of stack
};

std::string repeated(std::string_view piece, std::size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    text += piece;
  return text;
}

// Each of `levels` macros is two of the one before.
std::string doubling_macros(std::string_view unit, int levels) {
  std::string text = concat("#define M0 ", unit, '\n');
  for (int i = 1; i <= levels; ++i) {
    text += concat("#define M", i, " M", i - 1, " M", i - 1, '\n');
  }
  return text;
}

std::string glsl_shader(std::string_view globals, std::string_view body) {
  return concat("#version 450\nlayout(local_size_x = 1) in;\n",
                "layout(binding = 0) buffer B { uint v[]; };\n", globals, "void main() {\n", body,
                "\n}\n");
}

std::vector<Bomb> bombs() {
  constexpr KernelLanguage kCpp = KernelLanguage::kCpp;
  const std::string exponential =
      "template <int N, long M> struct F {\n"
      "  static constexpr long v = F<N - 1, M * 2>::v + F<N - 1, M * 2 + 1>::v;\n};\n"
      "template <long M> struct F<0, M> { static constexpr long v = M; };\n"
      "long x = F<40, 0>::v;\n";
  const std::string loops =
      "extern \"C\" __attribute__((visibility(\"default\"))) void f(volatile float* a) {\n"
      "_Pragma(\"clang loop unroll(full)\") for (int i = 0; i < 1000; ++i)\n"
      "_Pragma(\"clang loop unroll(full)\") for (int j = 0; j < 1000; ++j)\n"
      "_Pragma(\"clang loop unroll(full)\") for (int k = 0; k < 100; ++k)\n"
      "  a[i * j + k] = a[i + j * k] * a[i ^ j ^ k] + i * j;\n}\n";
  return {
      {"template recursion",
       {kCpp,
        "template <int N> struct R { static constexpr int v = R<N + 1>::v; };\n"
        "int x = R<0>::v;\n"}},
      {"exponential templates", {kCpp, exponential}},
      {"exponential templates, hip", {KernelLanguage::kHip, exponential}},
      {"endless constexpr loop",
       {kCpp,
        "constexpr int f() { unsigned s = 1; for (;;) s = s * 3 + 1; return s; }\n"
        "constexpr int x = f();\n"}},
      {"array of a terabyte", {kCpp, "char a[1ULL << 40] = {1};\n"}},
      {".fill of 4 GB", {kCpp, "asm(\".data\\n.fill 0x100000000, 1, 1\");\n"}},
      {".fill of 4 GB, amdgcn-asm",
       {KernelLanguage::kAmdgcnAssembly, ".data\n.fill 0x100000000, 1, 1\n"}},
      {"self-include", {kCpp, "#include \"kernel.src\"\n#include \"kernel.src\"\nint x;\n"}},
      {"nested parentheses",
       {kCpp, concat("int x = ", repeated("(", 500'000), "1", repeated(")", 500'000), ";\n")}},
      {"nested operators", {kCpp, concat("int x = ", repeated("- ", 300'000), "1;\n")}, true},
      {"doubling macros", {kCpp, doubling_macros("+ 1", 40) + "int x = 0 M40;\n"}},
      {"unrolled loops", {kCpp, loops}},
      {"nested .rept",
       {KernelLanguage::kAmdgcnAssembly, ".rept 100000\n.rept 100000\ns_nop 0\n.endr\n.endr\n"}},
      {"long identifier", {kCpp, concat("int x = ", repeated("identifier", 800'000), ";\n")}},
      {"doubling macros, glsl",
       {KernelLanguage::kGlsl, glsl_shader(doubling_macros("+ 1u", 40), "v[0] = 0u M40;")}},
      {"large arrays, glsl",
       {KernelLanguage::kGlsl,
        glsl_shader("shared uint s[0x7fffffff];\n"
                    "const uint a[] = uint[0x7fffffff](1u);\n",
                    "uint b[0x7fffffff]; b[v[1]] = s[v[2]]; v[0] = b[v[3]] + a[v[4]];")}},
      {"large source, spirv-asm",
       {KernelLanguage::kSpirvAssembly, repeated("%a = OpConstant %b 1\n", 700'000)}},
  };
}

ResourceLimits small_limits() {
  ResourceLimits limits = default_compile_limits();
  limits.wall = std::chrono::seconds(3);
  limits.cpu = std::chrono::seconds(3);
  limits.memory_bytes = std::uint64_t{1} << 30;
  limits.file_bytes = std::uint64_t{16} << 20;
  return limits;
}

TEST(CompileBomb, EachEndsAsAnErrorOrALimitInTime) {
  const ResourceLimits limits = small_limits();
  for (const Bomb& bomb : bombs()) {
    const store::KernelPackage package = testing::package_of(bomb.source);
    CompileRequest request = testing::request_for(package, testing::isolation_levels().front());
    request.limits = limits;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = compile_confined(request);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    ASSERT_TRUE(result) << result.error().message();
    std::printf("%-28s %-14s %-12s %5.2f s  %s\n", bomb.name,
                std::string(compile_kind_name(result->kind)).c_str(),
                std::string(compile_limit_name(result->limit)).c_str(), wall.count(),
                result->sentence.c_str());
    EXPECT_TRUE(result->kind == Kind::kCompileError || result->kind == Kind::kCompileLimit ||
                (bomb.may_crash && result->kind == Kind::kCompilerCrash))
        << bomb.name << ": " << result->sentence << '\n'
        << result->diagnostics.substr(0, 1000);
    EXPECT_LT(wall.count(), 4.0) << bomb.name;
    EXPECT_LE(result->diagnostics.size(), limits.output_bytes + 64) << bomb.name;
    EXPECT_TRUE(result->object.empty());
    EXPECT_FALSE(testing::has_children()) << bomb.name;
    EXPECT_FALSE(testing::has_compile_folders()) << bomb.name;
  }
}

}  // namespace
}  // namespace halyard::worker
