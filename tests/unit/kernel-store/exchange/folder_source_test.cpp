// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/export.h"
#include "kernel-store/exchange/import.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace halyard::store {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using ::testing::HasSubstr;
using testing::kNow;

class HostileFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(export_store(*filled_.store, {}, path_, nullptr));
    for (const auto& file : fs::directory_iterator(path_ + "/objects"))
      object_ = file.path();
    testing::write_file(outside_, "secret");
  }

  void expect_refused(ErrorCode code, std::string_view message) {
    const auto store = testing::new_store();
    const auto report = import_store(*store, path_, trust_, kNow);
    ASSERT_FALSE(report) << message;
    EXPECT_EQ(report.error().code(), code) << report.error().message();
    EXPECT_THAT(report.error().message(), HasSubstr(message));
    EXPECT_TRUE(store->list_kernels({}).value().empty());
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "export";
  std::string outside_ = directory_ / "outside";
  testing::FilledStore filled_;
  TrustList trust_;
  fs::path object_;
};

TEST_F(HostileFolder, SoundOneIsTaken) {
  EXPECT_TRUE(is_export(path_));
  const auto store = testing::new_store();
  const auto report = import_store(*store, path_, trust_, kNow);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->added.kernels, 1U);
}

TEST_F(HostileFolder, LinkInPlaceOfAnObjectIsNotFollowed) {
  fs::remove(object_);
  ASSERT_EQ(::symlink(outside_.c_str(), object_.c_str()), 0);
  expect_refused(ErrorCode::kPermissionDenied,
                 "is a symbolic link or of another kind than its name says.");
}

TEST_F(HostileFolder, LinkInPlaceOfTheObjectsIsNotFollowed) {
  fs::rename(path_ + "/objects", directory_ / "elsewhere");
  ASSERT_EQ(::symlink((directory_ / "elsewhere").c_str(), (path_ + "/objects").c_str()), 0);
  expect_refused(ErrorCode::kPermissionDenied,
                 "Entry \"objects\" of \"" + path_ +
                     "\" is a symbolic link or of another kind than its name says.");
}

TEST_F(HostileFolder, LinkInPlaceOfTheManifestIsNotFollowed) {
  fs::rename(path_ + "/manifest.json", outside_);
  ASSERT_EQ(::symlink(outside_.c_str(), (path_ + "/manifest.json").c_str()), 0);
  expect_refused(ErrorCode::kPermissionDenied,
                 "Entry \"manifest.json\" of \"" + path_ + "\" is a symbolic link");
}

TEST_F(HostileFolder, PipeAndFolderInPlaceOfAnObjectAreRefused) {
  fs::remove(object_);
  ASSERT_EQ(::mkfifo(object_.c_str(), 0600), 0);
  expect_refused(ErrorCode::kPermissionDenied, "is no regular file.");
  fs::remove(object_);
  ASSERT_EQ(::mkdir(object_.c_str(), 0700), 0);
  expect_refused(ErrorCode::kPermissionDenied, "is no regular file.");
}

TEST_F(HostileFolder, OtherNamesAreRefused) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"/notes.txt", "Entry \"notes.txt\" of \"" + path_ +
                         "\" is refused: its name is none that an export holds."},
      {"/Manifest.json", "differs from \"manifest.json\" in case only."},
      {"/objects/" + std::string(64, 'A'), "in case only."},
      {"/objects/\xc3\xa9", "holds a character beyond ASCII, which has more than one spelling."},
      {"/objects/a\nb", "Entry \"objects/a\\x0ab\" of"},
      {"/.hidden", "is none that an export holds."},
  };
  for (const auto& [name, message] : names) {
    testing::write_file(path_ + name, "bytes");
    expect_refused(ErrorCode::kPermissionDenied, message);
    fs::remove(path_ + name);
  }
}

TEST_F(HostileFolder, ObjectThatIsNotAnnouncedIsRefused) {
  testing::write_file(path_ + "/objects/" + std::string(64, 'a'), "bytes");
  expect_refused(ErrorCode::kCorruptData, "is not announced by the manifest.");
}

TEST_F(HostileFolder, ChangedAndMissingObjectsAreNamed) {
  std::string bytes = testing::read_file(object_);
  bytes[0] = static_cast<char>(bytes[0] ^ 1);
  testing::write_file(object_, bytes);
  expect_refused(ErrorCode::kCorruptData, "Entry \"objects/" + object_.filename().string() +
                                              "\" of \"" + path_ + "\" has the SHA-256 ");
  testing::write_file(object_, bytes + "x");
  expect_refused(ErrorCode::kCorruptData, "and the manifest announces");
  fs::remove(object_);
  expect_refused(ErrorCode::kCorruptData, "is announced and missing.");
  fs::remove_all(path_ + "/objects");
  expect_refused(ErrorCode::kCorruptData, "is announced and missing.");
}

TEST_F(HostileFolder, WithoutManifestIsNoExport) {
  fs::remove(path_ + "/manifest.json");
  EXPECT_FALSE(is_export(path_));
  expect_refused(ErrorCode::kCorruptData, "does not begin with manifest.json, as an export does.");
}

}  // namespace
}  // namespace halyard::store
