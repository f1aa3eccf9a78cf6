// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/sync.h"

#include "kernel-store/open_store.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::kNow;

class Sync : public ::testing::Test {
 protected:
  ExchangeReport sync(KernelStore& from, SourceTrust source, KernelStore& to) {
    auto report = sync_stores(from, source, to, trust_, kNow);
    EXPECT_TRUE(report) << report.error().message();
    return report ? std::move(*report) : ExchangeReport();
  }

  static std::size_t total(const ExchangeCounts& counts) {
    return counts.kernels + counts.builds + counts.evidence + counts.approvals + counts.states;
  }

  testing::TemporaryDirectory directory_;
  testing::FilledStore filled_;
  TrustList trust_;
  std::unique_ptr<KernelStore> other_ = open_store(directory_ / "store.sqlite").value();
};

TEST_F(Sync, OwnRecordsGoOutAndStatesDoNot) {
  const ExchangeReport report = sync(*filled_.store, SourceTrust::kOwn, *other_);
  EXPECT_EQ(report.added.kernels, 1U);
  EXPECT_EQ(report.added.builds, 1U);
  EXPECT_EQ(report.added.evidence, 1U);
  EXPECT_EQ(report.added.approvals, 0U);
  EXPECT_EQ(report.added.states, 0U);
  const auto blob = other_->get_blob(base::Sha256::of(filled_.code));
  EXPECT_TRUE(blob && *blob);
}

TEST_F(Sync, ForeignRecordsComeInAsApproved) {
  const ExchangeReport untrusted = sync(*filled_.store, SourceTrust::kForeign, *other_);
  EXPECT_EQ(untrusted.added.kernels, 1U);
  EXPECT_EQ(total(untrusted.added), 1U);
  ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann")));
  const ExchangeReport trusted = sync(*filled_.store, SourceTrust::kForeign, *other_);
  EXPECT_EQ(trusted.added.kernels, 0U);
  EXPECT_EQ(trusted.added.builds, 1U);
  EXPECT_EQ(trusted.added.evidence, 1U);
  EXPECT_EQ(trusted.added.approvals, 1U);
  EXPECT_EQ(trusted.added.states, 2U);
}

TEST_F(Sync, BothDirectionsEndWithTheSame) {
  ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann")));
  ASSERT_TRUE(other_->put_kernel(testing::make_package("void g() {}\n")));
  EXPECT_EQ(sync(*filled_.store, SourceTrust::kOwn, *other_).added.kernels, 1U);
  EXPECT_EQ(sync(*other_, SourceTrust::kForeign, *filled_.store).added.kernels, 1U);
  EXPECT_EQ(total(sync(*filled_.store, SourceTrust::kOwn, *other_).added), 0U);
  EXPECT_EQ(total(sync(*other_, SourceTrust::kForeign, *filled_.store).added), 0U);
  EXPECT_EQ(other_->list_kernels({}).value().size(), 2U);
  EXPECT_EQ(filled_.store->list_kernels({}).value().size(), 2U);
}

TEST_F(Sync, ApprovalWithADamagedSignatureIsLeftOut) {
  ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann")));
  const auto source = testing::new_store();
  ASSERT_TRUE(source->put_kernel(filled_.package));
  ASSERT_TRUE(source->put_evidence(filled_.evidence));
  SignedApproval damaged =
      filled_.store->approvals().find_approvals(filled_.package.id).value().at(0);
  damaged.signature[0] ^= 1U;
  ASSERT_TRUE(source->approvals().put_approval(damaged));
  const ExchangeReport report = sync(*source, SourceTrust::kForeign, *other_);
  EXPECT_EQ(report.added.kernels, 1U);
  EXPECT_EQ(report.added.approvals, 0U);
  EXPECT_EQ(report.added.states, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("its signature is not that of its key over it.")));
}

}  // namespace
}  // namespace halyard::store
