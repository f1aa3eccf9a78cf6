// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/approval_check.h"

#include "kernel-store/trust/public_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::store {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using ::testing::HasSubstr;

constexpr std::int64_t kNow = 1'000'000'000;

SigningKey new_key() {
  auto key = SigningKey::create();
  EXPECT_TRUE(key);
  return std::move(*key);
}

class ApprovalCheck : public ::testing::Test {
 protected:
  ApprovalCheck() {
    kernel_.fill(0x11);
    trust(key_, "ann");
  }

  void trust(const SigningKey& key, std::string label, bool local = false) {
    TrustedKey entry;
    entry.key = key.public_key();
    entry.label = std::move(label);
    entry.may_say = {KernelState::kVerified, KernelState::kPromoted, KernelState::kQuarantined,
                     KernelState::kRetired};
    entry.local = local;
    ASSERT_TRUE(trust_.add(std::move(entry)));
  }

  // Changes the entry of `key_`.
  void retrust(const std::function<void(TrustedKey&)>& change) {
    TrustedKey entry = *trust_.find(key_.public_key());
    ASSERT_TRUE(trust_.remove(entry.label));
    change(entry);
    ASSERT_TRUE(trust_.add(std::move(entry)));
  }

  Approval approval(KernelState state = KernelState::kVerified, std::uint64_t sequence = 1) const {
    Approval approval;
    approval.kernel = kernel_;
    approval.target = "t";
    approval.state = state;
    if (state == KernelState::kVerified || state == KernelState::kPromoted) {
      approval.evidence.emplace().fill(0x22);
    }
    approval.sequence = sequence;
    approval.issued_ms = kNow - 1000;
    return approval;
  }

  SignedApproval sign(const Approval& approval) const { return sign(approval, key_); }
  static SignedApproval sign(const Approval& approval, const SigningKey& key) {
    const auto signed_approval = sign_approval(approval, key);
    EXPECT_TRUE(signed_approval) << signed_approval.error().message();
    return *signed_approval;
  }

  void expect_refused(const SignedApproval& signed_approval, std::string_view message) const {
    const auto checked = check_approval(signed_approval, kernel_, trust_, kNow);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), ErrorCode::kPermissionDenied);
    EXPECT_THAT(checked.error().message(), HasSubstr(message));
    EXPECT_TRUE(checked.error().message().ends_with('.'));
  }

  ApprovalStanding standing(const std::vector<SignedApproval>& approvals,
                            std::string_view driver = "d 5") const {
    return approval_standing(approvals, kernel_, "t", driver, trust_, kNow);
  }

  SigningKey key_ = new_key();
  KernelId kernel_{};
  TrustList trust_;
};

TEST_F(ApprovalCheck, OfATrustedKeyCounts) {
  const auto checked = check_approval(sign(approval()), kernel_, trust_, kNow);
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->origin, key_.public_key());
}

TEST_F(ApprovalCheck, EachFlippedBitOfTheDocumentIsRefused) {
  const SignedApproval whole = sign(approval());
  for (std::size_t bit = 0; bit < whole.document.size() * 8; ++bit) {
    SignedApproval flipped = whole;
    flipped.document[bit / 8] = static_cast<char>(flipped.document[bit / 8] ^ (1 << (bit % 8)));
    const auto checked = check_approval(flipped, kernel_, trust_, kNow);
    ASSERT_FALSE(checked) << "bit " << bit;
    EXPECT_THAT(checked.error().code(),
                ::testing::AnyOf(ErrorCode::kCorruptData, ErrorCode::kPermissionDenied));
    EXPECT_FALSE(checked.error().message().empty());
  }
}

TEST_F(ApprovalCheck, EachFlippedBitOfTheSignatureIsRefused) {
  const SignedApproval whole = sign(approval());
  for (std::size_t bit = 0; bit < whole.signature.size() * 8; ++bit) {
    SignedApproval flipped = whole;
    flipped.signature[bit / 8] =
        static_cast<std::uint8_t>(flipped.signature[bit / 8] ^ (1U << (bit % 8)));
    expect_refused(flipped, "its signature is not that of its key over it.");
  }
}

TEST_F(ApprovalCheck, SignatureOfAnotherDomainIsRefused) {
  SignedApproval other = sign(approval());
  other.signature = key_.sign(kExportDomain, other.document);
  expect_refused(other, "its signature is not that of its key over it.");
}

TEST_F(ApprovalCheck, OfAnotherKernelIsRefused) {
  Approval other = approval();
  other.kernel.fill(0x44);
  expect_refused(sign(other), "it is of kernel 4444");
}

