// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"

#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_schema.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryDirectory;
using testing::write_file;

std::unique_ptr<KernelStore> open(const std::string& path) {
  auto store = open_store("sqlite:" + path);
  EXPECT_TRUE(store);
  return std::move(*store);
}

// Runs SQL on the file with a connection of its own.
void tamper(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

std::int64_t count(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr), SQLITE_OK) << sql;
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
  const std::int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

// Runs `child` in a process of its own; true when it returned true.
bool in_child(const std::function<bool()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(child() ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// To a user that may write nowhere; root is not stopped by permission bits.
bool become_nobody() {
  return ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
}

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

TEST(SqliteStore, ChangedBlobIsAMissThatIsSetAsideAndCanBePutAgain) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  const auto digest = store->put_blob(std::as_bytes(std::span(text)));
  ASSERT_TRUE(digest);
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  const auto blob = store->get_blob(*digest);
  ASSERT_TRUE(blob) << blob.error().message();
  EXPECT_FALSE(blob->has_value());
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM blobs"), 0);
  EXPECT_EQ(count(directory / "s",
                  "SELECT count(*) FROM damaged WHERE what = 'blob' AND content = "
                  "x'00' AND why LIKE '%has SHA-256%'"),
            1);
  ASSERT_TRUE(store->put_blob(std::as_bytes(std::span(text))));
  EXPECT_TRUE(store->get_blob(*digest)->has_value());
}

TEST(SqliteStore, PuttingAChangedBlobAgainMendsIt) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  const auto digest = store->put_blob(std::as_bytes(std::span(text)));
  ASSERT_TRUE(digest);
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_TRUE(store->put_blob(std::as_bytes(std::span(text))));
  EXPECT_TRUE(store->get_blob(*digest)->has_value());
}

TEST(SqliteStore, ChangedKernelIsAMissThatIsSetAsideAndCanBePutAgain) {
  const KernelPackage package = testing::make_package();
  for (const char* const change :
       {"UPDATE blobs SET bytes = x'00'", "DELETE FROM blobs", "UPDATE kernels SET record = '{}'",
        "UPDATE kernels SET name = 'other'", "UPDATE kernels SET prelude_sha256 = x'00'",
        "UPDATE kernel_files SET name = 'b.cpp'"}) {
    const TemporaryDirectory directory;
    const auto store = open(directory / "s");
    ASSERT_TRUE(store->put_kernel(package));
    const std::uint64_t generation = *store->generation();
    tamper(directory / "s", change);
    const auto found = store->get_kernel(package.id);
    ASSERT_TRUE(found) << change << ": " << found.error().message();
    EXPECT_FALSE(found->has_value()) << change;
    EXPECT_GT(*store->generation(), generation);
    EXPECT_TRUE(store->list_kernels("")->empty()) << change;
    EXPECT_TRUE(store->find_kernels("rms_norm", "x86_64-v3")->empty()) << change;
    ASSERT_TRUE(store->put_kernel(package)) << change;
    EXPECT_TRUE(store->get_kernel(package.id)->has_value()) << change;
    EXPECT_EQ(store->find_kernels("rms_norm", "x86_64-v3")->size(), 1U) << change;
  }
}

TEST(SqliteStore, PuttingAChangedKernelAgainMendsIt) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(store->put_kernel(package));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_TRUE(store->put_kernel(package));
  EXPECT_TRUE(store->get_kernel(package.id)->has_value());
}

TEST(SqliteStore, ChangedBuildIsAMissThatCanBePutAgain) {
  BuildInputs inputs;
  inputs.target = "x86_64-v3";
  inputs.flags = {"-O3"};
  const std::string text = "code";
  for (const char* const change :
       {"UPDATE builds SET flags = '[\"-O2\"]'", "UPDATE builds SET types = '{'",
        "UPDATE builds SET target = 'x'", "UPDATE builds SET parameters = '[]'"}) {
    const TemporaryDirectory directory;
    const auto store = open(directory / "s");
    ASSERT_TRUE(store->put_build(inputs, std::as_bytes(std::span(text))));
    tamper(directory / "s", change);
    EXPECT_FALSE(store->get_build(compute_build_key(inputs))->has_value()) << change;
    EXPECT_TRUE(store->find_builds(inputs.kernel)->empty()) << change;
    ASSERT_TRUE(store->put_build(inputs, std::as_bytes(std::span(text))));
    EXPECT_TRUE(store->get_build(compute_build_key(inputs))->has_value()) << change;
  }
}

TEST(SqliteStore, BuildWithoutItsBinaryTakesANewOne) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  const std::string other = "other code";
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(text))));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  EXPECT_FALSE(store->get_blob(base::Sha256::of(text))->has_value());
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(other))));
  EXPECT_EQ((*store->get_build(compute_build_key({})))->blob, base::Sha256::of(other));
}

TEST(SqliteStore, ChangedEvidenceIsAMissThatCanBePutAgain) {
  const EvidenceRecord record = testing::make_evidence({});
  for (const char* const change :
       {"UPDATE evidence SET record = replace(record, 'pass', 'fail')",
        "UPDATE evidence SET driver = 'cpu 2'", "UPDATE evidence SET kind = 'hardware'"}) {
    const TemporaryDirectory directory;
    const auto store = open(directory / "s");
    ASSERT_TRUE(store->put_evidence(record));
    tamper(directory / "s", change);
    const auto found = store->find_evidence({record.kernel, {}, {}, {}, {}, {}});
    ASSERT_TRUE(found) << found.error().message();
    EXPECT_TRUE(found->empty()) << change;
    EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged WHERE what = 'evidence'"), 1);
    ASSERT_TRUE(store->put_evidence(record));
    EXPECT_EQ(store->find_evidence({record.kernel, {}, {}, {}, {}, {}})->size(), 1U) << change;
  }
}

