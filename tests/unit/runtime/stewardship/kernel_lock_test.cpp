// SPDX-License-Identifier: Apache-2.0
#include "runtime/stewardship/kernel_lock.h"

#include "tests/unit/runtime/stewardship/stewardship_fixture.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace halyard::stewardship {
namespace {

using store::KernelState;

class KernelLockTest : public StewardshipTest {
 protected:
  void SetUp() override {
    StewardshipTest::SetUp();
    store::BuildInputs inputs;
    inputs.kernel = package_->id;
    inputs.target = kTarget;
    inputs.types = {{"T", base::DataType::kF32}};
    inputs.toolchain = "clang 19";
    ASSERT_TRUE(store().put_build(inputs, std::as_bytes(std::span(code_))));
  }

  std::vector<store::LockPin> pins() {
    const auto lock = make_lock(stewarded(), {{"rms_norm"}, {kTarget}});
    EXPECT_TRUE(lock) << lock.error().message();
    std::vector<store::LockPin> pins;
    for (const store::LockPin& pin : lock->pins) {
      if (pin.is_for("rms_norm", {{"T", base::DataType::kF32}})) pins.push_back(pin);
    }
    return pins;
  }
  bool pins_own() {
    const auto all = pins();
    return std::any_of(all.begin(), all.end(),
                       [&](const auto& pin) { return pin.kernel == package_->id; });
  }
  void append(KernelState state, std::vector<std::string> where = {}) {
    store::StateChange change;
    change.kernel = package_->id;
    change.target = kTarget;
    change.state = state;
    change.where = std::move(where);
    change.drivers = {kDriver, kDriver};
    change.evidence = put(evidence());
    const auto appended = store().append_state(change);
    ASSERT_TRUE(appended) << appended.error().message();
  }
  CheckedPin check_one(store::LockPin pin) {
    const auto checked = check_lock(stewarded(), {{std::move(pin)}});
    EXPECT_TRUE(checked) << checked.error().message();
    return checked->front();
  }
  store::LockPin own_pin() {
    store::LockPin pin;
    pin.contract = "rms_norm";
    pin.types = {{"T", base::DataType::kF32}};
    pin.target = kTarget;
    pin.kernel = package_->id;
    pin.build = base::Sha256::of(code_);
    pin.name = "rms_norm_cpu 9.9.9";
    return pin;
  }

  const std::string code_ = "machine code";
};

TEST_F(KernelLockTest, CandidateIsNotPinnedBesideBundledKernels) {
  EXPECT_FALSE(pins().empty());
  EXPECT_FALSE(pins_own());
}

TEST_F(KernelLockTest, VerifiedAndThenPromotedKernelIsPinnedAlone) {
  append(KernelState::kVerified);
  ASSERT_EQ(pins().size(), 1U);
  EXPECT_EQ(pins().front(), own_pin());
  append(KernelState::kPromoted);
  EXPECT_EQ(pins().size(), 1U);
  EXPECT_TRUE(pins_own());
}

TEST_F(KernelLockTest, PromotionForSomeAxesLeavesTheOthersTheirKernels) {
  append(KernelState::kVerified);
  append(KernelState::kPromoted, {"batch <= 8"});
  EXPECT_TRUE(pins_own());
  EXPECT_GT(pins().size(), 1U);
}

TEST_F(KernelLockTest, RetiredKernelIsNotPinned) {
  append(KernelState::kVerified);
  append(KernelState::kRetired);
  EXPECT_FALSE(pins_own());
}

TEST_F(KernelLockTest, UnknownContractIsNotFound) {
  const auto lock = make_lock(stewarded(), {{"no_such"}, {}});
  ASSERT_FALSE(lock);
  EXPECT_EQ(lock.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(lock.error().message(), "There are no kernels of contract \"no_such\" to lock.");
}

TEST_F(KernelLockTest, CheckTellsHowAPinStands) {
  EXPECT_EQ(check_one(own_pin()).standing, PinStanding::kMoved);
  append(KernelState::kVerified);
  EXPECT_EQ(check_one(own_pin()).standing, PinStanding::kPresent);

  store::LockPin open = own_pin();
  open.build.reset();
  EXPECT_EQ(check_one(open).standing, PinStanding::kPresent);

  store::LockPin changed = own_pin();
  changed.build = base::Sha256::of("other code");
  const CheckedPin other = check_one(changed);
  EXPECT_EQ(other.standing, PinStanding::kChanged);
  EXPECT_NE(other.reason.find(store::digest_text(*changed.build)), std::string::npos);

  store::LockPin missing = own_pin();
  missing.kernel = base::Sha256::of("nothing");
  EXPECT_EQ(check_one(missing).standing, PinStanding::kMissing);
  store::LockPin unbuilt = own_pin();
  unbuilt.types = {{"T", base::DataType::kBf16}};
  EXPECT_EQ(check_one(unbuilt).reason, "The kernel has no build for x86_64-v3.");

  append(KernelState::kRetired);
  EXPECT_EQ(check_one(own_pin()).standing, PinStanding::kRefused);
}

TEST_F(KernelLockTest, CheckIsADocument) {
  const std::string text = lock_check_json("a.lock", {{own_pin(), PinStanding::kMoved, "Why."}});
  for (const char* const part : {"\"format\":\"halyard.lock-check/1\"", "\"standing\":\"moved\"",
                                 "\"reason\":\"Why.\"", "\"types\":{\"T\":\"f32\"}"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace halyard::stewardship