TEST_F(ApprovalCheck, UnknownAndRemovedKeysAreRefused) {
  const SigningKey stranger = new_key();
  expect_refused(sign(approval(), stranger),
                 "the key " + public_key_text(stranger.public_key()) + " is not trusted.");
  const SignedApproval before = sign(approval());
  ASSERT_TRUE(check_approval(before, kernel_, trust_, kNow));
  ASSERT_TRUE(trust_.remove("ann"));
  expect_refused(before, "is not trusted.");
}

TEST_F(ApprovalCheck, ExpiredAndFutureOnesAreRefused) {
  Approval expired = approval();
  expired.expires_ms = kNow;
  expect_refused(sign(expired), "it has expired at 1000000000 ms, and it is 1000000000 ms.");
  expired.expires_ms = kNow + 1;
  EXPECT_TRUE(check_approval(sign(expired), kernel_, trust_, kNow));
  Approval future = approval();
  future.issued_ms = kNow + kMaxClockDifferenceMs + 1;
  expect_refused(sign(future), "which is later than now (1000000000 ms).");
  future.issued_ms = kNow + kMaxClockDifferenceMs;
  EXPECT_TRUE(check_approval(sign(future), kernel_, trust_, kNow));
}

TEST_F(ApprovalCheck, KeyCountsInItsTimeOnly) {
  retrust([](TrustedKey& entry) { entry.expires_ms = kNow; });
  expect_refused(sign(approval()), "the trust in its key \"ann\" has ended at 1000000000 ms");
  retrust([](TrustedKey& entry) {
    entry.expires_ms = 0;
    entry.not_before_ms = kNow - 999;
  });
  // Issued before, so that a key whose earlier half was stolen can be trusted anew.
  expect_refused(sign(approval()), "its key \"ann\" is trusted from 999999001 ms on");
  retrust([](TrustedKey& entry) { entry.not_before_ms = kNow - 1000; });
  EXPECT_TRUE(check_approval(sign(approval()), kernel_, trust_, kNow));
}

TEST_F(ApprovalCheck, KeySaysOnlyWhatItMay) {
  retrust([](TrustedKey& entry) { entry.may_say = {KernelState::kVerified}; });
  EXPECT_TRUE(check_approval(sign(approval()), kernel_, trust_, kNow));
  expect_refused(sign(approval(KernelState::kPromoted)), "its key \"ann\" may not say promoted.");
}

