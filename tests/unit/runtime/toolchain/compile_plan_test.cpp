// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/compile_plan.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

namespace halyard::toolchain {
namespace {

using base::DataType;
using store::KernelLanguage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

const Compilers& fake_compilers() {
  static const Compilers compilers = {Compiler{"/c/clang++", "clang 1"},
                                      Compiler{"/c/glslc", "glslc 1"}, Compiler{"/c/as", "as 1"}};
  return compilers;
}

store::KernelPackage package_in(KernelLanguage language, const std::string& target) {
  store::KernelPackage package;
  package.record.name = "k";
  package.record.language = language;
  package.record.source = "k.src";
  package.record.targets = {target};
  package.record.types = {{{"T", DataType::kF32}}};
  return package;
}

void add_define(store::KernelPackage& package, const std::string& name, std::int64_t value) {
  package.record.parameters.push_back({name, store::ParameterKind::kDefine, 0, {value}, value});
}

base::Result<CompileStep> plan_one(const store::KernelPackage& package) {
  auto steps = plan_package(package, "/p", fake_compilers());
  if (!steps) return std::move(steps.error());
  EXPECT_EQ(steps->size(), 1U);
  return std::move(steps->front());
}

TEST(CompilePlan, CppIsOneClangCall) {
  auto package = package_in(KernelLanguage::kCpp, "x86_64-v3");
  package.record.prelude = "c++/1";
  add_define(package, "ROWS", -2);
  const auto step = plan_one(package);
  ASSERT_TRUE(step) << step.error().message();
  EXPECT_THAT(step->build.flags,
              ElementsAre("-std=c++20", "-O3", "-ffreestanding", "-fno-exceptions", "-fno-rtti",
                          "-fno-threadsafe-statics", "-fno-math-errno", "-ffp-contract=on", "-fPIC",
                          "-shared", "-nostdlib", "-nostdinc", "-nostdinc++", "-fvisibility=hidden",
                          "-Wl,-z,defs", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,noexecstack",
                          "-Wl,--build-id=none", "-march=x86-64-v3", "-DHALYARD_TYPE_T=2",
                          "-DHALYARD_TYPE_T_F32=1", "-DHALYARD_PARAM_ROWS=-2"));
  std::vector<std::string> expected = {"/c/clang++"};
  expected.insert(expected.end(), step->build.flags.begin(), step->build.flags.end());
  for (const char* const argument : {"-ffile-compilation-dir=.", "-fno-crash-diagnostics", "-x",
                                     "c++", "-I", "/p/c++/1", "-I", ".", "k.src", "-o"})
    expected.emplace_back(argument);
  EXPECT_EQ(step->arguments, expected);
  EXPECT_EQ(step->build.file, "x86_64-v3.T-f32.so");
  EXPECT_EQ(step->build.toolchain, "clang 1");
}

TEST(CompilePlan, EachLanguageHasCompilerAndBinary) {
  struct Case {
    KernelLanguage language;
    const char* target;
    Tool tool;
    const char* file;
    const char* toolchain;
  };
  constexpr Case kCases[] = {
      {KernelLanguage::kGlsl, "spirv-1.5", Tool::kGlslc, "spirv-1.5.T-f32.spv", "glslc 1"},
      {KernelLanguage::kSpirvAssembly, "spirv-1.3", Tool::kSpirvAs, "spirv-1.3.T-f32.spv", "as 1"},
      {KernelLanguage::kHip, "amdgcn-gfx942:sramecc+:xnack-", Tool::kClang,
       "amdgcn-gfx942_sramecc__xnack-.T-f32.co", "clang 1"},
      {KernelLanguage::kAmdgcnAssembly, "amdgcn-gfx1100", Tool::kClang, "amdgcn-gfx1100.T-f32.co",
       "clang 1"},
      {KernelLanguage::kPtx, "ptx-8.0/sm_80", Tool::kNone, "ptx-8.0_sm_80.T-f32.ptx", "none"},
      {KernelLanguage::kObject, "x86_64-v3", Tool::kNone, "x86_64-v3.T-f32.so", "none"},
      {KernelLanguage::kObject, "nvsass-sm_90", Tool::kNone, "nvsass-sm_90.T-f32.cubin", "none"},
  };
  for (const Case& expected : kCases) {
    const auto step = plan_one(package_in(expected.language, expected.target));
    ASSERT_TRUE(step) << step.error().message();
    EXPECT_EQ(step->tool, expected.tool);
    EXPECT_EQ(step->build.file, expected.file);
    EXPECT_TRUE(store::is_package_file_name(step->build.file));
    EXPECT_EQ(step->build.toolchain, expected.toolchain);
    EXPECT_EQ(step->arguments.empty(), expected.tool == Tool::kNone);
  }
}

TEST(CompilePlan, AssemblyTakesDefinitionsAsSymbols) {
  auto package = package_in(KernelLanguage::kAmdgcnAssembly, "amdgcn-gfx1100");
  add_define(package, "TILE", std::numeric_limits<std::int64_t>::min());
  const auto step = plan_one(package);
  ASSERT_TRUE(step);
  EXPECT_THAT(step->build.flags,
              IsSupersetOf({"-mcpu=gfx1100", "-Wa,-defsym,HALYARD_TYPE_T=2",
                            "-Wa,-defsym,HALYARD_PARAM_TILE=-9223372036854775808"}));
}

TEST(CompilePlan, LanguageWithoutDefinitionsRefusesAParameter) {
  auto package = package_in(KernelLanguage::kSpirvAssembly, "spirv-1.5");
  add_define(package, "TILE", 4);
  const auto step = plan_one(package);
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(step.error().message(),
            "Kernel \"k\": the parameter \"TILE\" is a definition, which spirv-asm has no way to "
            "take.");
}

TEST(CompilePlan, CudaIsOneSentence) {
  const auto step = plan_one(package_in(KernelLanguage::kCuda, "ptx-8.0/sm_80"));
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(step.error().message(),
            "While planning kernel \"k\": No compiler of cuda is known; ptx and object are taken "
            "as they are.");
}

TEST(CompilePlan, MissingCompilerIsNamed) {
  const auto steps = plan_package(package_in(KernelLanguage::kHip, "amdgcn-gfx1100"), "/p", {});
  ASSERT_FALSE(steps);
  EXPECT_EQ(steps.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(steps.error().message(),
            "Kernel \"k\" is in hip, and its compiler, clang, is not there.");
}

TEST(CompilePlan, SourceIsAPlainFileName) {
  for (const char* const name :
       {"", "-fplugin=a.so", "@args", "../a.cpp", "/etc/passwd", "a b", ".hidden", "a\n", "+a"}) {
    auto package = package_in(KernelLanguage::kCpp, "x86_64-v3");
    package.record.source = name;
    const auto step = plan_one(package);
    ASSERT_FALSE(step) << name;
    EXPECT_EQ(step.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_THAT(step.error().message(), HasSubstr("is no plain file name."));
  }
}

TEST(CompilePlan, NamesThatGiveOneDefinitionAreRefused) {
  auto package = package_in(KernelLanguage::kCpp, "x86_64-v3");
  add_define(package, "tile", 4);
  add_define(package, "TILE", 8);
  const auto step = plan_one(package);
  ASSERT_FALSE(step);
  EXPECT_EQ(step.error().message(),
            "Kernel \"k\": the parameter \"tile\" and another give one definition, "
            "HALYARD_PARAM_TILE.");
}

std::string random_name(std::minstd_rand& random) {
  constexpr std::string_view kAlphabet =
      "ABCXYZabcxyz0123456789_-=+,;:@#$%^&*()[]{}<>/\\|'\"`~!? \t\n\r\x01\x7f\xc3\xa9";
  std::string name;
  for (std::size_t length = random() % 12; name.size() < length;)
    name += kAlphabet[random() % kAlphabet.size()];
  return name;
}

bool is_identifier(const std::string& name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

// T-2: what random names and values may add to a command line is definitions of identifiers.
TEST(CompilePlan, RandomNamesReachNoCommandLine) {
  std::minstd_rand random(7);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const bool is_type = i % 2 == 0;
    const std::string name = random_name(random);
    const auto value = static_cast<std::int64_t>(random()) - (std::int64_t{1} << 30);
    auto package = package_in(i % 4 < 2 ? KernelLanguage::kCpp : KernelLanguage::kAmdgcnAssembly,
                              i % 4 < 2 ? "x86_64-v3" : "amdgcn-gfx1100");
    const auto plain = plan_one(package);
    ASSERT_TRUE(plain);
    if (is_type) {
      package.record.types = {{{name, DataType::kF32}}};
    } else {
      add_define(package, name, value);
    }
    const auto step = plan_one(package);
    ASSERT_EQ(step.has_value(), is_identifier(name)) << name;
    if (!step) {
      EXPECT_EQ(step.error().code(), base::ErrorCode::kInvalidArgument);
      ++refused;
      continue;
    }
    ++accepted;
    const std::set<std::string> known(plain->arguments.begin(), plain->arguments.end());
    for (const std::string& argument : step->arguments) {
      if (known.contains(argument)) continue;
      const std::size_t at = argument.find("HALYARD_");
      ASSERT_NE(at, std::string::npos) << argument;
      EXPECT_TRUE(argument.starts_with("-DHALYARD_") ||
                  argument.starts_with("-Wa,-defsym,HALYARD_"))
          << argument;
      EXPECT_EQ(argument.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789=-", at),
                std::string::npos)
          << argument;
    }
  }
  EXPECT_GT(accepted, 100);
  EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace halyard::toolchain
