// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/kernel_standing.h"

#include "kernel-store/trust/approval_check.h"
#include "kernel-store/trust/policy.h"
#include "runtime/selection/prepare.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace halyard::selection {
namespace {

using store::KernelState;

class KernelStandingTest : public StoredKernelTest {
 protected:
  void SetUp() override {
    StoredKernelTest::SetUp();
    auto key = store::SigningKey::create();
    ASSERT_TRUE(key) << key.error().message();
    key_.emplace(std::move(*key));
  }

  void set_policy(const store::Policy& policy) {
    write_file("policy.json", store::policy_json(policy));
  }
  // A promotion on every target.
  void promote(std::vector<std::string> where, std::uint32_t share_percent = 100) {
    for (const std::string& target : kernel_.package.record.targets) {
      store::StateChange change;
      change.target = target;
      change.state = KernelState::kPromoted;
      change.where = where;
      change.share_percent = share_percent;
      change.evidence = put_evidence(target, cpu_driver(), kernel_.builds.front().toolchain);
      append(change);
    }
  }
  void verify_by(const std::string& who) {
    for (const std::string& target : kernel_.package.record.targets) {
      store::StateChange change;
      change.target = target;
      change.state = KernelState::kVerified;
      change.who = who;
      change.evidence = put_evidence(target, cpu_driver(), kernel_.builds.front().toolchain);
      append(change);
    }
  }
  // Verified for all drivers by evidence of another one.
  void verify_elsewhere(const std::string& driver, const std::string& toolchain) {
    for (const std::string& target : kernel_.package.record.targets) {
      store::StateChange change;
      change.target = target;
      change.state = KernelState::kVerified;
      change.evidence = put_evidence(target, driver, toolchain);
      append(change);
    }
  }
  void tamper(const std::string& sql) {
    store::testing::tamper((root_ / "store/store.sqlite").string(), sql);
  }
  std::string chosen_state(const char* device_id) {
    const auto instance = make_instance(backends_with_apart());
    const auto device = *instance->backends().device(device_id);
    const auto operation = prepare(*instance, *device, norm_request());
    if (!operation) return operation.error().message();
    return (*operation)->choice().kernel_name + " " + (*operation)->choice().state;
  }

  std::optional<store::SigningKey> key_;
};

TEST_F(KernelStandingTest, KeyOfTheUsersOwnLetsCodeRunInsideTheProcess) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  sign(*key_, KernelState::kVerified);
  expect_refused("cpu:0", "no trusted key approves it");
  trust(*key_, true);
  EXPECT_EQ("rms_norm_cpu verified", chosen_state("cpu:0"));
}

TEST_F(KernelStandingTest, KeyOfAnotherDoesNotLetCodeRunInsideTheProcess) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  sign(*key_, KernelState::kVerified);
  trust(*key_, false);
  expect_refused("cpu:0", "is approved by key \"theirs\", which is not local");
}

TEST_F(KernelStandingTest, KeyThatNamesOtherBuildsDoesNotLetThisOneRun) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  trust(*key_, true);
  sign(*key_, KernelState::kVerified, 0, {store::Digest{}});
  expect_refused("cpu:0", "key \"mine\" approves other builds than ");
  std::vector<store::Digest> builds;
  for (const store::KernelBuild& build : kernel_.builds)
    builds.push_back(build.sha256);
  sign(*key_, KernelState::kVerified, 0, builds);
  EXPECT_EQ("rms_norm_cpu verified", chosen_state("cpu:0"));
}

TEST_F(KernelStandingTest, TrustedKeyLetsAKernelRunOnADevice) {
  store_kernel();
  store_builds();
  sign(*key_, KernelState::kVerified);
  expect_refused("apart:0", "no trusted key approves it");
  trust(*key_, false);
  EXPECT_EQ("rms_norm_cpu self-tested", chosen_state("apart:0"));
}

TEST_F(KernelStandingTest, ObjectionOfATrustedKeyOutweighsAVerification) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  trust(*key_, false);
  sign(*key_, KernelState::kQuarantined);
  expect_refused("apart:0", "theirs");
}

TEST_F(KernelStandingTest, EntryOfAKeyIsNoVerificationOfThisStore) {
  store_kernel();
  store_builds();
  verify_by("key theirs");
  expect_refused("apart:0", "it is not verified here and no trusted key approves it");
}

TEST_F(KernelStandingTest, PromotionOfWhatAKeyVerifiedIsNoVerificationOfThisStore) {
  store_kernel();
  store_builds();
  verify_by("key theirs");
  promote({});
  expect_refused("apart:0", "it is not verified here and no trusted key approves it");
}

TEST_F(KernelStandingTest, RemovedKeyCountsNoMoreInARunningProcess) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  sign(*key_, KernelState::kVerified);
  trust(*key_, true);
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  ASSERT_TRUE(prepare(*instance, *device, norm_request()));
  write_file("trust.json", store::TrustList().to_json());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  bool runs = true;
  while (runs && std::chrono::steady_clock::now() < deadline)
    runs = prepare(*instance, *device, norm_request()).has_value();
  EXPECT_FALSE(runs);
}

TEST_F(KernelStandingTest, ApprovalThatExpiresEndsTheChoice) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  trust(*key_, true);
  const auto soon = std::chrono::duration_cast<std::chrono::milliseconds>(
                        std::chrono::system_clock::now().time_since_epoch()) +
                    std::chrono::seconds(2);
  sign(*key_, KernelState::kVerified, soon.count());
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  bool runs = true;
  while (runs && std::chrono::steady_clock::now() < deadline)
    runs = prepare(*instance, *device, norm_request()).has_value();
  EXPECT_FALSE(runs);
}

