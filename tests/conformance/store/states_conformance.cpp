// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/store/store_conformance.h"

#include <string>
#include <string_view>
#include <vector>

namespace halyard::store {
namespace {

using testing::make_evidence;

TEST_P(StoreConformance, StatesAreAHistory) {
  const auto evidence = store_->put_evidence(make_evidence({}));
  ASSERT_TRUE(evidence);
  StateChange change;
  change.target = "x86_64-v3";
  change.state = KernelState::kSelfTested;
  change.who = "self-test";
  change.why = "first use";
  change.evidence = *evidence;
  ASSERT_TRUE(store_->append_state(change));
  change.state = KernelState::kQuarantined;
  change.drivers = {"cpu 1", "cpu 1"};
  change.evidence.reset();
  ASSERT_TRUE(store_->append_state(change));
  change.target = "x86_64-v4";
  ASSERT_TRUE(store_->append_state(change));
  EXPECT_EQ(store_->states({}, "")->size(), 3U);
  const auto history = store_->states({}, "x86_64-v3");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->size(), 2U);
  EXPECT_EQ((*history)[0].evidence, *evidence);
  EXPECT_GT((*history)[0].time_ms, 0);
  EXPECT_EQ((*history)[1].drivers, change.drivers);
  EXPECT_LT((*history)[0].sequence, (*history)[1].sequence);
  EXPECT_EQ(last_change(*history, {"x86_64-v3", "cpu 1", ""})->state, KernelState::kQuarantined);
  EXPECT_EQ(last_change(*history, {"x86_64-v3", "cpu 2", ""})->state, KernelState::kSelfTested);
}

StateChange state(KernelState state, const std::optional<EvidenceId>& evidence = std::nullopt) {
  StateChange change;
  change.target = "x86_64-v3";
  change.state = state;
  change.who = "test";
  change.why = "the test says so";
  change.evidence = evidence;
  return change;
}

TEST_P(StoreConformance, RulesDecideWhatIsAppended) {
  const auto evidence = store_->put_evidence(make_evidence({}));
  ASSERT_TRUE(evidence);
  const auto refused = store_->append_state(state(KernelState::kPromoted, *evidence));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_TRUE(store_->states({}, "")->empty());
  EXPECT_TRUE(*store_->append_state(state(KernelState::kVerified, *evidence)));
  EXPECT_TRUE(*store_->append_state(state(KernelState::kPromoted, *evidence)));
  const std::uint64_t generation = *store_->generation();
  EXPECT_FALSE(*store_->append_state(state(KernelState::kPromoted, *evidence)));
  EXPECT_EQ(*store_->generation(), generation);
  EXPECT_EQ(store_->states({}, "")->size(), 2U);
}

TEST_P(StoreConformance, EntryComesBackWhole) {
  const auto evidence = store_->put_evidence(make_evidence({}));
  ASSERT_TRUE(evidence && store_->append_state(state(KernelState::kVerified, *evidence)));
  StateChange change = state(KernelState::kPromoted, *evidence);
  change.where = {"hidden % 8 == 0", "batch <= 4 && \"\" == \"\""};
  change.share_percent = 10;
  change.time_ms = 1234;
  ASSERT_TRUE(store_->append_state(change));
  const auto history = store_->states({}, change.target);
  ASSERT_TRUE(history && history->size() == 2);
  const StateChange& found = history->back();
  EXPECT_EQ(found.state, change.state);
  EXPECT_EQ(found.where, change.where);
  EXPECT_EQ(found.share_percent, 10U);
  EXPECT_EQ(found.who, change.who);
  EXPECT_EQ(found.why, change.why);
  EXPECT_EQ(found.evidence, change.evidence);
  EXPECT_EQ(found.time_ms, 1234);
  EXPECT_FALSE(found.reverts);
  StateChange back = state(KernelState::kVerified, *evidence);
  back.reverts = found.sequence;
  const auto reverted = store_->append_state(back);
  ASSERT_TRUE(reverted) << reverted.error().message();
  EXPECT_EQ(store_->states({}, change.target)->back().reverts, found.sequence);
}

// Public keys of RFC 8032.
constexpr std::string_view kOrigin =
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
constexpr std::string_view kOtherOrigin =
    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

Approval approval(std::uint64_t sequence) {
  Approval approval;
  approval.kernel.fill(7);
  approval.target = "x86_64-v3";
  approval.state = KernelState::kQuarantined;
  approval.origin = *digest_from_text(kOrigin);
  approval.sequence = sequence;
  approval.issued_ms = 1000;
  return approval;
}

SignedApproval document(const Approval& approval, std::uint8_t mark = 1) {
  SignedApproval signed_approval;
  signed_approval.document = approval_json(approval);
  signed_approval.signature.fill(mark);
  return signed_approval;
}

TEST_P(StoreConformance, ApprovalsComeBackByOriginAndSequence) {
  ApprovalRecords& approvals = store_->approvals();
  for (const std::uint64_t sequence : {2U, 5U}) {
    const auto put = approvals.put_approval(document(approval(sequence)));
    ASSERT_TRUE(put) << put.error().message();
  }
  const std::uint64_t generation = *store_->generation();
  ASSERT_TRUE(approvals.put_approval(document(approval(5))));
  EXPECT_EQ(*store_->generation(), generation);
  const auto found = approvals.find_approvals(approval(1).kernel);
  ASSERT_TRUE(found && found->size() == 2);
  EXPECT_EQ((*found)[1].document, approval_json(approval(5)));
  EXPECT_EQ((*found)[1].signature, document(approval(5)).signature);
  EXPECT_EQ(*approvals.last_sequence(approval(1).origin), 5U);
  EXPECT_EQ(*approvals.last_sequence({}), 0U);
  EXPECT_TRUE(approvals.find_approvals({})->empty());
}

TEST_P(StoreConformance, ReplayedApprovalIsRefused) {
  ApprovalRecords& approvals = store_->approvals();
  ASSERT_TRUE(approvals.put_approval(document(approval(5))));
  for (const std::uint64_t sequence : {4U, 5U}) {
    Approval again = approval(sequence);
    again.issued_ms = 2000;
    const auto put = approvals.put_approval(document(again));
    ASSERT_FALSE(put);
    EXPECT_EQ(put.error().code(), base::ErrorCode::kPermissionDenied);
    EXPECT_NE(put.error().message().find("replay"), std::string::npos) << put.error().message();
  }
  Approval elsewhere = approval(4);
  elsewhere.target = "x86_64-v4";
  EXPECT_TRUE(approvals.put_approval(document(elsewhere)));
  Approval other = approval(4);
  other.origin = *digest_from_text(kOtherOrigin);
  EXPECT_TRUE(approvals.put_approval(document(other)));
}

TEST_P(StoreConformance, WrongSignatureKeepsNoRightOneOut) {
  ApprovalRecords& approvals = store_->approvals();
  ASSERT_TRUE(approvals.put_approval(document(approval(5), 1)));
  ASSERT_TRUE(approvals.put_approval(document(approval(5), 2)));
  EXPECT_EQ(approvals.find_approvals(approval(5).kernel)->size(), 2U);
}

TEST_P(StoreConformance, ApprovalThatDoesNotParseIsCorruptData) {
  SignedApproval bad = document(approval(5));
  bad.document += ' ';
  const auto put = store_->approvals().put_approval(bad);
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), base::ErrorCode::kCorruptData);
}

}  // namespace
}  // namespace halyard::store
