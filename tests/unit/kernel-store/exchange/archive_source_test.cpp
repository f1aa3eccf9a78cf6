// SPDX-License-Identifier: Apache-2.0
// Archives that do not come from export_store(): each is refused with a sentence, and the store
// stays empty.

#include "kernel-store/exchange/entry_source.h"
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

using base::ErrorCode;
using testing::Entries;
using ::testing::HasSubstr;
using testing::kNow;
using testing::tar_entry;
using testing::tar_header;

const std::string kEnd(1024, '\0');
const std::string kObject = "objects/" + std::string(64, 'a');

class HostileArchive : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(export_store(*filled_.store, {}, good_, nullptr));
    entries_ = testing::read_archive(good_);
    ASSERT_GT(entries_.size(), 4U);
  }

  void expect_refused(ErrorCode code, std::string_view message) {
    const auto store = testing::new_store();
    const auto report = import_store(*store, path_, trust_, kNow);
    ASSERT_FALSE(report) << message;
    EXPECT_EQ(report.error().code(), code) << report.error().message();
    EXPECT_THAT(report.error().message(), HasSubstr(message));
    EXPECT_TRUE(report.error().message().ends_with('.'));
    EXPECT_TRUE(store->list_kernels({}).value().empty());
  }

  // Of the sound entries with `entry` among them.
  void expect_entry_refused(const std::string& entry, std::string_view message,
                            ErrorCode code = ErrorCode::kPermissionDenied) {
    std::string bytes = tar_entry(entries_[0].first, entries_[0].second) + entry;
    for (std::size_t i = 1; i < entries_.size(); ++i)
      bytes += tar_entry(entries_[i].first, entries_[i].second);
    testing::write_file(path_, bytes + kEnd);
    expect_refused(code, message);
  }

  testing::TemporaryDirectory directory_;
  std::string good_ = directory_ / "good.tar";
  std::string path_ = directory_ / "hostile.tar";
  testing::FilledStore filled_;
  TrustList trust_;
  Entries entries_;
};

TEST_F(HostileArchive, RewrittenEntriesAreStillSound) {
  testing::write_archive(path_, entries_);
  const auto store = testing::new_store();
  const auto report = import_store(*store, path_, trust_, kNow);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->added.kernels, 1U);
}

TEST_F(HostileArchive, LinksAndDevicesAreRefused) {
  expect_entry_refused(tar_entry(kObject, "", '1', "/etc/passwd"),
                       "Entry \"" + kObject + "\" of \"" + path_ + "\" is a hard link.");
  expect_entry_refused(tar_entry(kObject, "", '2', "/etc/passwd"),
                       "Entry \"" + kObject + "\" of \"" + path_ + "\" is a symbolic link.");
  expect_entry_refused(tar_entry(kObject, "", '3'), "is a device.");
  expect_entry_refused(tar_entry(kObject, "", '4'), "is a device.");
  expect_entry_refused(tar_entry(kObject, "", '6'), "is a pipe.");
  // A hard link with bytes, which some readers write through.
  expect_entry_refused(tar_entry(kObject, "bytes", '1', "manifest.json"), "is a hard link.");
  expect_entry_refused(tar_entry("objects", "", '2', "/tmp"), "is a symbolic link.");
}

TEST_F(HostileArchive, NamesThatLeadElsewhereAreRefused) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"../escape", "is refused: its name leads out of the export."},
      {"objects/../../escape", "is refused: its name leads out of the export."},
      {"/etc/cron.d/escape", "is refused: its name is an absolute path."},
      {"objects\\..\\escape", "is refused: its name holds a backslash."},
      {"objects/\x1b[2Jescape", "is refused: its name holds a control character."},
      {"objects/./" + std::string(64, 'a'), "is refused: its name has an empty part."},
      {"kernel.json", "is refused: its name is none that an export holds."},
      {"MANIFEST.JSON", "is refused: its name differs from \"manifest.json\" in case only."},
  };
  for (const auto& [name, message] : names)
    expect_entry_refused(tar_entry(name, "bytes"), message);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "escape"));
}

TEST_F(HostileArchive, SpellingsOfUnicodeAreRefused) {
  expect_entry_refused(tar_entry("objects/\xc3\xa9", "bytes"), "hostile.tar\" ");
  expect_entry_refused(tar_entry("objects/e\xcc\x81", "bytes"), "hostile.tar\" ");
}

