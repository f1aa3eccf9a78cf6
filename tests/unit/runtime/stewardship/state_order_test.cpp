// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/state_order.h"

#include "kernel-store/trust/approval_check.h"
#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include <string>
#include <utility>

namespace halyard::stewardship {
namespace {

using base::ErrorCode;
using store::KernelState;

class StateOrderTest : public StewardshipTest {
 protected:
  StateOrder order(StateAction action) const {
    StateOrder order;
    order.action = action;
    order.kernel = kernel_text();
    order.target = kTarget;
    order.who = "ana";
    order.why = "the test wants it";
    return order;
  }
  base::Result<StateOutcome> carry(const StateOrder& order) {
    return carry_out(stewarded(), order);
  }
  void expect_refusal(const StateOrder& order, ErrorCode code, const std::string& part) {
    const auto outcome = carry(order);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code(), code);
    EXPECT_NE(outcome.error().message().find(part), std::string::npos) << outcome.error().message();
  }
};

TEST_F(StateOrderTest, PromotionIsForTheDriverOfItsEvidence) {
  verify();
  const auto outcome = carry(order(StateAction::kPromote));
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_TRUE(outcome->changed);
  EXPECT_EQ(outcome->change.drivers, (store::DriverRange{kDriver, kDriver}));
  EXPECT_EQ(outcome->change.state, KernelState::kPromoted);
  EXPECT_TRUE(outcome->change.evidence);
  const auto history = store().states(package_->id, kTarget);
  ASSERT_TRUE(history);
  EXPECT_EQ(history->back().who, "ana");
  EXPECT_EQ(history->back().why, "the test wants it");
  EXPECT_FALSE(carry(order(StateAction::kPromote))->changed);
}

TEST_F(StateOrderTest, PromotionOfWhatIsNotVerifiedIsRefused) {
  put(evidence());
  expect_refusal(order(StateAction::kPromote), ErrorCode::kPermissionDenied,
                 "it has to be verified first.");
}

TEST_F(StateOrderTest, ConditionsAreOverTheAxesOfTheContract) {
  verify();
  StateOrder wrong = order(StateAction::kPromote);
  wrong.where = {"wheels <= 4"};
  expect_refusal(wrong, ErrorCode::kInvalidArgument, "wheels");
  StateOrder right = order(StateAction::kPromote);
  right.where = {"batch <= 8"};
  right.share_percent = 25;
  const auto outcome = carry(right);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->change.where, right.where);
  EXPECT_EQ(outcome->change.share_percent, 25U);
  StateOrder retirement = order(StateAction::kRetire);
  retirement.share_percent = 25;
  expect_refusal(retirement, ErrorCode::kInvalidArgument, "for promotions only");
}

TEST_F(StateOrderTest, RollbackTakesTheLastEntryBack) {
  verify();
  ASSERT_TRUE(carry(order(StateAction::kPromote)));
  const auto back = carry(order(StateAction::kRollBack));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(back->changed);
  EXPECT_EQ(back->change.state, KernelState::kVerified);
  ASSERT_TRUE(carry(order(StateAction::kRollBack)));
  expect_refusal(order(StateAction::kRollBack), ErrorCode::kNotFound,
                 "Kernel rms_norm_cpu has no state on x86_64-v3 that could be taken back.");
}

TEST_F(StateOrderTest, TargetThatTheKernelIsNotForIsRefused) {
  StateOrder wrong = order(StateAction::kRetire);
  wrong.target = "vax-11";
  expect_refusal(wrong, ErrorCode::kInvalidArgument,
                 "Kernel rms_norm_cpu is not for target \"vax-11\"; it is for ");
}

TEST_F(StateOrderTest, NobodyWritesUnderTheNameOfAKey) {
  StateOrder wrong = order(StateAction::kRetire);
  wrong.who = "key ana";
  expect_refusal(wrong, ErrorCode::kInvalidArgument, "is one of a key");
}

TEST_F(StateOrderTest, KeySignsAnApprovalThatNamesTheBinaries) {
  verify();
  store::BuildInputs inputs;
  inputs.kernel = package_->id;
  inputs.target = kTarget;
  inputs.types = {{"T", base::DataType::kF32}};
  inputs.toolchain = "clang 19";
  const std::string code = "machine code";
  ASSERT_TRUE(store().put_build(inputs, std::as_bytes(std::span(code))));
  auto key = store::SigningKey::create();
  ASSERT_TRUE(key) << key.error().message();
  StateOrder signed_order = order(StateAction::kPromote);
  signed_order.key = &*key;
  const auto outcome = carry(signed_order);
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_TRUE(outcome->approval);
  EXPECT_EQ(outcome->approval->builds, std::vector<store::Digest>({base::Sha256::of(code)}));
  EXPECT_EQ(outcome->approval->sequence, 1U);
  const auto approvals = store().approvals().find_approvals(package_->id);
  ASSERT_TRUE(approvals);
  ASSERT_EQ(approvals->size(), 1U);
  const auto checked = store::check_signature(approvals->front());
  ASSERT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(checked->origin, key->public_key());
  EXPECT_EQ(checked->state, KernelState::kPromoted);
}

TEST_F(StateOrderTest, KeySignsNoStateThatSaysNothing) {
  StateOrder first = order(StateAction::kRetire);
  ASSERT_TRUE(carry(first));
  auto key = store::SigningKey::create();
  ASSERT_TRUE(key);
  StateOrder back = order(StateAction::kRollBack);
  back.key = &*key;
  expect_refusal(back, ErrorCode::kPermissionDenied,
                 "The kernel becomes candidate, which no approval can say.");
  EXPECT_EQ(store().states(package_->id, kTarget)->size(), 1U);
}

TEST_F(StateOrderTest, PersonIsTheUserAtTheHost) {
  EXPECT_NE(this_person().find('@'), std::string::npos);
  EXPECT_FALSE(store::is_key_name(this_person()));
}

}  // namespace
}  // namespace halyard::stewardship
