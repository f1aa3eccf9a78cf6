// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_store.h"
#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::make_evidence;
using testing::make_package;
using testing::make_store;
using Mode = StoreCondition::Mode;

std::string roles_sql() {
  std::ifstream file(HALYARD_ROLES_SQL, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A store with the grants that are shipped, and a login for each role.
class PostgresRoles : public ::testing::Test {
 protected:
  void SetUp() override {
    HALYARD_REQUIRE_POSTGRES(server);
    server_ = server;
    url_ = server->fresh_database();
    owner_ = make_store(url_);
    package_ = make_package();
    ASSERT_TRUE(owner_->put_kernel(package_));
    ASSERT_TRUE(owner_->requests().put_request(RequestKind::kVerification, "", "{\"n\":1}"));
    // The second time changes nothing.
    for (int i = 0; i < 2; ++i)
      ASSERT_TRUE(server->psql(url_, {"--command", roles_sql()}));
    ASSERT_TRUE(server->psql(url_, {"--command",
                                    "DROP ROLE IF EXISTS r, w, w2, a; CREATE ROLE r LOGIN IN ROLE "
                                    "halyard_reader; CREATE ROLE w LOGIN IN ROLE halyard_worker; "
                                    "CREATE ROLE w2 LOGIN IN ROLE halyard_worker; "
                                    "CREATE ROLE a LOGIN IN ROLE halyard_approver"}));
    reader_ = make_store(server->with_user(url_, "r"));
    worker_ = make_store(server->with_user(url_, "w"));
    approver_ = make_store(server->with_user(url_, "a"));
  }

  // Whether the server itself refuses what a client would not ask for.
  std::string sql_as(const char* role, const std::string& sql) {
    std::string output;
    const bool is_done = server_->psql(server_->with_user(url_, role), {"--command", sql}, &output);
    return is_done ? "done" : output;
  }

  StateChange state(KernelState wanted) const {
    StateChange change;
    change.kernel = package_.id;
    change.target = "x86_64-v3";
    change.state = wanted;
    change.who = "test";
    change.why = "test";
    change.evidence = evidence_id(make_evidence(package_.id));
    return change;
  }

  halyard::testing::PostgresServer* server_ = nullptr;
  std::string url_;
  KernelPackage package_;
  std::unique_ptr<PostgresStore> owner_;
  std::unique_ptr<PostgresStore> reader_;
  std::unique_ptr<PostgresStore> worker_;
  std::unique_ptr<PostgresStore> approver_;
};

TEST_F(PostgresRoles, ReaderReadsOnly) {
  const auto condition = reader_->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, Mode::kReadOnly);
  EXPECT_EQ(condition->reason, "The role \"r\" may only read it.");
  EXPECT_TRUE(reader_->get_kernel(package_.id)->has_value());
  EXPECT_EQ(reader_->requests().list_requests()->size(), 1U);
  const auto put = reader_->put_evidence(make_evidence(package_.id));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), ErrorCode::kPermissionDenied);
  for (const char* const sql :
       {"UPDATE halyard.requests SET status = 'open'", "DELETE FROM halyard.blobs",
        "UPDATE halyard.generation SET value = 9", "CREATE TABLE halyard.mine (n int)",
        "INSERT INTO halyard.states (kernel, target, first_driver, last_driver, state, who, why) "
        "SELECT id, 't', '', '', 'promoted', 'r', '' FROM halyard.kernels"}) {
    EXPECT_THAT(sql_as("r", sql), HasSubstr("permission denied")) << sql;
  }
}

TEST_F(PostgresRoles, WorkerClaimsSettlesAndStoresEvidence) {
  EXPECT_EQ(worker_->condition()->mode, Mode::kReadWrite);
  RequestQueue& requests = worker_->requests();
  const auto claim = requests.claim_request("w", {}, std::chrono::seconds(60));
  ASSERT_TRUE(claim && claim->has_value()) << claim.error().message();
  ASSERT_TRUE(requests.renew_claim(**claim, std::chrono::seconds(60)));
  RequestSettlement settlement;
  settlement.outcome = "accepted";
  settlement.evidence = {make_evidence(package_.id)};
  settlement.states = {state(KernelState::kVerified)};
  const auto settled = requests.settle_request(**claim, settlement);
  ASSERT_TRUE(settled) << settled.error().message();
  EXPECT_EQ(owner_->find_evidence({package_.id, {}, {}, {}, {}, {}})->size(), 1U);
  EXPECT_EQ(owner_->states(package_.id, "")->back().state, KernelState::kVerified);
  BuildInputs inputs;
  inputs.kernel = package_.id;
  const std::string code = "code";
  const auto built = worker_->put_build(inputs, std::as_bytes(std::span(code.data(), code.size())));
  EXPECT_TRUE(built) << built.error().message();
  EXPECT_EQ(worker_->find_builds(package_.id)->size(), 1U);
}

