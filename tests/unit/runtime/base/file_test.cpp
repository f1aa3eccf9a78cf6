// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <iterator>

namespace halyard::base {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "halyard_file_XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::string folder_;
};

TEST_F(FileTest, WrittenBytesAreReadBack) {
  const std::string text("a\0b\n", 4);
  ASSERT_TRUE(write_file_atomic(path("x"), text));
  EXPECT_EQ(read_text_file(path("x"), 4).value(), text);
  EXPECT_EQ(read_file(path("x"), 100).value().size(), 4U);
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, WritingReplacesAndSetsTheMode) {
  ASSERT_TRUE(write_file_atomic(path("x"), "a long first text"));
  ASSERT_TRUE(write_file_atomic(path("x"), "b", 0600));
  EXPECT_EQ(read_text_file(path("x"), 100).value(), "b");
  struct stat facts = {};
  ASSERT_EQ(stat(path("x").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(FileTest, PipeIsNotReplaced) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(path("pipe"), path("link"));
  for (const char* const name : {"pipe", "link"}) {
    const Status written = write_file_atomic(path(name), "x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code(), ErrorCode::kIoError);
    EXPECT_EQ(written.error().message(),
              "Cannot replace " + path(name) + ": it is not a regular file.");
  }
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(entries(), 2);
}

TEST_F(FileTest, StagedFileTakesItsPlaceWhenCommittedAndGoesWhenNot) {
  const std::string text = "new";
  const auto bytes = std::as_bytes(std::span<const char>(text.data(), text.size()));
  ASSERT_TRUE(write_file_atomic(path("x"), "old"));
  {
    const auto dropped = StagedFile::write(path("x"), bytes);
    ASSERT_TRUE(dropped);
    EXPECT_EQ(entries(), 2);
  }
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(read_text_file(path("x"), 100).value(), "old");
  auto staged = StagedFile::write(path("x"), bytes);
  ASSERT_TRUE(staged);
  StagedFile moved = std::move(*staged);
  ASSERT_TRUE(moved.commit());
  EXPECT_EQ(entries(), 1);
  EXPECT_EQ(read_text_file(path("x"), 100).value(), "new");
}

TEST_F(FileTest, EmptyFileIsRead) {
  ASSERT_TRUE(write_file_atomic(path("x"), ""));
  EXPECT_EQ(read_text_file(path("x"), 0).value(), "");
}

TEST_F(FileTest, FilesWithoutAKnownSizeAreRead) {
  EXPECT_FALSE(read_text_file("/proc/self/status", 1 << 20).value().empty());
}

TEST_F(FileTest, LargerFileIsRefusedWithItsLimit) {
  ASSERT_TRUE(write_file_atomic(path("x"), "12345"));
  const auto text = read_text_file(path("x"), 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::kCorruptData);
  EXPECT_EQ(text.error().message(), "The file " + path("x") + " has more than 4 bytes.");
}

TEST_F(FileTest, MissingFileNamesPathAndReason) {
  const auto text = read_text_file(path("absent"), 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(text.error().message(),
            "Cannot open " + path("absent") + ": No such file or directory.");
}

TEST_F(FileTest, DirectoryIsNoFile) {
  const auto text = read_text_file(folder_, 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message(), "Cannot read " + folder_ + ": it is not a regular file.");
}

TEST_F(FileTest, FailedWriteLeavesNothingBehind) {
  std::filesystem::create_directories(path("taken/child"));
  const Status written = write_file_atomic(path("taken"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kIoError);
  EXPECT_EQ(written.error().message(), "Cannot replace " + path("taken") + ": Is a directory.");
  EXPECT_EQ(entries(), 1);
}

TEST_F(FileTest, WriteIntoMissingFolderFails) {
  const Status written = write_file_atomic(path("absent/x"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kNotFound);
}

TEST_F(FileTest, DirectoriesAreMadePrivate) {
  ASSERT_TRUE(make_private_directories(path("a/b/c")));
  ASSERT_TRUE(make_private_directories(path("a/b/c")));
  ASSERT_TRUE(make_private_directories(path("a/d/")));
  struct stat facts = {};
  ASSERT_EQ(stat(path("a/b").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0700U);
}

TEST_F(FileTest, DirectoryOverAFileIsRefused) {
  ASSERT_TRUE(write_file_atomic(path("x"), "x"));
  for (const std::string& wanted : {path("x"), path("x/y")}) {
    const Status made = make_private_directories(wanted);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message(), "Cannot make the directory " + wanted + ": Not a directory.");
  }
}

}  // namespace
}  // namespace halyard::base