TEST_F(KernelStandingTest, PromotionCountsWhereItsConditionsHold) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  promote({"hidden <= 64"});
  EXPECT_EQ("rms_norm_cpu promoted", chosen_state("apart:0"));
}

TEST_F(KernelStandingTest, PromotionCountsAsVerifiedWhereItsConditionsDoNotHold) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  promote({"hidden <= 64", "hidden > 64"});
  EXPECT_EQ("rms_norm_cpu verified", chosen_state("apart:0"));
  EXPECT_EQ("It is promoted where hidden <= 64 and hidden > 64.", first_candidate("apart:0").note);
}

TEST_F(KernelStandingTest, PromotionOverAnAxisWithoutAValueCountsAsVerified) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  promote({"batch <= 8"});
  EXPECT_EQ(KernelState::kVerified, first_candidate("apart:0").state);
}

TEST_F(KernelStandingTest, PromotionToAShareReachesItsHostsOnly) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  const auto instance = make_instance();
  const std::string host = instance->host();
  std::uint32_t share = 1;
  while (share < 99 && !store::in_share(kernel_.package.id, host, share))
    ++share;
  const bool is_in = store::in_share(kernel_.package.id, host, share);
  promote({}, share);
  EXPECT_EQ(is_in ? KernelState::kPromoted : KernelState::kVerified,
            first_candidate("apart:0").state);
}

TEST_F(KernelStandingTest, StaleEvidenceIsNamedAndTestedAgainByDefault) {
  store_kernel();
  store_builds();
  verify_elsewhere("cpu 0.0.1", kernel_.builds.front().toolchain);
  EXPECT_EQ("driver cpu 0.0.1", first_candidate("apart:0").stale);
  EXPECT_EQ("rms_norm_cpu verified", chosen_state("apart:0"));
}

TEST_F(KernelStandingTest, EvidenceOfAnotherToolchainIsStale) {
  store_kernel();
  store_builds();
  verify_elsewhere(cpu_driver(), "clang 1.0");
  EXPECT_EQ("toolchain clang 1.0", first_candidate("apart:0").stale);
}

TEST_F(KernelStandingTest, PolicyWaitsForAVerificationOfWhatIsStale) {
  store_kernel();
  store_builds();
  verify_elsewhere("cpu 0.0.1", kernel_.builds.front().toolchain);
  store::Policy policy;
  policy.stale = store::StalePolicy::kReverify;
  set_policy(policy);
  expect_refused("apart:0",
                 "Kernel \"rms_norm_cpu\" rests on evidence of driver cpu 0.0.1, and does not run "
                 "until it is verified again.");
  set_state(KernelState::kVerified);
  EXPECT_EQ("", first_candidate("apart:0").stale);
  EXPECT_EQ("rms_norm_cpu verified", chosen_state("apart:0"));
}

TEST_F(KernelStandingTest, PolicyRefusesWhatIsStale) {
  store_kernel();
  store_builds();
  verify_elsewhere("cpu 0.0.1", kernel_.builds.front().toolchain);
  store::Policy policy;
  policy.stale = store::StalePolicy::kRefuse;
  set_policy(policy);
  expect_refused("apart:0", "driver cpu 0.0.1, which the policy refuses.");
}

TEST_F(KernelStandingTest, PolicyMayRefuseBundledKernels) {
  store::Policy policy;
  policy.this_process = {store::ExecutionBasis::kLocalKey};
  set_policy(policy);
  const std::string message = chosen_state("cpu:0");
  EXPECT_NE(message.find("comes with the library, and the policy asks for local-key"),
            std::string::npos)
      << message;
}

TEST_F(KernelStandingTest, KernelOfTheStoreIsRefusedWhereItsHistoryCannotBeRead) {
  store_kernel();
  store_builds();
  set_state(KernelState::kQuarantined);
  store::Policy policy;
  policy.device = {store::ExecutionBasis::kUnverified};
  set_policy(policy);
  tamper("UPDATE states SET state = 'fine'");
  expect_refused("apart:0", "Its history cannot be read from the store: Entry ");
  tamper("UPDATE states SET state = 'candidate'");
  EXPECT_EQ("rms_norm_cpu self-tested", chosen_state("apart:0"));
}

TEST_F(KernelStandingTest, KernelOfTheStoreIsRefusedWhereItsApprovalsCannotBeRead) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  trust(*key_, false);
  sign(*key_, KernelState::kQuarantined);
  tamper("ALTER TABLE approvals RENAME TO elsewhere");
  expect_refused("apart:0", "Its approvals cannot be read from the store: ");
}

TEST_F(KernelStandingTest, EvidenceThatCannotBeReadIsStale) {
  store_kernel();
  store_builds();
  set_state(KernelState::kVerified);
  tamper("ALTER TABLE evidence RENAME TO elsewhere");
  EXPECT_EQ("a record that cannot be read", first_candidate("apart:0").stale);
}

TEST_F(KernelStandingTest, BundledKernelRunsWhereItsHistoryCannotBeReadUntilItCan) {
  set_state(KernelState::kQuarantined);
  tamper("UPDATE states SET state = 'fine'");
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ("rms_norm_cpu", (*operation)->choice().kernel_name);
  // No generation grows with it.
  tamper("UPDATE states SET state = 'quarantined'");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::string name = "rms_norm_cpu";
  while (name == "rms_norm_cpu" && std::chrono::steady_clock::now() < deadline) {
    const auto next = prepare(*instance, *device, norm_request());
    name = next ? (*next)->choice().kernel_name : next.error().message();
  }
  EXPECT_NE("rms_norm_cpu", name);
}

}  // namespace
}  // namespace halyard::selection
