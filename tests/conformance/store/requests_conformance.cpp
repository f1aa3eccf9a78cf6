// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/store/store_conformance.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace halyard::store {
namespace {

using base::ErrorCode;
using std::chrono::seconds;
using testing::make_evidence;

RequestId put(KernelStore& store, std::string_view document,
              RequestKind kind = RequestKind::kKernel, std::string_view target = "") {
  const auto id = store.requests().put_request(kind, target, document);
  EXPECT_TRUE(id) << id.error().message();
  return id ? *id : RequestId{};
}

std::optional<RequestClaim> claim(KernelStore& store, seconds lease = seconds(60),
                                  const RequestFilter& filter = {}) {
  auto claim = store.requests().claim_request("one", filter, lease);
  EXPECT_TRUE(claim) << claim.error().message();
  return claim ? *claim : std::nullopt;
}

Request only_request(KernelStore& store) {
  const auto list = store.requests().list_requests();
  EXPECT_TRUE(list && list->size() == 1);
  return list && !list->empty() ? list->front() : Request{};
}

RequestSettlement settled(RequestStatus status, std::string outcome) {
  return {status, std::move(outcome), {}, {}};
}

void expect_lost(const base::Status& status) {
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_NE(status.error().message().find("holds no more"), std::string::npos)
      << status.error().message();
}

TEST_P(StoreConformance, RequestIsOneByItsContent) {
  EXPECT_EQ(put(*store_, "{\"contract\": \"gemm\", \"a\": 1}"),
            put(*store_, "{\"a\":1,\"contract\":\"gemm\"}"));
  EXPECT_EQ(only_request(*store_).document, "{\"a\":1,\"contract\":\"gemm\"}");
  EXPECT_FALSE(store_->requests().put_request(RequestKind::kKernel, "", "{"));
}

TEST_P(StoreConformance, RequestComesBackWhole) {
  const RequestId id = put(*store_, "{}", RequestKind::kMeasurement, "gfx1100");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  EXPECT_EQ(claimed->id, id);
  EXPECT_EQ(claimed->kind, RequestKind::kMeasurement);
  EXPECT_EQ(claimed->target, "gfx1100");
  EXPECT_EQ(claimed->document, "{}");
  ASSERT_TRUE(store_->requests().settle_request(*claimed, settled(RequestStatus::kDone, "made")));
  const Request found = only_request(*store_);
  EXPECT_EQ(found.id, id);
  EXPECT_EQ(found.kind, RequestKind::kMeasurement);
  EXPECT_EQ(found.target, "gfx1100");
  EXPECT_EQ(found.status, RequestStatus::kDone);
  EXPECT_EQ(found.owner, "one");
  EXPECT_EQ(found.attempts, 1U);
  EXPECT_EQ(found.outcome, "made");
  EXPECT_GT(found.time_ms, 0);
}

TEST_P(StoreConformance, ClaimExcludesOthersUntilItIsSettled) {
  put(*store_, "{}");
  const auto first = claim(*store_);
  ASSERT_TRUE(first);
  EXPECT_FALSE(claim(*store_));
  ASSERT_TRUE(store_->requests().settle_request(*first, settled(RequestStatus::kDone, "made")));
  expect_lost(store_->requests().settle_request(*first, settled(RequestStatus::kFailed, "")));
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kDone);
  EXPECT_EQ(only_request(*store_).outcome, "made");
}

TEST_P(StoreConformance, OldestRequestIsClaimedFirst) {
  const RequestId first = put(*store_, "{\"a\":1}");
  const RequestId second = put(*store_, "{\"a\":2}");
  EXPECT_EQ(claim(*store_, seconds(0))->id, first);
  EXPECT_EQ(claim(*store_)->id, first);  // Its lease has ended.
  EXPECT_EQ(claim(*store_)->id, second);
  EXPECT_FALSE(claim(*store_));
}