TEST_F(ApprovalCheck, SigningRefusesWhatReadersWould) {
  const std::vector<std::pair<std::function<void(Approval&)>, std::string>> faults = {
      {[](Approval& a) { a.evidence.reset(); },
       "An approval of verified names no evidence that it rests on."},
      {[](Approval& a) { a.state = KernelState::kCandidate; }, "An approval is to say candidate"},
      {[](Approval& a) { a.target.clear(); }, "/target is empty."},
      {[](Approval& a) { a.sequence = 0; }, "/sequence"},
      {[](Approval& a) { a.expires_ms = a.issued_ms; }, "no later than it is issued"},
  };
  for (const auto& [spoil, message] : faults) {
    Approval spoiled = approval();
    spoil(spoiled);
    const auto signed_approval = sign_approval(spoiled, key_);
    ASSERT_FALSE(signed_approval) << message;
    EXPECT_EQ(signed_approval.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(signed_approval.error().message(), HasSubstr(message));
  }
}

TEST_F(ApprovalCheck, WithoutEvidenceIsRefusedThoughItIsSigned) {
  Approval bare = approval();
  bare.evidence.reset();
  bare.origin = key_.public_key();
  SignedApproval signed_approval{approval_json(bare), {}};
  signed_approval.signature = key_.sign(kApprovalDomain, signed_approval.document);
  expect_refused(signed_approval, "An approval of verified names no evidence that it rests on.");
}

TEST_F(ApprovalCheck, StandingIsThatOfTheBestKey) {
  const SigningKey own = new_key();
  trust(own, "own", true);
  EXPECT_EQ(standing({}).weight, ApprovalStanding::Weight::kNone);
  const auto trusted = standing({sign(approval())});
  EXPECT_EQ(trusted.weight, ApprovalStanding::Weight::kTrustedKey);
  EXPECT_EQ(trusted.label, "ann");
  const auto both = standing({sign(approval()), sign(approval(), own)});
  EXPECT_EQ(both.weight, ApprovalStanding::Weight::kLocalKey);
  EXPECT_EQ(both.label, "own");
  EXPECT_EQ(both.approval->origin, own.public_key());
  EXPECT_TRUE(both.refused.empty());
}

TEST_F(ApprovalCheck, NewestOfAnOriginStands) {
  const SignedApproval first = sign(approval(KernelState::kVerified, 1));
  const SignedApproval second = sign(approval(KernelState::kQuarantined, 2));
  for (const auto& approvals : {std::vector{first, second}, std::vector{second, first}}) {
    const auto found = standing(approvals);
    EXPECT_EQ(found.weight, ApprovalStanding::Weight::kNone);
    EXPECT_EQ(found.objection, "Key \"ann\" says that the kernel is quarantined on t.");
  }
}

TEST_F(ApprovalCheck, ExpiryOfTheNewestBringsNoOlderOneBack) {
  Approval second = approval(KernelState::kVerified, 2);
  second.expires_ms = kNow - 1;
  const auto found = standing({sign(approval(KernelState::kVerified, 1)), sign(second)});
  EXPECT_EQ(found.weight, ApprovalStanding::Weight::kNone);
  ASSERT_EQ(found.refused.size(), 1U);
  EXPECT_THAT(found.refused[0], HasSubstr("it has expired"));
}

TEST_F(ApprovalCheck, StandingIsOfOneTargetAndDriver) {
  Approval limited = approval();
  limited.drivers = {"d 4", "d 6"};
  EXPECT_EQ(standing({sign(limited)}).weight, ApprovalStanding::Weight::kTrustedKey);
  const auto elsewhere = standing({sign(limited)}, "d 7");
  EXPECT_EQ(elsewhere.weight, ApprovalStanding::Weight::kNone);
  ASSERT_EQ(elsewhere.refused.size(), 1U);
  EXPECT_THAT(elsewhere.refused[0], HasSubstr("it is not for driver \"d 7\"."));
  Approval other = approval();
  other.target = "u";
  EXPECT_EQ(standing({sign(other)}).weight, ApprovalStanding::Weight::kNone);
}

TEST_F(ApprovalCheck, StandingNamesWhatDoesNotCount) {
  SignedApproval damaged = sign(approval());
  damaged.signature[0] ^= 1U;
  Approval other = approval();
  other.kernel.fill(0x44);
  const auto found =
      standing({damaged, sign(other), sign(approval(), new_key()), sign(approval())});
  EXPECT_EQ(found.weight, ApprovalStanding::Weight::kTrustedKey);
  EXPECT_EQ(found.refused.size(), 3U);
}

// Approvals in memory, with the rule of replays.
class MemoryApprovals final : public ApprovalRecords {
 public:
  Status put_approval(const SignedApproval& signed_approval) override {
    if (before_put) std::exchange(before_put, nullptr)();
    if (is_read_only) return Error(ErrorCode::kPermissionDenied, "The store is read-only.");
    const auto approval = parse_approval(signed_approval.document, "approval");
    if (!approval) return approval.error();
    if (approval->sequence <= last) return Error(ErrorCode::kPermissionDenied, "A replay.");
    last = approval->sequence;
    records.push_back(signed_approval);
    return base::ok();
  }
  Result<std::vector<SignedApproval>> find_approvals(const KernelId&) override { return records; }
  Result<std::uint64_t> last_sequence(const PublicKey&) override { return last; }

  std::uint64_t last = 0;
  bool is_read_only = false;
  std::function<void()> before_put;
  std::vector<SignedApproval> records;
};

TEST_F(ApprovalCheck, IssuingTakesTheNextSequence) {
  MemoryApprovals records;
  records.last = 41;
  const auto issued = issue_approval(records, approval(), key_, kNow);
  ASSERT_TRUE(issued) << issued.error().message();
  EXPECT_EQ(issued->sequence, 42U);
  EXPECT_EQ(issued->issued_ms, kNow);
  ASSERT_EQ(records.records.size(), 1U);
  EXPECT_TRUE(check_approval(records.records[0], kernel_, trust_, kNow));
}

TEST_F(ApprovalCheck, IssuingTriesAgainWhenAnotherWasFirst) {
  MemoryApprovals records;
  records.before_put = [&records] { records.last = 5; };
  const auto issued = issue_approval(records, approval(), key_, kNow);
  ASSERT_TRUE(issued) << issued.error().message();
  EXPECT_EQ(issued->sequence, 6U);
}

TEST_F(ApprovalCheck, IssuingEndsWhereTheStoreRefuses) {
  MemoryApprovals records;
  records.is_read_only = true;
  const auto issued = issue_approval(records, approval(), key_, kNow);
  ASSERT_FALSE(issued);
  EXPECT_EQ(issued.error().message(), "The store is read-only.");
}

TEST(KeyName, TellsKeysFromPeople) {
  TrustedKey key;
  key.label = "ann";
  EXPECT_EQ(key_name(key), "key ann");
  EXPECT_TRUE(is_key_name(key_name(key)));
  EXPECT_FALSE(is_key_name("ann@host"));
}

}  // namespace
}  // namespace halyard::store
