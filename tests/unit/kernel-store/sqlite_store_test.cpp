// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"

#include "kernel-store/open_store.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <vector>

namespace halyard::store {
namespace {

using testing::become_nobody;
using ::testing::HasSubstr;
using testing::in_child;
using testing::open;
using testing::tamper;
using testing::TemporaryDirectory;
using testing::write_file;

TEST(SqliteStore, TouchesNothingBeforeItsFirstVerb) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "a/b/store.sqlite");
  EXPECT_FALSE(std::filesystem::exists(directory / "a"));
}

TEST(SqliteStore, IsPrivateToTheUser) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a/b/store.sqlite";
  ASSERT_TRUE(open(path)->generation());
  struct stat status {};
  ASSERT_EQ(::stat((directory / "a/b").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(SqliteStore, KeepsRecordsAcrossOpenings) {
  const TemporaryDirectory directory;
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(open(directory / "s")->put_kernel(package));
  const auto found = open(directory / "s")->get_kernel(package.id);
  ASSERT_TRUE(found);
  ASSERT_TRUE(found->has_value());
  EXPECT_EQ((*found)->files, package.files);
}

TEST(SqliteStore, FileThatIsNoDatabaseIsCorruptDataAndStays) {
  const TemporaryDirectory directory;
  const std::string text(5000, 'x');
  write_file(directory / "s", text);
  const auto generation = open(directory / "s")->generation();
  ASSERT_FALSE(generation);
  EXPECT_EQ(generation.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(generation.error().message(), HasSubstr("/s\""));
  EXPECT_EQ(testing::read_file(directory / "s"), text);
}

TEST(SqliteStore, DatabaseOfAnotherProgramIsRefusedAndStays) {
  const TemporaryDirectory directory;
  tamper(directory / "s", "CREATE TABLE theirs (a)");
  const std::string before = testing::read_file(directory / "s");
  const auto generation = open(directory / "s")->generation();
  ASSERT_FALSE(generation);
  EXPECT_EQ(generation.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_THAT(generation.error().message(), HasSubstr("database of another program"));
  EXPECT_EQ(testing::read_file(directory / "s"), before);
}

TEST(SqliteStore, TornPagesAreCorruptData) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package()));
  std::string bytes = testing::read_file(directory / "s");
  std::fill(bytes.begin() + 4096, bytes.end(), '\x5a');
  write_file(directory / "s", bytes);
  const auto kernels = open(directory / "s")->list_kernels("");
  ASSERT_FALSE(kernels);
  EXPECT_EQ(kernels.error().code(), base::ErrorCode::kCorruptData);
}

TEST(SqliteStore, NewerSchemaIsReadOnlyAndSaysWhy) {
  const TemporaryDirectory directory;
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(open(directory / "s")->put_kernel(package));
  tamper(directory / "s", "PRAGMA user_version = 7");
  const auto store = open(directory / "s");
  const auto condition = store->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, StoreCondition::Mode::kReadOnly);
  EXPECT_THAT(condition->reason, HasSubstr("has schema 7 of a newer Halyard; this one knows 2"));
  EXPECT_TRUE(store->get_kernel(package.id)->has_value());
  const auto put = store->put_kernel(package);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), base::ErrorCode::kPermissionDenied);
}

TEST(SqliteStore, FileThatCannotBeWrittenIsReadOnly) {
  const TemporaryDirectory directory;
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(open(directory / "s")->put_kernel(package));
  ASSERT_EQ(::chmod((directory / "s").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(directory.path().c_str(), 0555), 0);
  EXPECT_TRUE(in_child([&] {
    if (!become_nobody()) return false;
    const auto store = open(directory / "s");
    const auto condition = store->condition();
    const auto kernel = store->get_kernel(package.id);
    const auto put = store->put_kernel(package);
    return condition && condition->mode == StoreCondition::Mode::kReadOnly &&
           !condition->reason.empty() && kernel && kernel->has_value() && !put &&
           put.error().code() == base::ErrorCode::kPermissionDenied;
  }));
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
}

TEST(SqliteStore, DirectoryThatCannotBeMadeMeansMemory) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::chmod(directory.path().c_str(), 0555), 0);
  EXPECT_TRUE(in_child([&] {
    if (!become_nobody()) return false;
    const auto store = open(directory / "a/s");
    const auto condition = store->condition();
    return condition && condition->mode == StoreCondition::Mode::kMemory &&
           condition->reason.find("/a") != std::string::npos &&
           store->put_kernel(testing::make_package());
  }));
  ASSERT_EQ(::chmod(directory.path().c_str(), 0755), 0);
}