TEST_F(PostgresRoles, WorkerNeitherPromotesNorApprovesNorAddsKernels) {
  ASSERT_TRUE(owner_->put_evidence(make_evidence(package_.id)));
  ASSERT_TRUE(owner_->append_state(state(KernelState::kVerified)));
  const auto promoted = worker_->append_state(state(KernelState::kPromoted));
  ASSERT_FALSE(promoted);
  EXPECT_EQ(promoted.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(promoted.error().message(), HasSubstr("row-level security"));
  EXPECT_EQ(worker_->append_state(state(KernelState::kRetired)).error().code(),
            ErrorCode::kPermissionDenied);
  EXPECT_EQ(worker_->put_kernel(make_package("other")).error().code(),
            ErrorCode::kPermissionDenied);
  EXPECT_EQ(worker_->requests().put_request(RequestKind::kKernel, "", "{\"n\":2}").error().code(),
            ErrorCode::kPermissionDenied);
  for (const char* const sql :
       {"INSERT INTO halyard.approvals (id, kernel, target, origin, sequence, document, signature) "
        "SELECT id, id, '', id, 1, '', id || id FROM halyard.kernels",
        "UPDATE halyard.states SET state = 'promoted'", "DELETE FROM halyard.states",
        "UPDATE halyard.evidence SET verdict = 'pass'", "DELETE FROM halyard.evidence",
        "UPDATE halyard.requests SET document = '{}'", "DELETE FROM halyard.requests",
        "UPDATE halyard.blobs SET bytes = ''", "UPDATE halyard.schema_version SET version = 9",
        "TRUNCATE halyard.states", "ALTER TABLE halyard.states DISABLE ROW LEVEL SECURITY"}) {
    EXPECT_THAT(sql_as("w", sql),
                ::testing::AnyOf(HasSubstr("permission denied"), HasSubstr("must be owner")))
        << sql;
  }
  EXPECT_EQ(owner_->states(package_.id, "")->size(), 1U);
}

TEST_F(PostgresRoles, WorkerDoesNotReachSettledRequests) {
  const auto claim = worker_->requests().claim_request("w", {}, std::chrono::seconds(60));
  ASSERT_TRUE(claim && claim->has_value());
  ASSERT_TRUE(worker_->requests().settle_request(**claim, {RequestStatus::kDone, "first", {}, {}}));
  EXPECT_EQ(sql_as("w", "UPDATE halyard.requests SET outcome = 'second', status = 'open'"), "done");
  EXPECT_EQ(owner_->requests().list_requests()->front().outcome, "first");
}

TEST_F(PostgresRoles, WorkerDoesNotReachWhatAnotherHasClaimed) {
  const auto claim = worker_->requests().claim_request("w", {}, std::chrono::seconds(600));
  ASSERT_TRUE(claim && claim->has_value());
  const auto other = make_store(server_->with_user(url_, "w2"));
  // Who guesses the claim does not have it.
  const auto settled =
      other->requests().settle_request(**claim, {RequestStatus::kDone, "other", {}, {}});
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(sql_as("w2", "UPDATE halyard.requests SET outcome = 'other', claimed_by = 'w2'"),
            "done");
  EXPECT_EQ(owner_->requests().list_requests()->front().outcome, "");
  ASSERT_TRUE(worker_->requests().settle_request(**claim, {RequestStatus::kOpen, "", {}, {}}));
  const auto taken = other->requests().claim_request("w2", {}, std::chrono::seconds(0));
  ASSERT_TRUE(taken && taken->has_value());
  // A lease that has ended is anybody's.
  const auto again = worker_->requests().claim_request("w", {}, std::chrono::seconds(600));
  ASSERT_TRUE(again && again->has_value());
  EXPECT_FALSE(other->requests().settle_request(**taken, {RequestStatus::kDone, "", {}, {}}));
  EXPECT_TRUE(worker_->requests().settle_request(**again, {RequestStatus::kDone, "mine", {}, {}}));
}

TEST_F(PostgresRoles, ApproverPromotesAndAsks) {
  ASSERT_TRUE(owner_->put_evidence(make_evidence(package_.id)));
  ASSERT_TRUE(approver_->append_state(state(KernelState::kVerified)));
  const auto promoted = approver_->append_state(state(KernelState::kPromoted));
  ASSERT_TRUE(promoted) << promoted.error().message();
  EXPECT_TRUE(*promoted);
  EXPECT_TRUE(approver_->put_kernel(make_package("other")));
  EXPECT_TRUE(approver_->requests().put_request(RequestKind::kKernel, "", "{\"n\":2}"));
  const auto list = approver_->requests().list_requests();
  EXPECT_TRUE(approver_->requests().cancel_request(list->back().id));
  const auto collected = approver_->upkeep().collect_garbage({});
  EXPECT_TRUE(collected) << collected.error().message();
  EXPECT_THAT(sql_as("a", "DELETE FROM halyard.states"), HasSubstr("permission denied"));
  EXPECT_THAT(sql_as("a", "DELETE FROM halyard.approvals"), HasSubstr("permission denied"));
}

}  // namespace
}  // namespace halyard::store
