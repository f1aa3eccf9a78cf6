// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_open.h"

#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_schema.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>

namespace {

// The type that every file system seems to have; 0 for its own.
std::atomic<decltype(statfs::f_type)> seeming_type{0};

}  // namespace

// Takes the place of the C library's.
extern "C" int statfs(const char* path, struct statfs* facts) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_statfs, path, facts));
  if (const auto type = seeming_type.load(); result == 0 && type != 0) facts->f_type = type;
  return result;
}

namespace halyard::store {
namespace {

using testing::become_nobody;
using testing::count;
using ::testing::HasSubstr;
using testing::in_child;
using testing::open;
using testing::tamper;
using testing::TemporaryDirectory;

constexpr auto kNfs = 0x6969;
constexpr auto kFuse = 0x65735546;

class SeemingFileSystem {
 public:
  explicit SeemingFileSystem(decltype(statfs::f_type) type) { seeming_type = type; }
  ~SeemingFileSystem() { seeming_type = 0; }
};

TEST(SqliteOpen, StoreOnANetworkFileSystemIsReadAndNotWritten) {
  const TemporaryDirectory directory;
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE((*open_store(directory / "s"))->put_kernel(package));
  const std::string before = testing::read_file(directory / "s");
  const SeemingFileSystem network(kNfs);
  const auto store = *open_store(directory / "s");
  const auto condition = store->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, StoreCondition::Mode::kReadOnly);
  EXPECT_EQ(condition->reason, "Directory \"" + directory.path() +
                                   "\" is on a network file system (NFS), where a store is not "
                                   "written.");
  EXPECT_TRUE(store->get_kernel(package.id)->has_value());
  const auto put = store->put_kernel(testing::make_package("other"));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_THAT(put.error().message(), HasSubstr("network file system (NFS)"));
  EXPECT_EQ(testing::read_file(directory / "s"), before);
  EXPECT_FALSE(std::filesystem::exists(directory / "s-wal"));
}

TEST(SqliteOpen, NoStoreIsMadeOnANetworkFileSystem) {
  const TemporaryDirectory directory;
  const SeemingFileSystem network(kNfs);
  const auto store = *open_store(directory / "s");
  const auto condition = store->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, StoreCondition::Mode::kMemory);
  EXPECT_THAT(condition->reason, HasSubstr("network file system (NFS)"));
  EXPECT_TRUE(store->put_kernel(testing::make_package()));
  EXPECT_FALSE(std::filesystem::exists(directory / "s"));
}

std::string journal_of(const std::string& path) {
  const auto opened = open_sqlite(path);
  EXPECT_TRUE(opened) << opened.error().message();
  return *opened->database->text_of("PRAGMA journal_mode");
}

TEST(SqliteOpen, LogIsWrittenAheadOnlyWhereMemoryIsShared) {
  const TemporaryDirectory directory;
  EXPECT_EQ(journal_of(directory / "s"), "wal");
  const SeemingFileSystem user_space(kFuse);
  EXPECT_EQ(journal_of(directory / "s"), "delete");
  EXPECT_EQ(journal_of(directory / "t"), "delete");
}

TEST(SqliteOpen, SyncsWhatItCommits) {
  const TemporaryDirectory directory;
  const auto opened = open_sqlite(directory / "s");
  ASSERT_TRUE(opened);
  EXPECT_EQ(*opened->database->integer_of("PRAGMA synchronous"), 3);  // EXTRA.
}

// A file of schema 1 as its release made it.
void make_schema_1(const std::string& path) {
  const std::string sql = "PRAGMA journal_mode = WAL; BEGIN; " +
                          std::string(sqlite_migrations()[0]) +
                          "PRAGMA application_id = 0x484c5944; PRAGMA user_version = 1; COMMIT; ";
  tamper(path, sql);
  tamper(
      path,
      "PRAGMA foreign_keys = ON;"
      "INSERT INTO blobs VALUES (zeroblob(32), x'01');"
      "INSERT INTO kernels VALUES (zeroblob(32), 'gemm', 'k', '1.0.0', "
      "'{\"targets\":[\"gfx1100\",\"gfx1200\"]}', NULL, 5);"
      "INSERT INTO kernels VALUES (x'" +
          std::string(64, '1') +
          "', 'gemm', 'broken', '1.0.0', "
          "'{\"targets\":', NULL, 5);"
          "INSERT INTO kernel_files VALUES (zeroblob(32), 'a', zeroblob(32));"
          "INSERT INTO states (kernel, target, first_driver, last_driver, state, who, why, "
          "time_ms) "
          "VALUES (zeroblob(32), 'gfx1100', '', '', 'verified', 'me', 'so', 7);"
          "INSERT INTO requests (id, document, status, token, lease_until_ms, created_ms) VALUES "
          "(zeroblob(32), '{}', 'claimed', 3, 9223372036854775807, 8);");
}