TEST(SqliteStore, ChildOfForkGetsATypedErrorAndOpensItsOwn) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  ASSERT_TRUE(store->generation());
  EXPECT_TRUE(in_child([&] {
    const auto generation = store->generation();
    return !generation && generation.error().code() == base::ErrorCode::kUnavailable &&
           generation.error().message().find("before fork()") != std::string::npos &&
           open(directory / "s")->generation();
  }));
  EXPECT_TRUE(store->put_kernel(testing::make_package()));
}

TEST(SqliteStore, StoreOpenedAfterForkServesTheChild) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  EXPECT_TRUE(in_child([&] { return store->generation().has_value(); }));
}

TEST(SqliteStore, ProcessesThatStartTogetherLoseNothing) {
  const TemporaryDirectory directory;
  constexpr int kProcesses = 8;
  constexpr int kKernels = 5;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      const auto store = open(directory / "s");
      bool good = true;
      for (int kernel = 0; kernel < kKernels; ++kernel) {
        const std::string source = std::to_string(i) + "/" + std::to_string(kernel);
        good = store->put_kernel(testing::make_package(source)) && good;
        good = store->put_kernel(testing::make_package("the same")) && good;
      }
      ::_exit(good ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  const auto store = open(directory / "s");
  EXPECT_EQ(store->list_kernels("rms_norm")->size(), kProcesses * kKernels + 1U);
  EXPECT_EQ(*store->generation(), kProcesses * kKernels + 2U);
}

TEST(SqliteStore, MarkerOfADeadProcessIsStale) {
  const TemporaryDirectory directory;
  const LaunchMarker marker{testing::make_package().id, "x86_64-v3", "cpu/0123", "cpu 1"};
  const LaunchMarker settled{{}, "x86_64-v3", "cpu/0123", "cpu 1"};
  ASSERT_TRUE(in_child([&] {
    const auto store = open(directory / "s");
    return store->markers().put_marker(marker) && store->markers().put_marker(settled) &&
           store->markers().remove_marker(settled);
  }));
  const auto store = open(directory / "s");
  const auto stale = store->markers().stale_markers();
  ASSERT_TRUE(stale) << stale.error().message();
  ASSERT_EQ(stale->size(), 1U);
  EXPECT_EQ((*stale)[0].kernel, marker.kernel);
  EXPECT_EQ((*stale)[0].driver, marker.driver);
  ASSERT_TRUE(store->markers().clear_stale_markers(marker));
  EXPECT_TRUE(store->markers().stale_markers()->empty());
}

TEST(SqliteStore, MarkersOfOtherHostsAreNotStaleAndThoseOfOtherBootsAre) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  ASSERT_TRUE(store->markers().put_marker({{}, "x86_64-v3", "cpu/0123", "cpu 1"}));
  EXPECT_TRUE(store->markers().stale_markers()->empty());
  tamper(directory / "s", "UPDATE markers SET boot_id = 'before'");
  EXPECT_EQ(store->markers().stale_markers()->size(), 1U);
  tamper(directory / "s", "UPDATE markers SET host = 'elsewhere'");
  EXPECT_TRUE(store->markers().stale_markers()->empty());
}

TEST(SqliteStore, ReusedProcessIdDoesNotHideADeadProcess) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  ASSERT_TRUE(store->markers().put_marker({{}, "x86_64-v3", "cpu/0123", "cpu 1"}));
  tamper(directory / "s", "UPDATE markers SET process_start = process_start - 1");
  EXPECT_EQ(store->markers().stale_markers()->size(), 1U);
}

TEST(SqliteStore, TextOfRecordsIsNeverSql) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  StateChange change;
  change.target = "'); DROP TABLE states; --";
  change.who = "\"';--";
  ASSERT_TRUE(store->append_state(change));
  const auto history = store->states({}, change.target);
  ASSERT_TRUE(history);
  ASSERT_EQ(history->size(), 1U);
  EXPECT_EQ((*history)[0].who, change.who);
  EXPECT_TRUE(store->list_kernels("' OR 1=1")->empty());
}

}  // namespace
}  // namespace halyard::store