TEST_P(StoreConformance, EndedLeaseIsTakenOverAndFencesTheFirstOwner) {
  put(*store_, "{}");
  const auto first = claim(*store_, seconds(0));
  const auto second = claim(*store_);
  ASSERT_TRUE(first && second);
  EXPECT_GT(second->token, first->token);
  RequestSettlement late = settled(RequestStatus::kDone, "late");
  late.evidence = {make_evidence({})};
  expect_lost(store_->requests().settle_request(*first, late));
  expect_lost(store_->requests().renew_claim(*first, seconds(60)));
  EXPECT_TRUE(store_->find_evidence({{}, {}, {}, {}, {}, {}})->empty());
  EXPECT_TRUE(store_->requests().settle_request(*second, settled(RequestStatus::kDone, "")));
}

TEST_P(StoreConformance, EndedLeaseSettlesNothingThoughNobodyTookOver) {
  put(*store_, "{}");
  const auto first = claim(*store_, seconds(0));
  ASSERT_TRUE(first);
  expect_lost(store_->requests().settle_request(*first, settled(RequestStatus::kDone, "")));
  expect_lost(store_->requests().renew_claim(*first, seconds(60)));
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kClaimed);
}

TEST_P(StoreConformance, RenewedClaimHolds) {
  put(*store_, "{}");
  const auto first = claim(*store_);
  ASSERT_TRUE(first);
  ASSERT_TRUE(store_->requests().renew_claim(*first, seconds(60)));
  EXPECT_FALSE(claim(*store_));
  ASSERT_TRUE(store_->requests().renew_claim(*first, seconds(0)));
  EXPECT_TRUE(claim(*store_));
}

TEST_P(StoreConformance, FilterTakesKindsAndTargetsAndThoseWithoutTarget) {
  put(*store_, "{\"a\":1}", RequestKind::kKernel, "gfx1100");
  const RequestId anywhere = put(*store_, "{\"a\":2}", RequestKind::kVerification);
  const RequestId measured = put(*store_, "{\"a\":3}", RequestKind::kMeasurement, "x\"y");
  RequestFilter filter;
  filter.targets = {"gfx1200", "x\"y"};
  EXPECT_EQ(claim(*store_, seconds(60), filter)->id, anywhere);
  filter.kinds = {RequestKind::kKernel, RequestKind::kVerification};
  EXPECT_FALSE(claim(*store_, seconds(60), filter));
  filter.kinds = {RequestKind::kMeasurement};
  EXPECT_EQ(claim(*store_, seconds(60), filter)->id, measured);
}

TEST_P(StoreConformance, OpenAndClaimedRequestsThatMatchAreCounted) {
  EXPECT_EQ(*store_->requests().count_pending({}), 0U);
  put(*store_, "{\"a\":1}", RequestKind::kKernel, "gfx1100");
  put(*store_, "{\"a\":2}", RequestKind::kVerification);
  put(*store_, "{\"a\":3}", RequestKind::kVerification, "gfx1200");
  EXPECT_EQ(*store_->requests().count_pending({}), 3U);
  EXPECT_EQ(*store_->requests().count_pending({{}, {"gfx1100"}}), 2U);
  EXPECT_EQ(*store_->requests().count_pending({{RequestKind::kVerification}, {"gfx1100"}}), 1U);
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  EXPECT_EQ(*store_->requests().count_pending({}), 3U);
  ASSERT_TRUE(store_->requests().settle_request(*claimed, settled(RequestStatus::kDone, "")));
  EXPECT_EQ(*store_->requests().count_pending({}), 2U);
}

