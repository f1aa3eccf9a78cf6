// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/guarded_file.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

class GuardedFile : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_file(path_, "text");
    ASSERT_EQ(::chmod(path_.c_str(), 0644), 0);
  }

  void expect_refused(std::string_view message) {
    const auto text = read_guarded_file(path_, 100);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code(), ErrorCode::kPermissionDenied);
    EXPECT_EQ(text.error().message(),
              "\"" + path_ + "\" is not used: " + std::string(message) + ".");
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "file";
};

TEST_F(GuardedFile, ReadsWhatOnlyTheOwnerWrites) {
  const auto text = read_guarded_file(path_, 4);
  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(*text, "text");
}

TEST_F(GuardedFile, AbsenceIsNoError) {
  const auto text = read_guarded_file(directory_ / "other", 100);
  ASSERT_TRUE(text);
  EXPECT_FALSE(text->has_value());
}

TEST_F(GuardedFile, TooManyBytesAreRefused) {
  const auto text = read_guarded_file(path_, 3);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::kCorruptData);
  EXPECT_EQ(text.error().message(), "\"" + path_ + "\" has more than 3 bytes.");
}

TEST_F(GuardedFile, ThatOthersWriteIsRefused) {
  ASSERT_EQ(::chmod(path_.c_str(), 0664), 0);
  expect_refused("its mode 0664 lets group or others write it");
  ASSERT_EQ(::chmod(path_.c_str(), 0646), 0);
  expect_refused("its mode 0646 lets group or others write it");
}

TEST_F(GuardedFile, InAFolderThatOthersWriteIsRefused) {
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0777), 0);
  expect_refused("the mode 0777 of its folder lets group or others replace it");
  // In a sticky one they cannot.
  ASSERT_EQ(::chmod(directory_.path().c_str(), 01777), 0);
  EXPECT_TRUE(read_guarded_file(path_, 100));
}

TEST_F(GuardedFile, LinkPipeAndFolderAreRefused) {
  const std::string target = directory_ / "target";
  testing::write_file(target, "text");
  ::unlink(path_.c_str());
  ASSERT_EQ(::symlink(target.c_str(), path_.c_str()), 0);
  expect_refused("it is a symbolic link");
  ::unlink(path_.c_str());
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_refused("it is no regular file");
  ::unlink(path_.c_str());
  ASSERT_EQ(::mkdir(path_.c_str(), 0700), 0);
  expect_refused("it is no regular file");
}

TEST_F(GuardedFile, OfAnotherUserIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "Only root gives a file to another user.";
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  expect_refused("it belongs to user 12345, not to user 0 or root");
  ASSERT_EQ(::chown(path_.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(directory_.path().c_str(), 12345, 12345), 0);
  expect_refused("its folder belongs to user 12345, not to user 0 or root");
}

}  // namespace
}  // namespace halyard::store
