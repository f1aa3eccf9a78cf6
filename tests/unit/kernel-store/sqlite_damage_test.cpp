// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_damage.h"

#include "kernel-store/open_store.h"
#include "kernel-store/sqlite_store.h"
#include "tests/unit/kernel-store/fault_vfs.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <string>
#include <vector>

// Each way in which stored bytes go bad is a miss that can be mended, and no error.
namespace halyard::store {
namespace {

using testing::count;
using testing::FaultDisk;
using testing::FaultVfs;
using testing::open;
using testing::tamper;
using testing::TemporaryDirectory;

constexpr std::size_t kHeader = 64;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

// Text without a pattern, beginning as an object file does.
std::string binary(std::size_t size) {
  std::string text =
      "\x7f"
      "ELF";
  std::uint32_t state = 12345;
  while (text.size() < size) {
    state = state * 1664525 + 1013904223;
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

// All truncations at a 64th byte, and all flips of one bit of the first bytes.
std::vector<std::string> damaged_forms(const std::string& text) {
  std::vector<std::string> forms;
  for (std::size_t size = 0; size < text.size(); size += 64)
    forms.push_back(text.substr(0, size));
  for (std::size_t bit = 0; bit < 8 * std::min(kHeader, text.size()); ++bit) {
    forms.push_back(text);
    forms.back()[bit / 8] = static_cast<char>(forms.back()[bit / 8] ^ (1 << bit % 8));
  }
  return forms;
}

class SqliteDamagedBytes : public ::testing::Test {
 protected:
  SqliteDamagedBytes() {
    vfs_.mount(&disk_);
    const auto store = open();
    EXPECT_TRUE(store->put_kernel(package_));
    EXPECT_TRUE(store->put_build({}, bytes_of(code_)));
  }

  std::unique_ptr<KernelStore> open() const { return testing::open(path_); }

  // By a connection of its own.
  void replace_blob(const Digest& digest, const std::string& bytes) const {
    sqlite3* database = nullptr;
    sqlite3_stmt* update = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_prepare_v2(database, "UPDATE blobs SET bytes = ? WHERE sha256 = ?", -1,
                                 &update, nullptr),
              SQLITE_OK);
    sqlite3_bind_blob(update, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
    sqlite3_bind_blob(update, 2, digest.data(), static_cast<int>(digest.size()), SQLITE_STATIC);
    EXPECT_EQ(sqlite3_step(update), SQLITE_DONE);
    EXPECT_EQ(sqlite3_changes(database), 1);
    sqlite3_finalize(update);
    sqlite3_close(database);
  }

  const testing::TemporaryDirectory directory_;
  const std::string path_ = directory_ / "store.sqlite";
  FaultVfs vfs_;
  FaultDisk disk_;
  const KernelPackage package_ = testing::make_package(binary(700));
  const std::string code_ = binary(3000);
};

TEST_F(SqliteDamagedBytes, EachFormOfADamagedBinaryIsAMissThatIsMended) {
  const Digest digest = base::Sha256::of(code_);
  const std::vector<std::string> forms = damaged_forms(code_);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    replace_blob(digest, forms[i]);
    const auto store = open();
    const auto found = store->get_blob(digest);
    ASSERT_TRUE(found) << i << ": " << found.error().message();
    ASSERT_FALSE(found->has_value()) << i;
    ASSERT_TRUE(store->put_build({}, bytes_of(code_)));
    ASSERT_TRUE(store->get_blob(digest)->has_value()) << i;
  }
  const auto verified = open()->upkeep().verify_records([](const DamagedRecord&) {});
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->damaged, 0U);
}

TEST_F(SqliteDamagedBytes, EachFormOfADamagedSourceIsAMissThatIsMended) {
  const std::string& source = package_.files.at("a.cpp");
  const std::vector<std::string> forms = damaged_forms(source);
  for (std::size_t i = 0; i < forms.size(); ++i) {
    replace_blob(base::Sha256::of(source), forms[i]);
    const auto store = open();
    const auto found = store->get_kernel(package_.id);
    ASSERT_TRUE(found) << i << ": " << found.error().message();
    ASSERT_FALSE(found->has_value()) << i;
    ASSERT_TRUE(store->list_kernels("")->empty()) << i;
    ASSERT_TRUE(store->put_kernel(package_));
    ASSERT_TRUE(store->get_kernel(package_.id)->has_value()) << i;
  }
}

// Nothing, the record, or kCorruptData.
template <typename T>
void expect_typed(const base::Result<T>& result) {
  if (!result) {
    EXPECT_EQ(result.error().code(), base::ErrorCode::kCorruptData) << result.error().message();
  }
}

// A page that is rubbish is kCorruptData where SQLite sees it; otherwise the hashes do.
TEST_F(SqliteDamagedBytes, RubbishInAPageIsNeverHandedOut) {
  constexpr std::uint64_t kPage = 4096;
  const FaultDisk sound = disk_.after_crash(testing::Remains::kAll, 0);
  const std::uint64_t pages = sound.size(path_) / kPage;
  ASSERT_GT(pages, 20U);
  std::uint64_t seen = 0;
  for (std::uint64_t page = 0; page < pages; ++page) {
    for (const std::uint64_t from : {0U, 8U, 100U, 2048U}) {
      FaultDisk disk = sound;
      const std::string rubbish = binary(256);
      disk.write(path_, rubbish.data(), rubbish.size(), page * kPage + from);
      vfs_.mount(&disk);
      const auto store = open();
      const auto kernel = store->get_kernel(package_.id);
      expect_typed(kernel);
      if (kernel && *kernel) {
        EXPECT_EQ((*kernel)->files, package_.files);
      }
      const auto blob = store->get_blob(base::Sha256::of(code_));
      expect_typed(blob);
      if (blob && *blob) {
        EXPECT_EQ(base::Sha256::of(**blob), base::Sha256::of(code_));
      }
      const auto build = store->get_build(compute_build_key({}));
      expect_typed(build);
      expect_typed(store->generation());
      expect_typed(store->find_kernels("rms_norm", "x86_64-v3"));
      const auto verified = store->upkeep().verify_records([](const DamagedRecord&) {});
      expect_typed(verified);
      if (!kernel || !*kernel || !blob || !*blob || !verified) ++seen;
    }
  }
  EXPECT_GT(seen, pages);
}

TEST(SqliteDamage, ChangedBlobIsAMissThatIsSetAsideAndCanBePutAgain) {
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

TEST(SqliteDamage, PuttingAChangedBlobAgainMendsIt) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  const auto digest = store->put_blob(std::as_bytes(std::span(text)));
  ASSERT_TRUE(digest);
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_TRUE(store->put_blob(std::as_bytes(std::span(text))));
  EXPECT_TRUE(store->get_blob(*digest)->has_value());
}

TEST(SqliteDamage, ChangedKernelIsAMissThatIsSetAsideAndCanBePutAgain) {
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

TEST(SqliteDamage, PuttingAChangedKernelAgainMendsIt) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(store->put_kernel(package));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_TRUE(store->put_kernel(package));
  EXPECT_TRUE(store->get_kernel(package.id)->has_value());
}

TEST(SqliteDamage, ChangedBuildIsAMissThatCanBePutAgain) {
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

TEST(SqliteDamage, BuildWithoutItsBinaryTakesANewOne) {
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

TEST(SqliteDamage, ChangedEvidenceIsAMissThatCanBePutAgain) {
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

TEST(SqliteDamage, VerifyReportsAndSetsAsideWhatIsDamaged) {
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

TEST(SqliteDamage, VerifyOfAStoreThatCannotBeWrittenOnlyReports) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(open(directory / "s")->put_kernel(testing::make_package()));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'; PRAGMA user_version = 7");
  const auto store = open(directory / "s");
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(store->upkeep().verify_records([](const DamagedRecord&) {})->damaged, 2U);
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 0);
  EXPECT_FALSE(store->get_kernel(testing::make_package().id)->has_value());
}

TEST(SqliteDamage, DamagedApprovalIsAMiss) {
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

}  // namespace
}  // namespace halyard::store
