// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace halyard::worker {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

void write_output(const CompileFolder& folder, const std::string& name, std::size_t bytes) {
  std::ofstream(folder.output() + "/" + name) << std::string(bytes, 'x');
}

TEST(CompileFolder, GoesWithAllItHolds) {
  std::string root;
  {
    auto folder = CompileFolder::create();
    ASSERT_TRUE(folder) << folder.error().message();
    root = folder->root();
    ASSERT_TRUE(folder->write_inputs("package", {{"a.cpp", "x"}}));
    write_output(*folder, "object", 3);
    const CompileFolder moved = std::move(*folder);
    EXPECT_TRUE(fs::exists(root));
  }
  EXPECT_FALSE(fs::exists(fs::path(root).parent_path()));
}

TEST(CompileFolder, OthersCannotFindItsName) {
  const auto folder = CompileFolder::create();
  ASSERT_TRUE(folder);
  EXPECT_EQ(mode_of(fs::path(folder->root()).parent_path().string()), 0711U);
  EXPECT_EQ(fs::path(folder->root()).filename().string().size(), 32U);
}

TEST(CompileFolder, InputsAreCopiesOfOneAge) {
  auto folder = CompileFolder::create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->write_inputs("package", {{"a.cpp", "x"}, {"b.h", std::string("\0\xff", 2)}}));
  ASSERT_TRUE(folder->write_inputs("prelude/c++/1", {{"p.h", "y"}}));
  for (const char* const name : {"package/a.cpp", "package/b.h", "prelude/c++/1/p.h"}) {
    struct stat status {};
    ASSERT_EQ(::stat((folder->input() + "/" + name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mtim.tv_sec, 0);
    EXPECT_EQ(status.st_mode & 07777, 0444U);
  }
  EXPECT_EQ(fs::file_size(folder->input() + "/package/b.h"), 2U);
}

TEST(CompileFolder, NamesThatLeadElsewhereAreRefused) {
  auto folder = CompileFolder::create();
  ASSERT_TRUE(folder);
  for (const char* const name : {"../a", "/tmp/a", "a/b", "@args", "-o", "", "."}) {
    const auto written = folder->write_inputs("package", {{name, "x"}});
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_THAT(written.error().message(), HasSubstr("has no plain file name."));
  }
  const auto written = folder->write_inputs("prelude/../../x", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message(), "The folder \"prelude/../../x\" is not of plain names.");
}

TEST(CompileFolder, OutputIsARegularFileWithinItsLimit) {
  auto folder = CompileFolder::create();
  ASSERT_TRUE(folder);
  EXPECT_EQ(folder->read_output("object", 10).error().code(), base::ErrorCode::kNotFound);
  write_output(*folder, "object", 10);
  EXPECT_EQ(folder->read_output("object", 10)->size(), 10U);
  EXPECT_EQ(folder->read_output("object", 9).error().code(), base::ErrorCode::kCorruptData);
  ASSERT_EQ(::symlink("/etc/passwd", (folder->output() + "/link").c_str()), 0);
  EXPECT_EQ(folder->read_output("link", 1 << 20).error().code(),
            base::ErrorCode::kPermissionDenied);
  ASSERT_EQ(::mkfifo((folder->output() + "/pipe").c_str(), 0666), 0);
  EXPECT_EQ(folder->read_output("pipe", 10).error().code(), base::ErrorCode::kPermissionDenied);
}

TEST(CompileFolder, KnowsWhetherAnOutputIsLarge) {
  const auto folder = CompileFolder::create();
  ASSERT_TRUE(folder);
  EXPECT_FALSE(folder->has_output_of(1));
  write_output(*folder, "t.o", 100);
  EXPECT_TRUE(folder->has_output_of(100));
  EXPECT_FALSE(folder->has_output_of(101));
}

}  // namespace
}  // namespace halyard::worker
