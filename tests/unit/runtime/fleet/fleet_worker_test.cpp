// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/fleet_worker.h"

#include "kernel-store/open_store.h"
#include "runtime/fleet/verification_request.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace halyard::fleet {
namespace {

using base::ErrorCode;
using store::RequestKind;
using store::RequestStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A worker with a device that says what the test wants, over a store in a file.
class FleetWorkerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store_ = open();
    keeper_ = open();
    package_ = store::testing::make_package();
    ASSERT_TRUE(store_->put_kernel(package_));
    verdict_.outcome = "accept";
    verdict_.evidence = {store::testing::make_evidence(package_.id)};
    store::StateChange state;
    state.kernel = package_.id;
    state.target = "x86_64-v3";
    state.state = store::KernelState::kVerified;
    state.who = "test";
    state.why = "All stages passed.";
    state.evidence = store::evidence_id(verdict_.evidence[0]);
    verdict_.states = {state};
    devices_.push_back({"cpu:0",
                        {"x86_64-v3", "x86_64-v2"},
                        [this](const store::KernelPackage& package) { return verify(package); }});
    options_.owner = "here/1";
    options_.once = true;
    options_.least_pause = std::chrono::milliseconds(1);
    options_.longest_pause = std::chrono::milliseconds(10);
    options_.should_stop = [this] { return stops_.load(); };
    options_.report = [this](WorkerEvent event, const std::string& sentence) {
      events_.push_back(event);
      last_sentence_ = sentence;
    };
  }

  std::unique_ptr<store::KernelStore> open() {
    auto opened = store::open_store("sqlite:" + (directory_ / "store.sqlite"));
    EXPECT_TRUE(opened) << opened.error().message();
    return std::move(*opened);
  }

  base::Result<KernelVerdict> verify(const store::KernelPackage& package) {
    EXPECT_EQ(package.id, package_.id);
    ++verifications_;
    if (meanwhile_) meanwhile_();
    if (error_) return *error_;
    return verdict_;
  }

  void ask(const std::string& target, const std::string& document) {
    ASSERT_TRUE(store_->requests().put_request(RequestKind::kVerification, target, document));
  }
  void ask() { ask("x86_64-v3", verification_request_json(package_.id)); }

  base::Status run() { return FleetWorker(*store_, *keeper_, devices_, options_, metrics_).run(); }

  store::Request request() {
    const auto list = store_->requests().list_requests();
    return list && list->size() == 1 ? list->front() : store::Request{};
  }
  std::size_t evidence_count() {
    return store_->find_evidence({package_.id, {}, {}, {}, {}, {}})->size();
  }

  store::testing::TemporaryDirectory directory_;
  std::unique_ptr<store::KernelStore> store_;
  std::unique_ptr<store::KernelStore> keeper_;
  store::KernelPackage package_;
  std::vector<FleetDevice> devices_;
  FleetWorkerOptions options_;
  WorkerMetrics metrics_;
  KernelVerdict verdict_;
  std::function<void()> meanwhile_;  // Runs during a verification.
  std::optional<base::Error> error_;
  int verifications_ = 0;
  std::atomic<bool> stops_{false};
  std::vector<WorkerEvent> events_;
  std::string last_sentence_;
};

TEST_F(FleetWorkerTest, VerdictIsStoredWithEvidenceStateAndBuilds) {
  store::BuildInputs inputs;
  inputs.kernel = package_.id;
  verdict_.builds = {{inputs, {std::byte{1}}}};
  ask();
  const auto ran = run();
  ASSERT_TRUE(ran) << ran.error().message();
  EXPECT_EQ(request().status, RequestStatus::kDone);
  EXPECT_EQ(request().outcome, "accept");
  EXPECT_EQ(request().owner, "here/1");
  EXPECT_EQ(evidence_count(), 1U);
  EXPECT_EQ(store_->states(package_.id, "")->back().state, store::KernelState::kVerified);
  EXPECT_EQ(store_->find_builds(package_.id)->size(), 1U);
  EXPECT_THAT(events_, ElementsAre(WorkerEvent::kClaimed, WorkerEvent::kSettled));
  EXPECT_EQ(metrics_.requests_done.load(), 1U);
  EXPECT_FALSE(metrics_.is_busy.load());
}

TEST_F(FleetWorkerTest, LeavesWhatItsDevicesCannotDo) {
  ask("amdgcn-gfx942", verification_request_json(package_.id));
  ASSERT_TRUE(store_->requests().put_request(RequestKind::kKernel, "x86_64-v3", "{\"n\":1}"));
  ASSERT_TRUE(run());
  EXPECT_EQ(verifications_, 0);
}

TEST_F(FleetWorkerTest, RequestThatMakesNoSenseFails) {
  ask("x86_64-v3", "{\"format\":\"x\"}");
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kFailed);
  EXPECT_THAT(request().outcome, HasSubstr("/format"));
  EXPECT_EQ(metrics_.requests_failed.load(), 1U);
}

