// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/admission.h"

#include "kernel-store/trust/approval_check.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using base::Result;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using testing::kNow;
using ::testing::Not;

class AdmissionTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(trust_.add(testing::trusted(filled_.key, "ann"))); }

  // What the filled store has of its kernel.
  ArrivingKernel arriving() const {
    ArrivingKernel kernel;
    kernel.package = filled_.package;
    kernel.builds = filled_.store->find_builds(filled_.package.id).value();
    kernel.evidence =
        filled_.store->find_evidence({filled_.package.id, {}, {}, {}, {}, {}}).value();
    kernel.approvals = filled_.store->approvals().find_approvals(filled_.package.id).value();
    kernel.history = filled_.store->states(filled_.package.id, {}).value();
    return kernel;
  }

  // A kernel without approvals but these.
  ArrivingKernel with_approvals(const std::vector<Approval>& approvals) const {
    ArrivingKernel kernel = arriving();
    kernel.approvals.clear();
    for (Approval approval : approvals) {
      approval.issued_ms = kNow - 1000;
      const auto signed_approval = sign_approval(approval, filled_.key);
      EXPECT_TRUE(signed_approval);
      kernel.approvals.push_back(*signed_approval);
    }
    return kernel;
  }

  Approval approval(KernelState state, std::uint64_t sequence) const {
    Approval approval = filled_.approval(state);
    approval.sequence = sequence;
    return approval;
  }

  ExchangeReport admit(const ArrivingKernel& kernel, bool is_vouched_for = false) {
    EXPECT_TRUE(check_arriving(kernel));
    ExchangeReport report;
    Admission admission(*store_, trust_, kNow, is_vouched_for, report);
    const auto admitted = admission.admit(
        kernel, [this](const Digest&) { return Result<std::optional<std::string>>(code_); });
    EXPECT_TRUE(admitted) << admitted.error().message();
    return report;
  }

  std::vector<StateChange> history() { return store_->states(filled_.package.id, {}).value(); }

  KernelState state() {
    const auto changes = history();
    const StateChange* const last = last_change(changes, {filled_.inputs.target, "d", ""});
    return last == nullptr ? KernelState::kCandidate : last->state;
  }

  void append(KernelState state, std::optional<EvidenceId> evidence = std::nullopt) {
    StateChange change;
    change.kernel = filled_.package.id;
    change.target = filled_.inputs.target;
    change.state = state;
    change.who = "bob@here";
    change.why = "For a test.";
    change.evidence = evidence;
    const auto appended = store_->append_state(change);
    ASSERT_TRUE(appended) << appended.error().message();
  }

  testing::FilledStore filled_;
  std::unique_ptr<KernelStore> store_ = testing::new_store();
  TrustList trust_;
  std::optional<std::string> code_ = filled_.code;
};

TEST_F(AdmissionTest, ForeignHistoryIsAClaim) {
  ArrivingKernel kernel = arriving();
  kernel.approvals.clear();
  const ExchangeReport report = admit(kernel);
  EXPECT_EQ(report.offered.states, 2U);
  EXPECT_EQ(report.added.kernels, 1U);
  EXPECT_EQ(report.added.states, 0U);
  EXPECT_TRUE(history().empty());
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("is promoted on x86_64-v3 elsewhere, and no approval of a trusted "
                                 "key backs that.")));
}

TEST_F(AdmissionTest, EvidenceAndMachineCodeNeedATrustedKey) {
  ArrivingKernel kernel = arriving();
  kernel.approvals.clear();
  const ExchangeReport report = admit(kernel);
  EXPECT_EQ(report.added.evidence, 0U);
  EXPECT_EQ(report.added.builds, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("2 evidence records are left out")));
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("1 build is left out, since no trusted key vouches for the ")));
}

TEST_F(AdmissionTest, ApprovalBacksStateEvidenceAndBuild) {
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.states, 2U);
  EXPECT_EQ(report.added.evidence, 1U);
  EXPECT_EQ(report.added.builds, 1U);
  EXPECT_EQ(state(), KernelState::kPromoted);
  for (const StateChange& change : history()) {
    EXPECT_EQ(change.who, "key ann");
    EXPECT_THAT(change.why, HasSubstr("Approval 1 of key "));
    EXPECT_EQ(change.evidence, evidence_id(filled_.evidence));
  }
  const auto evidence = store_->find_evidence({filled_.package.id, {}, {}, {}, {}, {}}).value();
  ASSERT_EQ(evidence.size(), 1U);
  EXPECT_EQ(evidence[0].kind, EvidenceKind::kHardware);
  EXPECT_THAT(report.notes, Each(Not(HasSubstr("backs that"))));
}

