// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/promotion_evidence.h"

#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include <string>

namespace halyard::stewardship {
namespace {

using base::ErrorCode;

class PromotionEvidenceTest : public StewardshipTest {
 protected:
  base::Result<store::EvidenceRecord> choose(const store::DriverRange& drivers = {},
                                             const std::optional<std::string>& asked = {}) {
    return promotion_evidence(store(), package_->id, kTarget, drivers, asked);
  }
  void expect_refusal(const base::Result<store::EvidenceRecord>& got, const std::string& part) {
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code(), ErrorCode::kPermissionDenied);
    EXPECT_NE(got.error().message().find(part), std::string::npos) << got.error().message();
  }
};

TEST_F(PromotionEvidenceTest, WithoutAnyIsRefused) {
  expect_refusal(choose(), "; a promotion takes hardware evidence.");
}

TEST_F(PromotionEvidenceTest, EmulatedIsRefusedWithThatReason) {
  put(evidence(store::EvidenceKind::kEmulated));
  expect_refusal(choose(), " is of kind emulated; a promotion takes hardware evidence.");
}

TEST_F(PromotionEvidenceTest, OfAFailureIsRefusedWithWhatFailed) {
  auto record = evidence();
  record.verdict = store::Verdict::kFail;
  record.message = "It is wrong.";
  put(record);
  expect_refusal(choose(), " is of a failure: It is wrong.");
}

TEST_F(PromotionEvidenceTest, OfAnotherDriverIsRefused) {
  put(evidence());
  expect_refusal(choose({"cpu 8", "cpu 9"}),
                 "is of driver cpu 7, which is not among drivers cpu 8 to cpu 9.");
}

TEST_F(PromotionEvidenceTest, OfAnotherTargetIsRefusedWhenItIsAskedFor) {
  auto record = evidence();
  record.target = "x86_64-v4";
  const std::string id = store::digest_text(put(record));
  expect_refusal(choose({}, id), "is of target x86_64-v4, not of x86_64-v3.");
}

TEST_F(PromotionEvidenceTest, NewestThatServesIsTakenThoughOthersDoNot) {
  auto old = evidence();
  old.time = "2026-01-01T00:00:00Z";
  const auto id = put(old);
  put(evidence(store::EvidenceKind::kEmulated));
  put(evidence(store::EvidenceKind::kSelfTest));
  const auto chosen = choose();
  ASSERT_TRUE(chosen) << chosen.error().message();
  EXPECT_EQ(store::evidence_id(*chosen), id);
}

TEST_F(PromotionEvidenceTest, ReasonIsThatOfMoreThanASelfTest) {
  put(evidence(store::EvidenceKind::kEmulated));
  put(evidence(store::EvidenceKind::kSelfTest));
  expect_refusal(choose(), "is of kind emulated");
}

TEST_F(PromotionEvidenceTest, IsFoundByItsFirstDigits) {
  const std::string id = store::digest_text(put(evidence()));
  const auto found = find_evidence(store(), package_->id, id.substr(0, 10));
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(store::digest_text(store::evidence_id(*found)), id);
  const auto few = find_evidence(store(), package_->id, id.substr(0, 7));
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().code(), ErrorCode::kInvalidArgument);
  const auto none = find_evidence(store(), package_->id, "00000000000000000000");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace halyard::stewardship