TEST_F(HostileArchive, FolderWithBytesAndFoldersOfOtherNamesAreRefused) {
  expect_entry_refused(tar_entry("other/", "", '5'), "its name is none that an export holds.");
  expect_entry_refused(tar_entry("manifest.json", "", '5'),
                       "its name is none that an export holds.");
}

TEST_F(HostileArchive, EntryThatIsNotAnnouncedIsRefusedUnread) {
  // It says 128 MiB, of which nothing follows.
  expect_entry_refused(tar_header(kObject, 0777777777UL), "is not announced by the manifest.",
                       ErrorCode::kCorruptData);
  const std::string& name = entries_[1].first;
  expect_entry_refused(tar_header(name, 0777777777UL), "has 134217727 bytes, and the manifest",
                       ErrorCode::kCorruptData);
}

TEST_F(HostileArchive, EntryThatIsThereTwiceIsRefused) {
  expect_entry_refused(tar_entry(entries_[1].first, entries_[1].second), "is there twice.",
                       ErrorCode::kCorruptData);
  expect_entry_refused(tar_entry("manifest.json", "{}"), "is not announced by the manifest.",
                       ErrorCode::kCorruptData);
}

TEST_F(HostileArchive, ManifestComesFirst) {
  Entries entries = entries_;
  std::swap(entries[0], entries[1]);
  testing::write_archive(path_, entries);
  expect_refused(ErrorCode::kCorruptData, "does not begin with manifest.json, as an export does.");
  testing::write_archive(path_, {});
  expect_refused(ErrorCode::kCorruptData, "does not begin with manifest.json, as an export does.");
}

TEST_F(HostileArchive, MissingObjectIsNamed) {
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    Entries entries = entries_;
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
    testing::write_archive(path_, entries);
    expect_refused(ErrorCode::kCorruptData, "Entry \"" + entries_[i].first + "\" of \"" + path_ +
                                                "\" is announced and missing.");
  }
}

TEST_F(HostileArchive, EachFlippedBitOfAnObjectIsRefused) {
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    for (std::size_t bit = 0; bit < entries_[i].second.size() * 8; bit += 97) {
      Entries entries = entries_;
      char& byte = entries[i].second[bit / 8];
      byte = static_cast<char>(byte ^ (1 << (bit % 8)));
      testing::write_archive(path_, entries);
      expect_refused(ErrorCode::kCorruptData, "has the SHA-256 ");
    }
  }
}

TEST_F(HostileArchive, CutArchiveIsRefused) {
  const std::string whole = testing::read_file(good_);
  // What follows the last entry is padding.
  const std::size_t end = whole.find_last_not_of('\0');
  for (std::size_t size = 0; size < end; size += 509) {
    testing::write_file(path_, whole.substr(0, size));
    const auto store = testing::new_store();
    const auto report = import_store(*store, path_, trust_, kNow);
    ASSERT_FALSE(report) << size;
    EXPECT_EQ(report.error().code(), ErrorCode::kCorruptData) << report.error().message();
    EXPECT_TRUE(store->list_kernels({}).value().empty());
  }
}

TEST_F(HostileArchive, JsonBombIsRefused) {
  Entries entries = entries_;
  entries[0].second = std::string(100'000, '[');
  testing::write_archive(path_, entries);
  expect_refused(ErrorCode::kCorruptData, "the nesting is deeper than 8.");
  testing::write_file(path_, tar_header("manifest.json", kMaxManifestBytes + 1));
  expect_refused(ErrorCode::kCorruptData, "has 67108865 bytes, more than 67108864.");
}

TEST_F(HostileArchive, OtherFormatsAreRefused) {
  testing::write_file(path_, "PK\x03\x04 and so on");
  expect_refused(ErrorCode::kCorruptData, "hostile.tar\" ");
  testing::write_file(path_, "");
  expect_refused(ErrorCode::kCorruptData, "hostile.tar\" ");
}

TEST_F(HostileArchive, LinkOrPipeInItsPlaceIsNotFollowed) {
  ASSERT_EQ(::symlink(good_.c_str(), path_.c_str()), 0);
  expect_refused(ErrorCode::kPermissionDenied, "is a symbolic link, which is not followed.");
  ::unlink(path_.c_str());
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_refused(ErrorCode::kPermissionDenied, "is neither a folder nor a regular file.");
}

}  // namespace
}  // namespace halyard::store
