// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/candidate.h"

#include "runtime/selection/prepare.h"
#include "tests/unit/runtime/selection/stored_kernel_fixture.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>

namespace halyard::selection {
namespace {

namespace fs = std::filesystem;

class CandidateTest : public StoredKernelTest {
 protected:
  void change_store(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(SQLITE_OK, sqlite3_open(store_url().c_str(), &database));
    EXPECT_EQ(SQLITE_OK, sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
    ASSERT_EQ(SQLITE_OK, sqlite3_close(database));
  }
};

TEST_F(CandidateTest, KernelOfTheStoreWaitsForVerification) {
  store_kernel();
  store_builds();
  const std::string reason = "it is not verified here and no trusted key approves it";
  expect_refused("apart:0", reason);
  set_state(store::KernelState::kSelfTested);
  expect_refused("apart:0", reason);
}

TEST_F(CandidateTest, VerifiedKernelOfTheStoreIsTestedAndRuns) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  const auto instance = make_instance(backends_with_apart());
  const auto device = *instance->backends().device("apart:0");
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_TRUE(operation) << operation.error().message();
  EXPECT_EQ("rms_norm_cpu", (*operation)->choice().kernel_name);
  EXPECT_EQ("verified", (*operation)->choice().state);
  EXPECT_NE((*operation)->choice().explanation.find("\"origin\":\"store\""), std::string::npos);
  store::EvidenceQuery query;
  query.kernel = kernel_.package.id;
  query.kind = store::EvidenceKind::kSelfTest;
  EXPECT_EQ(1U, store_->find_evidence(query)->size());
}

TEST_F(CandidateTest, CodeOfTheStoreDoesNotRunInsideTheProcess) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  set_state(store::KernelState::kPromoted);
  expect_refused("cpu:0",
                 "Kernel \"rms_norm_cpu\" does not run in this process: it is verified here and no "
                 "trusted key approves it, and the policy asks for bundled or local-key.");
}

TEST_F(CandidateTest, QuarantinedKernelOfTheStoreIsRefused) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  set_state(store::KernelState::kQuarantined);
  expect_refused("apart:0", "It is quarantined: the test says so");
}

TEST_F(CandidateTest, KernelOfTheStoreWithoutABuildIsRefused) {
  store_kernel();
  set_state(store::KernelState::kVerified);
  expect_refused("apart:0", "There is no build for this target and these types.");
}

TEST_F(CandidateTest, BuildOfAnotherDriverDoesNotCount) {
  store_kernel();
  set_state(store::KernelState::kVerified);
  const store::KernelBuild& build = kernel_.builds.front();
  ASSERT_TRUE(store_->put_build({kernel_.package.id, build.parameters, build.target, build.types,
                                 build.toolchain, "another driver", build.flags},
                                codes_.front()));
  expect_refused("apart:0", "There is no build for this target and these types.");
}

TEST_F(CandidateTest, DamagedBlobOfTheStoreIsRefused) {
  store_kernel();
  store_builds();
  set_state(store::KernelState::kVerified);
  change_store("UPDATE blobs SET bytes = x'00' WHERE sha256 IN (SELECT blob FROM builds)");
  const auto instance = make_instance(backends_with_apart());
  const auto device = *instance->backends().device("apart:0");
  const auto operation = prepare(*instance, *device, norm_request());
  ASSERT_FALSE(operation);
  EXPECT_EQ(base::ErrorCode::kNoKernel, operation.error().code());
  EXPECT_NE(operation.error().message().find("The store has no blob"), std::string::npos)
      << operation.error().message();
}

TEST_F(CandidateTest, KernelOfBothLayersCountsOnce) {
  ASSERT_TRUE(store_->put_kernel(kernel_.package));
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  const auto bound = bind_request(*instance, *device, norm_request());
  const auto candidates = find_candidates(*instance, *device, *bound);
  ASSERT_TRUE(candidates) << candidates.error().message();
  EXPECT_FALSE(candidates->empty());
  EXPECT_TRUE(std::none_of(candidates->begin(), candidates->end(),
                           [](const Candidate& one) { return one.stored; }));
}

TEST_F(CandidateTest, DamagedKernelOfTheStoreIsNoCandidate) {
  change_record("1.0.0", "1.0.1");
  ASSERT_TRUE(store_->put_kernel(kernel_.package));
  change_store("UPDATE kernels SET record = replace(record, '1.0.1', '1.0.2')");
  const auto instance = make_instance();
  const auto device = cpu(*instance);
  const auto bound = bind_request(*instance, *device, norm_request());
  const auto candidates = find_candidates(*instance, *device, *bound);
  ASSERT_TRUE(candidates) << candidates.error().message();
  EXPECT_FALSE(candidates->empty());
  EXPECT_TRUE(std::none_of(candidates->begin(), candidates->end(),
                           [](const Candidate& one) { return one.stored; }));
  EXPECT_TRUE(prepare(*instance, *device, norm_request()));
}

TEST_F(CandidateTest, UnreadableBundledKernelIsToldOnce) {
  fs::create_directories(root_ / "data/kernels/rms_norm/broken");
  std::ofstream(root_ / "data/kernels/rms_norm/broken/kernel.json") << "{";
  const auto instance = make_instance();
  for (int round = 0; round < 3; ++round)
    ASSERT_TRUE(prepare(*instance, *cpu(*instance), norm_request()));
  ASSERT_EQ(1U, logged_.size());
  EXPECT_NE(logged_[0].find("broken/kernel.json"), std::string::npos) << logged_[0];
}

TEST_F(CandidateTest, OtherMajorVersionOfTheContractIsRefused) {
  change_record("rms_norm@1", "rms_norm@2");
  store_kernel();
  set_state(store::KernelState::kVerified);
  expect_refused("apart:0", "It is of rms_norm@2, and the contract is rms_norm@1.");
}

}  // namespace
}  // namespace halyard::selection