TEST(SqliteOpen, StoreOfSchema1IsBroughtUpToDateWithWhatItHolds) {
  const TemporaryDirectory directory;
  make_schema_1(directory / "s");
  std::string sql = "INSERT INTO builds VALUES (";
  BuildInputs inputs{};
  inputs.target = "gfx1100";
  sql += "x'" + digest_text(compute_build_key(inputs)) +
         "', zeroblob(32), 'gfx1100', '{}', '{}', '', '', '[]', zeroblob(32), 6)";
  tamper(directory / "s", sql);
  const auto store = open(directory / "s");
  const auto condition = store->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, StoreCondition::Mode::kReadWrite);
  EXPECT_EQ(store->find_kernels("gemm", "gfx1100")->size(), 1U);
  EXPECT_EQ(store->find_kernels("gemm", "gfx1200")->size(), 1U);
  EXPECT_EQ(store->list_kernels("gemm")->size(), 2U);
  EXPECT_TRUE(store->get_build(compute_build_key(inputs))->has_value());
  const auto history = store->states({}, "gfx1100");
  ASSERT_TRUE(history && history->size() == 1);
  EXPECT_EQ((*history)[0].state, KernelState::kVerified);
  EXPECT_EQ((*history)[0].share_percent, 100U);
  EXPECT_TRUE((*history)[0].where.empty());
  const auto claim = store->requests().claim_request("me", {}, std::chrono::seconds(9));
  ASSERT_TRUE(claim && claim->has_value());
  EXPECT_EQ((*claim)->token, 4U);
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM kernel_files"), 1);
  EXPECT_EQ(count(directory / "s", "PRAGMA user_version"), 2);
}

// The version is the place of the next migration.
TEST(SqliteOpen, SchemaBelowZeroIsRefused) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package("a")));
  tamper(directory / "s", "PRAGMA user_version = -5");
  const auto condition = open(directory / "s")->condition();
  ASSERT_FALSE(condition);
  EXPECT_EQ(condition.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(condition.error().message(), HasSubstr("has the schema -5, which is below 0."));
}

TEST(SqliteOpen, StoreOfSchema1OnReadOnlyMediaIsRead) {
  const TemporaryDirectory directory;
  make_schema_1(directory / "s");
  ASSERT_EQ(::chmod((directory / "s").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0555), 0);
  EXPECT_TRUE(in_child([&] {
    if (!become_nobody()) return false;
    const auto store = open(directory / "s");
    const auto condition = store->condition();
    return condition && condition->mode == StoreCondition::Mode::kReadOnly &&
           store->find_kernels("gemm", "gfx1200")->size() == 1 &&
           !store->markers().put_marker({{}, "", "", ""});
  }));
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
}

// To close a file ends all locks that the process has on it.
TEST(SqliteOpen, SecondOpeningInAProcessKeepsTheLocksOfTheFirst) {
  const TemporaryDirectory directory;
  const auto first = open(directory / "s");
  ASSERT_TRUE(first->put_kernel(testing::make_package("a")));
  ASSERT_TRUE(open(directory / "s")->generation());
  EXPECT_TRUE(in_child([&] {
    // The last user of a store removes its log; this one is not the last.
    return open(directory / "s")->generation() && std::filesystem::exists(directory / "s-wal");
  }));
  EXPECT_TRUE(std::filesystem::exists(directory / "s-wal"));
  EXPECT_TRUE(first->put_kernel(testing::make_package("b")));
  EXPECT_EQ(open(directory / "s")->list_kernels("")->size(), 2U);
}

TEST(SqliteOpen, WhatIsNoRegularFileIsNamedAsSuch) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "folder");
  ASSERT_EQ(::mkfifo((directory / "pipe").c_str(), 0600), 0);
  for (const std::string& path : {std::string(directory / "folder"),
                                  std::string(directory / "pipe"), std::string("/dev/zero")}) {
    const auto kernels = open(path)->list_kernels("");
    ASSERT_FALSE(kernels);
    EXPECT_EQ(kernels.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_THAT(kernels.error().message(),
                HasSubstr("\"" + path + "\" does not open: it is no regular file."));
  }
}

TEST(SqliteOpen, DiskThatTakesNoMoreIsNamedAndTheStoreIsThereAfterwards) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package("a")));
  EXPECT_TRUE(in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    const auto put = open(directory / "s")->put_kernel(testing::make_package("b"));
    return !put && put.error().code() == base::ErrorCode::kIoError &&
           put.error().message().find("File too large") != std::string::npos;
  }));
  EXPECT_TRUE(open(directory / "s")->put_kernel(testing::make_package("b")));
  EXPECT_EQ(open(directory / "s")->list_kernels("")->size(), 2U);
}

TEST(SqliteOpen, StoreWhoseFileIsGoneIsReadAndNotWritten) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  ASSERT_TRUE(store->put_kernel(testing::make_package("a")));
  for (const char* const name : {"s", "s-wal", "s-shm"})
    std::filesystem::remove(directory / name);
  const auto put = store->put_kernel(testing::make_package("b"));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(put.error().message(),
              HasSubstr("its file was removed or replaced since it was opened."));
  EXPECT_EQ(store->list_kernels("")->size(), 1U);
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package("b")));
  EXPECT_FALSE(store->put_kernel(testing::make_package("c")));
}

}  // namespace
}  // namespace halyard::store