TEST_F(AdmissionTest, BuildThatNoApprovalNamesIsLeftOut) {
  Approval without = approval(KernelState::kVerified, 1);
  without.builds = {Digest{}};
  const ExchangeReport report = admit(with_approvals({without}));
  EXPECT_EQ(report.added.states, 1U);
  EXPECT_EQ(report.added.builds, 0U);
  EXPECT_FALSE(store_->get_build(compute_build_key(filled_.inputs)).value());
}

TEST_F(AdmissionTest, BytesOfAnotherHashAreLeftOut) {
  code_ = "other machine code";
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.builds, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("since its bytes are missing or damaged.")));
  EXPECT_FALSE(store_->get_build(compute_build_key(filled_.inputs)).value());
}

TEST_F(AdmissionTest, ApprovalOfAnUntrustedKeyIsNotKept) {
  trust_ = {};
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.approvals, 0U);
  EXPECT_EQ(report.added.states, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("is not trusted.")));
  EXPECT_TRUE(store_->approvals().find_approvals(filled_.package.id).value().empty());
}

TEST_F(AdmissionTest, ReplayIsNamedAndChangesNothing) {
  admit(with_approvals({approval(KernelState::kQuarantined, 5)}));
  EXPECT_EQ(state(), KernelState::kQuarantined);
  const std::size_t before = history().size();
  const ExchangeReport report = admit(with_approvals({approval(KernelState::kPromoted, 4)}));
  EXPECT_EQ(report.added.approvals, 0U);
  EXPECT_EQ(history().size(), before);
  EXPECT_THAT(report.notes,
              Contains(HasSubstr("has an approval of sequence 5 of the same key on x86_64-v3, so "
                                 "one of sequence 4 is a replay.")));
  // Another document of the same sequence is one too.
  const ExchangeReport same = admit(with_approvals({approval(KernelState::kPromoted, 5)}));
  EXPECT_EQ(same.added.approvals, 0U);
  EXPECT_THAT(same.notes, Contains(HasSubstr("so one of sequence 5 is a replay.")));
}

TEST_F(AdmissionTest, NewestOfAnOriginCounts) {
  const ExchangeReport report = admit(
      with_approvals({approval(KernelState::kRetired, 3), approval(KernelState::kPromoted, 2)}));
  EXPECT_EQ(report.added.approvals, 1U);
  EXPECT_EQ(report.added.builds, 0U);
  EXPECT_EQ(state(), KernelState::kRetired);
}

TEST_F(AdmissionTest, ApprovalNeedsThePassedEvidenceThatItNames) {
  ArrivingKernel kernel = with_approvals({approval(KernelState::kPromoted, 1)});
  std::erase_if(kernel.evidence, [](const EvidenceRecord& record) {
    return record.kind == EvidenceKind::kHardware;
  });
  const ExchangeReport report = admit(kernel);
  EXPECT_EQ(report.added.approvals, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("without the passed evidence that it names.")));
  filled_.evidence.verdict = Verdict::kFail;
  kernel = with_approvals({approval(KernelState::kPromoted, 1)});
  kernel.evidence.push_back(filled_.evidence);
  EXPECT_THAT(admit(kernel).notes,
              Contains(HasSubstr("without the passed evidence that it names.")));
  filled_.evidence.verdict = Verdict::kPass;
  filled_.evidence.target = "another";
  kernel = with_approvals({approval(KernelState::kPromoted, 1)});
  kernel.evidence.push_back(filled_.evidence);
  EXPECT_THAT(admit(kernel).notes,
              Contains(HasSubstr("without the passed evidence that it names.")));
  EXPECT_EQ(state(), KernelState::kCandidate);
}

