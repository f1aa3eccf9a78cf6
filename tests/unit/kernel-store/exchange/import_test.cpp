// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/import.h"

#include "kernel-store/exchange/export.h"
#include "kernel-store/exchange/manifest.h"
#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/public_key.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"
#include "tests/unit/kernel-store/exchange/failing_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::Contains;
using testing::Entries;
using ::testing::HasSubstr;
using testing::kNow;

class Import : public ::testing::Test {
 protected:
  void write(const SigningKey* signer = nullptr) {
    const auto written = export_store(*filled_.store, {}, path_, signer);
    ASSERT_TRUE(written) << written.error().message();
  }

  ExchangeReport import() {
    auto report = import_store(*store_, path_, trust_, kNow);
    EXPECT_TRUE(report) << report.error().message();
    return report ? std::move(*report) : ExchangeReport();
  }

  void expect_refused(ErrorCode code, std::string_view message) {
    const auto report = import_store(*store_, path_, trust_, kNow);
    ASSERT_FALSE(report) << message;
    EXPECT_EQ(report.error().code(), code) << report.error().message();
    EXPECT_THAT(report.error().message(), HasSubstr(message));
    EXPECT_TRUE(store_->list_kernels({}).value().empty());
  }

  // Writes the export with its manifest changed, and `added` behind the other entries.
  void change_manifest(const std::function<void(Manifest&)>& change, Entries added = {}) {
    write();
    Entries entries = testing::read_archive(path_);
    auto manifest = parse_manifest(entries[0].second, "m");
    ASSERT_TRUE(manifest);
    change(*manifest);
    entries[0].second = manifest_json(*manifest);
    entries.insert(entries.end(), added.begin(), added.end());
    // What nothing names any more goes.
    std::erase_if(entries, [&](const auto& entry) {
      const auto digest = digest_from_text(entry.first.substr(entry.first.find('/') + 1));
      return digest && !manifest->objects.contains(*digest);
    });
    testing::write_archive(path_, entries);
  }

  testing::TemporaryDirectory directory_;
  std::string path_ = directory_ / "a.tar";
  testing::FilledStore filled_;
  TrustList trust_;
  std::unique_ptr<KernelStore> store_ = testing::new_store();
};

TEST_F(Import, SignatureOfATrustedKeyVouchesForEvidenceAndBuilds) {
  const auto signer = SigningKey::create();
  ASSERT_TRUE(signer);
  write(&*signer);
  const ExchangeReport unknown = import();
  EXPECT_EQ(unknown.signer, "");
  EXPECT_THAT(unknown.notes, Contains(HasSubstr("which is not trusted, so its signature adds")));
  EXPECT_EQ(unknown.added.kernels, 1U);
  EXPECT_EQ(unknown.added.builds, 0U);
  EXPECT_EQ(unknown.added.evidence, 0U);
  ASSERT_TRUE(trust_.add(testing::trusted(*signer, "fleet")));
  const ExchangeReport known = import();
  EXPECT_EQ(known.signer, "fleet");
  EXPECT_EQ(known.added.kernels, 0U);
  EXPECT_EQ(known.added.builds, 1U);
  EXPECT_EQ(known.added.evidence, 1U);  // Not the self-test.
  EXPECT_EQ(known.added.states, 0U);
}

TEST_F(Import, SignatureCountsInTheTimeOfItsKeyAndForVerifiedOnly) {
  const auto signer = SigningKey::create();
  ASSERT_TRUE(signer);
  write(&*signer);
  const std::vector<std::pair<std::function<void(TrustedKey&)>, std::string>> faults = {
      {[](TrustedKey& key) { key.expires_ms = kNow; }, "the trust in which has ended"},
      {[](TrustedKey& key) { key.not_before_ms = kNow + 1; }, "which is not trusted yet"},
      {[](TrustedKey& key) { key.may_say = {KernelState::kRetired}; },
       "which may not say verified"},
  };
  for (const auto& [spoil, message] : faults) {
    TrustedKey key = testing::trusted(*signer, "fleet");
    spoil(key);
    trust_ = {};
    ASSERT_TRUE(trust_.add(key));
    const ExchangeReport report = import();
    EXPECT_EQ(report.signer, "");
    EXPECT_EQ(report.added.builds, 0U);
    EXPECT_THAT(report.notes, Contains(HasSubstr(message)));
  }
}

TEST_F(Import, SignatureThatDoesNotFitIsRefused) {
  const auto signer = SigningKey::create();
  ASSERT_TRUE(signer);
  write(&*signer);
  const Entries entries = testing::read_archive(path_);
  ASSERT_EQ(entries[1].first, "manifest.signature");
  // One more space in the manifest.
  Entries changed = entries;
  changed[0].second += ' ';
  testing::write_archive(path_, changed);
  expect_refused(
      ErrorCode::kPermissionDenied,
      "holds no signature of key " + public_key_text(signer->public_key()) + " over the manifest.");
  changed = entries;
  changed[1].second.resize(5000, ' ');
  testing::write_archive(path_, changed);
  expect_refused(ErrorCode::kCorruptData, "has 5000 bytes, more than 4096.");
}