TEST(SqliteStore, VerifyReportsAndSetsAsideWhatIsDamaged) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  ASSERT_TRUE(store->put_kernel(testing::make_package("a")));
  ASSERT_TRUE(store->put_kernel(testing::make_package("b")));
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(text))));
  ASSERT_TRUE(store->put_evidence(testing::make_evidence({})));
  tamper(directory / "s",
         "UPDATE builds SET driver = 'x'; UPDATE evidence SET record = '{}'; "
         "UPDATE blobs SET bytes = x'00' WHERE bytes = CAST('a' AS BLOB)");
  std::vector<std::string> damaged;
  const auto report = [&](const DamagedRecord& record) { damaged.push_back(record.what); };
  const auto verified = store->upkeep().verify_records(report);
  ASSERT_TRUE(verified) << verified.error().message();
  EXPECT_EQ(verified->records, 7U);
  EXPECT_EQ(verified->damaged, 4U);
  EXPECT_THAT(damaged, ::testing::ElementsAre("blob", "kernel", "build", "evidence"));
  EXPECT_EQ(store->upkeep().verify_records(report)->damaged, 0U);
  EXPECT_EQ(store->list_kernels("")->size(), 1U);
}

TEST(SqliteStore, VerifyOfAStoreThatCannotBeWrittenOnlyReports) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package()));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'; PRAGMA user_version = 7");
  const auto store = open(directory / "s");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(store->upkeep().verify_records([](const DamagedRecord&) {})->damaged, 2U);
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 0);
  EXPECT_FALSE(store->get_kernel(testing::make_package().id)->has_value());
}

TEST(SqliteStore, CollectingRemovesBuildsWithoutABinaryAndOldDamage) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(text))));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_FALSE(store->get_blob(base::Sha256::of(text))->has_value());
  CollectBounds bounds;
  bounds.older_than = std::chrono::hours(1);
  EXPECT_EQ(store->upkeep().collect_garbage(bounds)->builds, 1U);
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 1);
  ASSERT_TRUE(store->upkeep().collect_garbage({}));
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 0);
}

TEST(SqliteStore, CollectingTakesTheBuildThatWasUnusedForLongest) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string old_code(1000, 'o');
  const std::string new_code(1000, 'n');
  BuildInputs old_inputs;
  old_inputs.driver = "old";
  ASSERT_TRUE(store->put_build(old_inputs, std::as_bytes(std::span(old_code))));
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(new_code))));
  tamper(directory / "s",
         "UPDATE builds SET used_ms = used_ms - 200000000 WHERE driver = ''; "
         "UPDATE builds SET used_ms = used_ms - 300000000 WHERE driver = 'old'");
  ASSERT_TRUE(store->get_build(compute_build_key(old_inputs))->has_value());  // Notes the use.
  CollectBounds bounds;
  bounds.blob_bytes = 1500;
  EXPECT_EQ(store->upkeep().collect_garbage(bounds)->builds, 1U);
  EXPECT_TRUE(store->get_build(compute_build_key(old_inputs))->has_value());
}

TEST(SqliteStore, LeaseEndsThoughTheClockIsPutBack) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  RequestQueue& requests = store->requests();
  ASSERT_TRUE(requests.put_request(RequestKind::kKernel, "", "{}"));
  const auto first = requests.claim_request("one", {}, std::chrono::seconds(60));
  ASSERT_TRUE(first && first->has_value());
  // As if it were claimed half a minute, then two minutes, after now.
  tamper(directory / "s",
         "UPDATE requests SET lease_from_ms = lease_from_ms + 30000, "
         "lease_until_ms = lease_until_ms + 30000");
  EXPECT_FALSE(requests.claim_request("two", {}, std::chrono::seconds(60))->has_value());
  tamper(directory / "s",
         "UPDATE requests SET lease_from_ms = lease_from_ms + 90000, "
         "lease_until_ms = lease_until_ms + 90000");
  EXPECT_FALSE(requests.renew_claim(**first, std::chrono::seconds(60)));
  EXPECT_TRUE(requests.claim_request("two", {}, std::chrono::seconds(60))->has_value());
}

TEST(SqliteStore, DamagedApprovalIsAMiss) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  Approval approval;
  approval.origin =
      *digest_from_text("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  approval.target = "x86_64-v3";
  approval.state = KernelState::kRetired;
  approval.sequence = 3;
  const SignedApproval put{approval_json(approval), {}};
  ASSERT_TRUE(store->approvals().put_approval(put));
  tamper(directory / "s", "UPDATE approvals SET sequence = 2");
  EXPECT_TRUE(store->approvals().find_approvals({})->empty());
  ASSERT_TRUE(store->approvals().put_approval(put));
  EXPECT_EQ(store->approvals().find_approvals({})->size(), 1U);
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

TEST(SqliteStore, StoreOfSchema1IsBroughtUpToDateWithWhatItHolds) {
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

TEST(SqliteStore, StoreOfSchema1OnReadOnlyMediaIsRead) {
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
TEST(SqliteStore, SecondOpeningInAProcessKeepsTheLocksOfTheFirst) {
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