TEST_F(AdmissionTest, QuarantineAndRetirementOfThisStoreStay) {
  for (const KernelState held : {KernelState::kQuarantined, KernelState::kRetired}) {
    store_ = testing::new_store();
    ASSERT_TRUE(store_->put_kernel(filled_.package));
    append(held);
    const ExchangeReport report = admit(arriving());
    EXPECT_EQ(report.added.states, 0U);
    EXPECT_EQ(report.added.approvals, 1U);
    EXPECT_EQ(state(), held);
    EXPECT_THAT(report.notes, Contains(HasSubstr("as this store has it, though key \"ann\" says "
                                                 "promoted.")));
  }
}

TEST_F(AdmissionTest, RollbackOfThisStoreStays) {
  admit(arriving());
  StateChange back = history().back();
  back.reverts = back.sequence;
  back.state = KernelState::kVerified;
  back.time_ms = 0;
  back.sequence = 0;
  back.who = "bob@here";
  const auto appended = store_->append_state(back);
  ASSERT_TRUE(appended) << appended.error().message();
  ASSERT_EQ(state(), KernelState::kVerified);
  admit(arriving());
  EXPECT_EQ(state(), KernelState::kVerified);
}

TEST_F(AdmissionTest, QuarantineOfATrustedKeyArrives) {
  admit(arriving());
  filled_.issue(filled_.approval(KernelState::kQuarantined));
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.states, 1U);
  EXPECT_EQ(state(), KernelState::kQuarantined);
}

TEST_F(AdmissionTest, KeyThatMayNotSayVerifiedPromotesWhatIsVerifiedHere) {
  trust_ = {};
  TrustedKey key = testing::trusted(filled_.key, "ann");
  key.may_say = {KernelState::kPromoted};
  ASSERT_TRUE(trust_.add(key));
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.states, 0U);
  EXPECT_EQ(state(), KernelState::kCandidate);
  EXPECT_FALSE(report.notes.empty());
}

TEST_F(AdmissionTest, WhatIsVouchedForComesAlongWithoutSelfTests) {
  ArrivingKernel kernel = arriving();
  kernel.approvals.clear();
  const ExchangeReport report = admit(kernel, true);
  EXPECT_EQ(report.added.builds, 1U);
  EXPECT_EQ(report.added.evidence, 1U);
  EXPECT_EQ(report.added.states, 0U);
  EXPECT_THAT(report.notes, Contains(HasSubstr("1 evidence record is left out")));
}

TEST_F(AdmissionTest, CutImportIsCompleted) {
  // The state is there, and the approval that it rests on is not.
  ASSERT_TRUE(store_->put_kernel(filled_.package));
  ASSERT_TRUE(store_->put_evidence(filled_.evidence));
  append(KernelState::kVerified, evidence_id(filled_.evidence));
  const ExchangeReport report = admit(arriving());
  EXPECT_EQ(report.added.kernels, 0U);
  EXPECT_EQ(report.added.evidence, 0U);
  EXPECT_EQ(report.added.states, 1U);
  EXPECT_EQ(report.added.approvals, 1U);
  EXPECT_EQ(state(), KernelState::kPromoted);
}

TEST_F(AdmissionTest, RecordsOfAnotherKernelDoNotArrive) {
  ArrivingKernel kernel = arriving();
  kernel.package.files["a.cpp"] += ' ';
  const auto other_bytes = check_arriving(kernel);
  ASSERT_FALSE(other_bytes);
  EXPECT_EQ(other_bytes.error().code(), ErrorCode::kCorruptData);
  EXPECT_THAT(other_bytes.error().message(), HasSubstr("has the identity "));
  kernel = arriving();
  kernel.builds[0].inputs.kernel.fill(0x55);
  EXPECT_THAT(check_arriving(kernel).error().message(),
              HasSubstr("comes with a build of kernel 5555"));
}

TEST(ExchangeReport, KeepsTheFirstNotesAndCountsTheOthers) {
  ExchangeReport report;
  for (std::size_t i = 0; i < kMaxNotes + 3; ++i)
    report.note(std::to_string(i));
  EXPECT_EQ(report.notes.size(), kMaxNotes);
  EXPECT_EQ(report.notes[0], "0");
  EXPECT_EQ(report.notes_left_out, 3U);
}

}  // namespace
}  // namespace halyard::store
