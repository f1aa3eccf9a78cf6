// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/rollout.h"
#include "tests/conformance/store/store_conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using testing::make_evidence;

constexpr const char* kTarget = "x86_64-v3";

// A verified kernel in a store, and what devices say of it.
class RolloutTrial {
 public:
  explicit RolloutTrial(KernelStore& store) : store_(&store) { verify(); }

  void verify() {
    EvidenceRecord before = make_evidence(kernel_);
    before.time = "2020-01-01T00:00:00Z";
    const auto id = store_->put_evidence(before);
    ASSERT_TRUE(id) << id.error().message();
    append(KernelState::kVerified, 100, *id);
    evidence_ = *id;
  }
  const EvidenceId& evidence() const { return evidence_; }
  const std::vector<StateChange>& history() const { return history_; }
  const KernelId& kernel() const { return kernel_; }

  void append(KernelState state, std::uint32_t share, const EvidenceId& evidence) {
    StateChange change;
    change.kernel = kernel_;
    change.target = kTarget;
    change.state = state;
    change.share_percent = share;
    change.who = "test";
    change.why = "test";
    change.evidence = evidence;
    const auto added = store_->append_state(change);
    ASSERT_TRUE(added) << added.error().message();
    ASSERT_TRUE(*added);
  }

  // A device says something long after every promotion of the test.
  void say(const std::string& device, Verdict verdict, const std::string& driver = "cpu 1",
           const std::string& time = "2126-01-01T00:00:00Z") {
    EvidenceRecord record = make_evidence(kernel_);
    record.device = device;
    record.driver = driver;
    record.verdict = verdict;
    record.message = "y[3] is 0";
    record.time = time;
    ASSERT_TRUE(store_->put_evidence(record));
  }

  RolloutReport advance() {
    auto report = advance_rollout(*store_, kernel_, kTarget, {2}, "test");
    EXPECT_TRUE(report) << report.error().message();
    return report ? *report : RolloutReport{};
  }

  const StateChange* in_force(std::string_view host) {
    history_ = *store_->states(kernel_, kTarget);
    return last_change(history_, {kTarget, "cpu 1", host});
  }

  // Of 1000 hosts those that take the kernel as promoted.
  int promoted_hosts() {
    int count = 0;
    for (int i = 0; i < 1000; ++i) {
      const StateChange* const change = in_force("host " + std::to_string(i));
      count += change != nullptr && change->state == KernelState::kPromoted ? 1 : 0;
    }
    return count;
  }

 private:
  KernelStore* store_;
  const KernelId kernel_ = testing::make_package().id;
  EvidenceId evidence_{};
  std::vector<StateChange> history_;
};

TEST_P(StoreConformance, RolloutNothingIsOnItsWay) {
  RolloutTrial trial(*store_);
  EXPECT_EQ(trial.advance().step, RolloutStep::kNone);
  trial.append(KernelState::kPromoted, 100, trial.evidence());
  trial.say("cpu/a", Verdict::kFail);
  const RolloutReport report = trial.advance();
  EXPECT_EQ(report.step, RolloutStep::kNone);
  EXPECT_EQ(report.sentence, "No promotion is on its way.");
}

TEST_P(StoreConformance, RolloutReachesAShareOfTheHostsAndThenAll) {
  RolloutTrial trial(*store_);
  trial.append(KernelState::kPromoted, 10, trial.evidence());
  const int canaries = trial.promoted_hosts();
  EXPECT_GT(canaries, 50);
  EXPECT_LT(canaries, 200);
  EXPECT_EQ(trial.advance().step, RolloutStep::kWaits);
  trial.say("cpu/a", Verdict::kPass);
  trial.say("cpu/a", Verdict::kPass, "cpu 2");
  const RolloutReport waits = trial.advance();
  EXPECT_EQ(waits.step, RolloutStep::kWaits);
  EXPECT_EQ(waits.sentence, "1 of 2 devices have passed since the promotion to 10 % of the hosts.");
  EXPECT_EQ(trial.promoted_hosts(), canaries);
  trial.say("cpu/b", Verdict::kPass);
  const RolloutReport widened = trial.advance();
  EXPECT_EQ(widened.step, RolloutStep::kWidened);
  EXPECT_EQ(widened.passed_devices, 2U);
  EXPECT_EQ(trial.promoted_hosts(), 1000);
  EXPECT_EQ(trial.in_force("")->why, "2 devices pass since the promotion to 10 % of the hosts.");
  EXPECT_EQ(trial.advance().sentence, "The promotion has reached all hosts.");
}

TEST_P(StoreConformance, RolloutFailureTakesItBack) {
  RolloutTrial trial(*store_);
  trial.append(KernelState::kPromoted, 10, trial.evidence());
  trial.say("cpu/a", Verdict::kPass);
  trial.say("cpu/b", Verdict::kPass);
  trial.say("cpu/c", Verdict::kFail);
  const RolloutReport report = trial.advance();
  EXPECT_EQ(report.step, RolloutStep::kTakenBack);
  EXPECT_THAT(report.sentence, HasSubstr("Device cpu/c with cpu 1 fails since the promotion to 10 "
                                         "% of the hosts: y[3] is 0"));
  EXPECT_EQ(trial.promoted_hosts(), 0);
  EXPECT_EQ(trial.in_force("")->state, KernelState::kVerified);
  EXPECT_EQ(trial.history().back().reverts, trial.history()[1].sequence);
  EXPECT_EQ(trial.advance().step, RolloutStep::kNone);
}

TEST_P(StoreConformance, RolloutFailureAfterItReachedAllTakesBackEachShare) {
  RolloutTrial trial(*store_);
  trial.append(KernelState::kPromoted, 10, trial.evidence());
  trial.say("cpu/a", Verdict::kPass);
  trial.say("cpu/b", Verdict::kPass);
  ASSERT_EQ(trial.advance().step, RolloutStep::kWidened);
  trial.say("cpu/c", Verdict::kFail);
  EXPECT_EQ(trial.advance().step, RolloutStep::kTakenBack);
  EXPECT_EQ(trial.promoted_hosts(), 0);
  EXPECT_EQ(trial.history().size(), 5U);
}

TEST_P(StoreConformance, RolloutOlderEvidenceAndOtherKindsDoNotCount) {
  RolloutTrial trial(*store_);
  trial.append(KernelState::kPromoted, 10, trial.evidence());
  trial.say("cpu/old", Verdict::kFail, "cpu 1", "2020-01-01T00:00:00Z");
  EvidenceRecord emulated = make_evidence(trial.kernel());
  emulated.kind = EvidenceKind::kEmulated;
  emulated.time = "2126-01-01T00:00:00Z";
  for (const char* const device : {"emulator/a", "emulator/b"}) {
    emulated.device = device;
    ASSERT_TRUE(store_->put_evidence(emulated));
  }
  EvidenceRecord self_test = emulated;
  self_test.kind = EvidenceKind::kSelfTest;
  self_test.verdict = Verdict::kFail;
  self_test.environment[kEmulatedMember] = true;
  ASSERT_TRUE(store_->put_evidence(self_test));
  const RolloutReport report = trial.advance();
  EXPECT_EQ(report.step, RolloutStep::kWaits);
  EXPECT_EQ(report.passed_devices, 0U);
}

}  // namespace
}  // namespace halyard::store
