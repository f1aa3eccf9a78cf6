// SPDX-License-Identifier: Apache-2.0
#include "runtime/toolchain/compiler.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace halyard::toolchain {
namespace {

using store::KernelLanguage;
using store::testing::TemporaryDirectory;
using store::testing::write_file;
using ::testing::StartsWith;

std::string fake_compiler(const TemporaryDirectory& directory, std::string_view version) {
  std::string path = directory / "fake-compiler";
  write_file(path, std::string("#!/bin/sh\necho '") + std::string(version) + "'\necho more\n");
  EXPECT_EQ(::chmod(path.c_str(), 0755), 0);
  return path;
}

TEST(Compiler, IdOfClangIsItsVersion) {
  const TemporaryDirectory directory;
  const auto compiler =
      probe_compiler(fake_compiler(directory, "Debian clang version 19.1.7 (3~deb12u1)"));
  ASSERT_TRUE(compiler) << compiler.error().message();
  EXPECT_EQ(compiler->id, "clang 19.1.7");
}

TEST(Compiler, IdOfOthersIsTheirFirstLine) {
  const TemporaryDirectory directory;
  const auto compiler = probe_compiler(fake_compiler(directory, "shaderc 2023.2-1"));
  ASSERT_TRUE(compiler);
  EXPECT_EQ(compiler->id, "shaderc 2023.2-1");
}

TEST(Compiler, MissingOneIsNamed) {
  const auto compiler = probe_compiler("/nowhere/clang");
  ASSERT_FALSE(compiler);
  EXPECT_EQ(compiler.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(compiler.error().message(),
            "The compiler \"/nowhere/clang\" is not there or does not start.");
}

TEST(Compiler, UsualNamesAreFoundByAbsolutePath) {
  const auto compilers = find_compilers({});
  ASSERT_TRUE(compilers) << compilers.error().message();
  for (const Tool tool : {Tool::kClang, Tool::kGlslc, Tool::kSpirvAs}) {
    const Compiler* const compiler = compilers->find(tool);
    ASSERT_NE(compiler, nullptr) << tool_name(tool);
    EXPECT_THAT(compiler->program, StartsWith("/"));
  }
  EXPECT_EQ(compilers->find(Tool::kNone), nullptr);
}

TEST(Compiler, ConfigurationNamesACompiler) {
  const TemporaryDirectory directory;
  base::Configuration configuration;
  configuration.glslc.value = fake_compiler(directory, "shaderc mine");
  const auto compilers = find_compilers(configuration);
  ASSERT_TRUE(compilers);
  EXPECT_EQ(compilers->glslc->id, "shaderc mine");
}

TEST(Compiler, NamedCompilerThatIsMissingIsNoReasonToTakeAnother) {
  base::Configuration configuration;
  configuration.clang.value = "no-such-clang";
  const auto compilers = find_compilers(configuration);
  ASSERT_FALSE(compilers);
  EXPECT_EQ(compilers.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(compilers.error().message(),
            "The compiler \"no-such-clang\" is not there or does not start.");
}

TEST(Compiler, EachLanguageHasItsTool) {
  EXPECT_EQ(*tool_of(KernelLanguage::kCpp), Tool::kClang);
  EXPECT_EQ(*tool_of(KernelLanguage::kHip), Tool::kClang);
  EXPECT_EQ(*tool_of(KernelLanguage::kAmdgcnAssembly), Tool::kClang);
  EXPECT_EQ(*tool_of(KernelLanguage::kGlsl), Tool::kGlslc);
  EXPECT_EQ(*tool_of(KernelLanguage::kSpirvAssembly), Tool::kSpirvAs);
  for (const auto language :
       {KernelLanguage::kPtx, KernelLanguage::kSpirv, KernelLanguage::kObject})
    EXPECT_EQ(*tool_of(language), Tool::kNone);
  const auto cuda = tool_of(KernelLanguage::kCuda);
  ASSERT_FALSE(cuda);
  EXPECT_EQ(cuda.error().code(), base::ErrorCode::kUnsupported);
  EXPECT_EQ(cuda.error().message(),
            "No compiler of cuda is known; ptx and object are taken as they are.");
}

}  // namespace
}  // namespace halyard::toolchain
