// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compiler_files.h"

#include "tests/unit/runtime/worker/compile_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace halyard::worker {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;
using toolchain::Tool;

std::set<std::string> names_of(const CompilerFiles& files) {
  std::set<std::string> names;
  for (const VisiblePath& path : files.visible)
    names.insert(std::filesystem::path(path.inside).filename().string());
  return names;
}

TEST(CompilerFiles, ClangHasItsLinkersAndNoHeaders) {
  const auto files = find_compiler_files(Tool::kClang, testing::compilers().clang->program);
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_THAT(names_of(*files), IsSupersetOf({"ld", "lld", "ld.lld", "libc.so.6"}));
  for (const VisiblePath& path : files->visible) {
    EXPECT_EQ(path.host, path.inside);
    EXPECT_EQ(path.host.find(".."), std::string::npos) << path.host;
    EXPECT_TRUE(std::filesystem::is_regular_file(path.host)) << path.host;
  }
  EXPECT_THAT(files->program, StartsWith("/"));
  EXPECT_FALSE(std::filesystem::is_symlink(files->program));
}

TEST(CompilerFiles, GlslcHasNoLinker) {
  const auto files = find_compiler_files(Tool::kGlslc, testing::compilers().glslc->program);
  ASSERT_TRUE(files);
  EXPECT_FALSE(names_of(*files).contains("ld"));
  EXPECT_LT(files->visible.size(), 12U);
}

TEST(CompilerFiles, EnvironmentIsFixed) {
  const auto files = find_compiler_files(Tool::kSpirvAs, testing::compilers().spirv_as->program);
  ASSERT_TRUE(files);
  ASSERT_EQ(files->environment.size(), 6U);
  EXPECT_THAT(files->environment, IsSupersetOf({"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                                "TMPDIR=../../out", "SOURCE_DATE_EPOCH=0"}));
  EXPECT_THAT(files->environment, Contains(StartsWith("LD_LIBRARY_PATH=/")));
}

TEST(CompilerFiles, MissingProgramIsNotFound) {
  const auto files = find_compiler_files(Tool::kGlslc, "/nowhere/glslc");
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(files.error().message(), "The program \"/nowhere/glslc\" is not there.");
}

}  // namespace
}  // namespace halyard::worker