TEST_P(StoreConformance, SettlementStoresEvidenceAndStatesWithIt) {
  put(*store_, "{}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  RequestSettlement settlement = settled(RequestStatus::kDone, "verified");
  settlement.evidence = {make_evidence({})};
  StateChange change;
  change.target = "x86_64-v3";
  change.state = KernelState::kVerified;
  change.evidence = evidence_id(settlement.evidence[0]);
  settlement.states = {change};
  const auto status = store_->requests().settle_request(*claimed, settlement);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(store_->find_evidence({{}, {}, {}, {}, {}, {}})->size(), 1U);
  ASSERT_EQ(store_->states({}, "x86_64-v3")->size(), 1U);
}

TEST_P(StoreConformance, RefusedStateRefusesTheSettlement) {
  put(*store_, "{}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  RequestSettlement settlement = settled(RequestStatus::kDone, "promoted");
  settlement.evidence = {make_evidence({})};
  StateChange change;
  change.target = "x86_64-v3";
  change.state = KernelState::kPromoted;
  change.evidence = evidence_id(settlement.evidence[0]);
  settlement.states = {change};
  const auto status = store_->requests().settle_request(*claimed, settlement);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_TRUE(store_->find_evidence({{}, {}, {}, {}, {}, {}})->empty());
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kClaimed);
}

TEST_P(StoreConformance, SettlementIsDoneFailedOrOpen) {
  put(*store_, "{}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  for (const RequestStatus status : {RequestStatus::kClaimed, RequestStatus::kCancelled}) {
    const auto refused = store_->requests().settle_request(*claimed, settled(status, ""));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST_P(StoreConformance, RequestFailsAfterTooManyClaims) {
  put(*store_, "{}");
  for (std::uint64_t i = 0; i < kMaxRequestAttempts; ++i)
    ASSERT_TRUE(claim(*store_, seconds(0)));
  EXPECT_FALSE(claim(*store_));
  const Request failed = only_request(*store_);
  EXPECT_EQ(failed.status, RequestStatus::kFailed);
  EXPECT_EQ(failed.attempts, kMaxRequestAttempts);
  EXPECT_EQ(failed.outcome, "Claimed 5 times without an end.");
}

TEST_P(StoreConformance, GivingBackIsNoAttempt) {
  put(*store_, "{}");
  for (std::uint64_t i = 0; i < 2 * kMaxRequestAttempts; ++i) {
    const auto claimed = claim(*store_);
    ASSERT_TRUE(claimed);
    ASSERT_TRUE(store_->requests().settle_request(*claimed, settled(RequestStatus::kOpen, "")));
  }
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kOpen);
  EXPECT_EQ(only_request(*store_).attempts, 0U);
}

TEST_P(StoreConformance, PuttingAFailedRequestAgainOpensIt) {
  put(*store_, "{}");
  const auto first = claim(*store_);
  ASSERT_TRUE(first);
  ASSERT_TRUE(store_->requests().settle_request(*first, settled(RequestStatus::kFailed, "no")));
  put(*store_, "{}");
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kOpen);
  EXPECT_EQ(only_request(*store_).attempts, 0U);
  const auto second = claim(*store_);
  ASSERT_TRUE(second);
  EXPECT_GT(second->token, first->token);
  ASSERT_TRUE(store_->requests().settle_request(*second, settled(RequestStatus::kDone, "yes")));
  put(*store_, "{}");
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kDone);
}

TEST_P(StoreConformance, CancelledRequestIsNotWorkedOn) {
  const RequestId id = put(*store_, "{}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  ASSERT_TRUE(store_->requests().cancel_request(id));
  EXPECT_TRUE(store_->requests().cancel_request(id));
  expect_lost(store_->requests().settle_request(*claimed, settled(RequestStatus::kDone, "")));
  EXPECT_FALSE(claim(*store_));
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kCancelled);
  put(*store_, "{}");
  EXPECT_TRUE(claim(*store_));
}

TEST_P(StoreConformance, SettledRequestIsNotCancelled) {
  const RequestId id = put(*store_, "{}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  ASSERT_TRUE(store_->requests().settle_request(*claimed, settled(RequestStatus::kDone, "")));
  const auto refused = store_->requests().cancel_request(id);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kPermissionDenied);
  const auto absent = store_->requests().cancel_request({});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::kNotFound);
}

TEST_P(StoreConformance, SettledRequestsGoInTime) {
  put(*store_, "{\"a\":1}");
  const auto claimed = claim(*store_);
  ASSERT_TRUE(claimed);
  ASSERT_TRUE(store_->requests().settle_request(*claimed, settled(RequestStatus::kDone, "")));
  put(*store_, "{\"a\":2}");
  CollectBounds bounds;
  bounds.older_than = std::chrono::hours(1);
  EXPECT_EQ(store_->upkeep().collect_garbage(bounds)->requests, 0U);
  EXPECT_EQ(store_->upkeep().collect_garbage({})->requests, 1U);
  EXPECT_EQ(only_request(*store_).status, RequestStatus::kOpen);
}

}  // namespace
}  // namespace halyard::store
