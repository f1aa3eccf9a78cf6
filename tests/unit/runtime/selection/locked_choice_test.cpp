// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/locked_choice.h"

#include "kernel-store/lock_file.h"
#include "runtime/selection/prepare.h"
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace halyard::selection {
namespace {

class LockedChoiceTest : public StoredKernelTest {
 protected:
  void SetUp() override {
    StoredKernelTest::SetUp();
    ASSERT_EQ(0, ::setenv("HALYARD_LOCK", config_file("halyard.lock").c_str(), 1));
    write_lock({});
  }
  void TearDown() override {
    ::unsetenv("HALYARD_LOCK");
    StoredKernelTest::TearDown();
  }

  // The kernel on the least of the device's targets, with its binary.
  store::LockPin pin_on(const std::string& target) const {
    const store::TypeBinding types = {{"T", base::DataType::kF32}};
    store::LockPin pin;
    pin.contract = "rms_norm";
    pin.types = types;
    pin.target = target;
    pin.kernel = kernel_.package.id;
    pin.name = "rms_norm_cpu 1.0.0";
    const auto build =
        std::find_if(kernel_.builds.begin(), kernel_.builds.end(),
                     [&](const auto& one) { return one.target == target && one.types == types; });
    EXPECT_NE(build, kernel_.builds.end());
    pin.build = build->sha256;
    return pin;
  }
  std::string last_target() {
    const auto instance = make_instance();
    return cpu(*instance)->info().targets.back();
  }
  void write_lock(std::vector<store::LockPin> pins) {
    write_file("halyard.lock", store::lock_file_json({std::move(pins)}));
  }
  base::Result<base::Ref<dispatch::Operation>> prepare_now() {
    const auto instance = make_instance();
    const auto device = cpu(*instance);
    return prepare(*instance, *device, norm_request());
  }
};

TEST_F(LockedChoiceTest, PinnedKernelIsTakenThoughOthersRankHigher) {
  const std::string target = last_target();
  write_lock({pin_on(target)});
  const auto operation = prepare_now();
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ(target, (*operation)->choice().target);
  const std::string& explanation = (*operation)->choice().explanation;
  EXPECT_NE(
      explanation.find("The lock file " + config_file("halyard.lock") + " pins rms_norm_cpu 1.0.0"),
      std::string::npos)
      << explanation;
}

TEST_F(LockedChoiceTest, MissingPinIsNoKernelAndNeverAnother) {
  store::LockPin pin = pin_on(last_target());
  pin.kernel = base::Sha256::of("a kernel that is nowhere");
  pin.name = "gone 1.0.0";
  write_lock({pin});
  const auto operation = prepare_now();
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  const std::string& message = operation.error().message();
  EXPECT_NE(message.find("pins gone 1.0.0 ("), std::string::npos) << message;
  EXPECT_NE(message.find("for rms_norm with {\"T\":\"f32\"} on " + pin.target +
                         ", which neither the store nor the bundle has."),
            std::string::npos)
      << message;
}

TEST_F(LockedChoiceTest, OtherBinaryThanThePinnedOneIsRefused) {
  store::LockPin pin = pin_on(last_target());
  pin.build = base::Sha256::of("another binary");
  write_lock({pin});
  const auto operation = prepare_now();
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  EXPECT_NE(operation.error().message().find("The lock file holds its build " +
                                             store::digest_text(*pin.build)),
            std::string::npos)
      << operation.error().message();
}

TEST_F(LockedChoiceTest, PinnedBinaryThatTheApprovalNamesIsTakenThoughAnotherIsNewer) {
  const store::LockPin pin = pin_on(last_target());
  store_kernel();
  store_builds();
  const std::vector<std::byte> code(16);
  for (const store::KernelBuild& build : kernel_.builds) {
    if (build.target != pin.target) continue;
    ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target, build.types,
                                   "another compiler", "", build.flags},
                                  code));
  }
  set_state(store::KernelState::kVerified);
  const auto key = store::SigningKey::create();
  ASSERT_TRUE(key) << key.error().message();
  trust(*key, true);
  sign(*key, store::KernelState::kVerified, 0, {*pin.build});
  write_lock({pin});
  const auto operation = prepare_now();
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ(pin.target, (*operation)->choice().target);
}

TEST_F(LockedChoiceTest, PinnedBinaryIsOneThatTheApprovalNames) {
  store::LockPin pin = pin_on(last_target());
  const store::Digest own = *pin.build;
  store_kernel();
  store_builds();
  const std::vector<std::byte> code(16);
  const store::Digest other = base::Sha256::of(code);
  for (const store::KernelBuild& build : kernel_.builds) {
    if (build.target != pin.target) continue;
    ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target, build.types,
                                   "another compiler", "", build.flags},
                                  code));
  }
  set_state(store::KernelState::kVerified);
  const auto key = store::SigningKey::create();
  ASSERT_TRUE(key) << key.error().message();
  trust(*key, true);
  // Whichever of the two is found first, the lock asks for the other one in one of the cases.
  for (const auto& [pinned, approved] : {std::pair(own, other), std::pair(other, own)}) {
    pin.build = pinned;
    write_lock({pin});
    sign(*key, store::KernelState::kVerified, 0, {approved});
    const auto operation = prepare_now();
    ASSERT_FALSE(operation);
    EXPECT_NE(operation.error().message().find("approves other builds than " +
                                               store::digest_text(pinned)),
              std::string::npos)
        << operation.error().message();
  }
}

TEST_F(LockedChoiceTest, PinWithoutABinaryLeavesItOpen) {
  store::LockPin pin = pin_on(last_target());
  pin.build.reset();
  write_lock({pin});
  const auto operation = prepare_now();
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ(pin.target, (*operation)->choice().target);
}

TEST_F(LockedChoiceTest, WhatTheLockDoesNotNameIsFree) {
  store::LockPin pin = pin_on(last_target());
  pin.types = {{"T", base::DataType::kBf16}};
  pin.build.reset();
  pin.kernel = base::Sha256::of("a kernel that is nowhere");
  write_lock({pin});
  EXPECT_TRUE(prepare_now());
}

TEST_F(LockedChoiceTest, PinnedKernelStillHasToBeAllowed) {
  const std::string target = last_target();
  store::StateChange change;
  change.target = target;
  change.state = store::KernelState::kQuarantined;
  append(change);
  write_lock({pin_on(target)});
  const auto operation = prepare_now();
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  EXPECT_NE(operation.error().message().find("The lock file"), std::string::npos)
      << operation.error().message();
}

}  // namespace
}  // namespace halyard::selection