TEST_F(FleetWorkerTest, AbsentKernelFails) {
  ask("", verification_request_json(store::testing::make_package("other").id));
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kFailed);
  EXPECT_THAT(request().outcome, HasSubstr("The store has no kernel "));
}

TEST_F(FleetWorkerTest, UndecidedVerificationSaysNothingOfTheKernel) {
  verdict_.is_decided = false;
  verdict_.outcome = "undecided: over the budget";
  ask();
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kFailed);
  EXPECT_EQ(evidence_count(), 0U);
  EXPECT_TRUE(store_->states(package_.id, "")->empty());
}

TEST_F(FleetWorkerTest, DeviceThatCannotWorkGivesTheRequestBackAndEnds) {
  error_ = base::Error(ErrorCode::kPermissionDenied, "This machine keeps nothing apart.");
  ask();
  const auto ran = run();
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(ran.error().message(), "This machine keeps nothing apart.");
  EXPECT_EQ(request().status, RequestStatus::kOpen);
  EXPECT_EQ(request().attempts, 0U);
}

TEST_F(FleetWorkerTest, VerdictOfALostClaimIsDropped) {
  meanwhile_ = [this] {
    const auto other = open();
    ASSERT_TRUE(other->requests().cancel_request(request().id));
  };
  ask();
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kCancelled);
  EXPECT_EQ(evidence_count(), 0U);
  EXPECT_EQ(metrics_.claims_lost.load(), 1U);
  EXPECT_EQ(events_.back(), WorkerEvent::kLost);
}

TEST_F(FleetWorkerTest, StoppedWorkerGivesItsClaimBackWhileItIsBusy) {
  meanwhile_ = [this] {
    stops_ = true;
    // The keeper does it; this thread only waits, as a verification would.
    const auto other = open();
    for (int i = 0; i < 600; ++i) {
      if (other->requests().list_requests()->front().status == RequestStatus::kOpen) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  };
  ask();
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kOpen);
  EXPECT_EQ(evidence_count(), 0U);
  EXPECT_THAT(events_, ElementsAre(WorkerEvent::kClaimed, WorkerEvent::kGaveBack));
  EXPECT_EQ(metrics_.requests_given_back.load(), 1U);
  EXPECT_THAT(last_sentence_, HasSubstr("is given back: the worker ends."));
}

TEST_F(FleetWorkerTest, ClaimIsRenewedForAsLongAsTheWorkTakes) {
  options_.lease = std::chrono::seconds(3);
  meanwhile_ = [this] {
    // Longer than the lease, by the clock that the store goes by.
    const auto end = std::chrono::system_clock::now() + std::chrono::milliseconds(4500);
    const auto other = open();
    while (std::chrono::system_clock::now() < end) {
      const auto claim = other->requests().claim_request("other", {}, std::chrono::seconds(9));
      ASSERT_TRUE(claim);
      ASSERT_FALSE(claim->has_value());
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  };
  ask();
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kDone);
}

TEST_F(FleetWorkerTest, StateThatTheRulesRefuseLeavesVerdictAndEvidence) {
  store::StateChange retired = verdict_.states[0];
  retired.state = store::KernelState::kRetired;
  ASSERT_TRUE(store_->append_state(retired));
  ask();
  ASSERT_TRUE(run());
  EXPECT_EQ(request().status, RequestStatus::kDone);
  EXPECT_THAT(request().outcome, HasSubstr("accept (The kernel is retired"));
  EXPECT_EQ(evidence_count(), 1U);
  EXPECT_EQ(store_->states(package_.id, "")->size(), 1U);
}

TEST_F(FleetWorkerTest, VerdictWaitsForAStoreThatIsAway) {
  const std::string path = directory_ / "store.sqlite";
  const std::string away = directory_ / "away";
  store::BuildInputs inputs;
  inputs.kernel = package_.id;
  verdict_.builds = {{inputs, {std::byte{1}}}};
  meanwhile_ = [&] { std::filesystem::rename(path, away); };
  options_.report = [&](WorkerEvent event, const std::string&) {
    if (event == WorkerEvent::kWaiting) std::filesystem::rename(away, path);
    events_.push_back(event);
  };
  ask();
  ASSERT_TRUE(run());
  EXPECT_THAT(events_,
              ElementsAre(WorkerEvent::kClaimed, WorkerEvent::kWaiting, WorkerEvent::kSettled));
  EXPECT_EQ(verifications_, 1);
  EXPECT_EQ(request().status, RequestStatus::kDone);
  EXPECT_EQ(store_->find_builds(package_.id)->size(), 1U);
}

TEST_F(FleetWorkerTest, EmptyStoreIsAskedAgainUntilTheWorkerStops) {
  options_.once = false;
  int asked = 0;
  options_.should_stop = [&] { return ++asked > 20; };
  ASSERT_TRUE(run());
  EXPECT_EQ(verifications_, 0);
  EXPECT_GT(asked, 20);
}

}  // namespace
}  // namespace halyard::fleet