TEST_F(Import, AgainChangesNothing) {
  write();
  ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann")));
  EXPECT_EQ(import().added.states, 2U);
  const std::size_t history = store_->states(filled_.package.id, {}).value().size();
  const ExchangeReport again = import();
  EXPECT_EQ(again.added.kernels + again.added.builds + again.added.evidence +
                again.added.approvals + again.added.states,
            0U);
  EXPECT_EQ(store_->states(filled_.package.id, {}).value().size(), history);
}

TEST_F(Import, CutAtAnyWriteIsCompletedByDoingItAgain) {
  write();
  ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann")));
  std::size_t writes = 0;
  for (bool is_cut = true; is_cut; ++writes) {
    store_ = testing::new_store();
    testing::FailingStore failing(*store_);
    failing.writes_left = writes;
    const auto cut = import_store(failing, path_, trust_, kNow);
    is_cut = !cut;
    if (is_cut) {
      EXPECT_EQ(cut.error().code(), ErrorCode::kIoError);
      EXPECT_EQ(cut.error().message(), "The disk is full.");
    }
    // No approval without the states that it backs, and no state without its evidence.
    const auto states = store_->states(filled_.package.id, {}).value();
    if (!store_->approvals().find_approvals(filled_.package.id).value().empty()) {
      EXPECT_EQ(states.size(), 2U);
    }
    const auto evidence = store_->find_evidence({filled_.package.id, {}, {}, {}, {}, {}}).value();
    EXPECT_GE(evidence.size(), states.empty() ? 0U : 1U);
    import();
    EXPECT_EQ(store_->states(filled_.package.id, {}).value().size(), 2U);
    EXPECT_EQ(store_->approvals().find_approvals(filled_.package.id).value().size(), 1U);
    EXPECT_TRUE(store_->get_blob(base::Sha256::of(filled_.code)).value());
  }
  // Kernel, evidence, build, two states and an approval.
  EXPECT_EQ(writes, 7U);
}

TEST_F(Import, IntoAStoreThatIsReadOnlyIsRefusedAtOnce) {
  testing::FailingStore failing(*store_);
  failing.mode = StoreCondition::Mode::kReadOnly;
  const auto report = import_store(failing, directory_ / "absent.tar", trust_, kNow);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(report.error().message(),
            "The store memory: takes no records: it is read-only. Its medium is.");
}

TEST_F(Import, RecordOfAnotherKernelIsRefused) {
  change_manifest([](Manifest& manifest) {
    manifest.kernels[0].id[0] ^= 1U;
    manifest.kernels[0].builds[0].inputs.kernel = manifest.kernels[0].id;
  });
  expect_refused(ErrorCode::kCorruptData, "has the identity ");
}

TEST_F(Import, ApprovalOfAnotherKernelRefusesTheExport) {
  Approval other = filled_.approval(KernelState::kVerified);
  other.kernel.fill(0x55);
  other.sequence = 9;
  other.issued_ms = kNow - 1000;
  const auto signed_approval = sign_approval(other, filled_.key);
  ASSERT_TRUE(signed_approval);
  change_manifest(
      [&](Manifest& manifest) { manifest.kernels[0].approvals.push_back(*signed_approval); });
  expect_refused(ErrorCode::kCorruptData, "comes with an approval of kernel 5555");
}

TEST_F(Import, DamagedApprovalRefusesTheExport) {
  change_manifest([](Manifest& manifest) { manifest.kernels[0].approvals[0].signature[5] ^= 4U; });
  expect_refused(ErrorCode::kPermissionDenied, "its signature is not that of its key over it.");
}

TEST_F(Import, EvidenceOfAnotherKernelRefusesTheExport) {
  KernelId other{};
  other.fill(0x55);
  const std::string text = evidence_json(testing::make_evidence(other));
  const Digest digest = base::Sha256::of(text);
  change_manifest(
      [&](Manifest& manifest) {
        manifest.kernels[0].evidence.push_back(digest);
        manifest.objects[digest] = text.size();
      },
      {{"objects/" + digest_text(digest), text}});
  expect_refused(ErrorCode::kCorruptData, "comes with evidence of kernel 5555");
}

TEST_F(Import, TextThatIsNotCanonicalIsRefused) {
  const std::string text = evidence_json(testing::make_evidence(filled_.package.id)) + " ";
  const Digest digest = base::Sha256::of(text);
  change_manifest(
      [&](Manifest& manifest) {
        manifest.kernels[0].evidence.push_back(digest);
        manifest.objects[digest] = text.size();
      },
      {{"objects/" + digest_text(digest), text}});
  expect_refused(ErrorCode::kCorruptData,
                 "objects/" + digest_text(digest) + ": is not in canonical form (RFC 8785).");
}

TEST_F(Import, OfOneBadKernelAmongGoodOnesStoresNone) {
  ASSERT_TRUE(filled_.store->put_kernel(testing::make_package("void g() {}\n")));
  change_manifest([](Manifest& manifest) {
    ASSERT_EQ(manifest.kernels.size(), 2U);
    // The last one, so that all others are read before it.
    manifest.kernels[1].files.begin()->second = manifest.kernels[0].files.begin()->second;
    const Digest used = manifest.kernels[0].files.begin()->second;
    for (const char* const text : {"void f() {}\n", "void g() {}\n"}) {
      if (base::Sha256::of(text) != used) manifest.objects.erase(base::Sha256::of(text));
    }
  });
  expect_refused(ErrorCode::kCorruptData, "has the identity ");
}

}  // namespace
}  // namespace halyard::store
