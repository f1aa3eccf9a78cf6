// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/text.h"
#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/postgres/fleet_workers.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <random>
#include <thread>

// 32 workers whose processes are killed, whose connections are cut, whose server crashes and who
// are stopped beyond their lease: each request gets exactly one verdict, and no worker that lost
// its claim writes anything.
namespace halyard::store {
namespace {

using halyard::testing::PostgresServer;
using std::chrono::steady_clock;
using testing::FleetRecord;
using testing::FleetWorkers;
using testing::kFleetLease;

struct FleetPlan {
  std::int64_t requests = 0;
  int workers = 32;
  std::chrono::microseconds longest_work{0};
  std::chrono::milliseconds between_disturbances{40};
  int restarts = 3;
  std::chrono::minutes limit{5};
};

struct Disturbances {
  int kills = 0;
  int cuts = 0;
  int pauses = 0;
  int restarts = 0;
};

// One run of a fleet over a store of its own.
class FleetRun {
 public:
  FleetRun(PostgresServer& server, const FleetPlan& plan)
      : server_(server),
        plan_(plan),
        url_(server.fresh_database()),
        connection_(testing::make_connection(url_)),
        workers_(url_, directory_.path(), plan.longest_work) {}

  void run() {
    put_requests();
    begin_ = steady_clock::now();
    workers_.start(plan_.workers);
    while (!is_done()) {
      ASSERT_LT(steady_clock::now() - begin_, plan_.limit) << left_ << " requests are left.";
      disturb();
      std::this_thread::sleep_for(plan_.between_disturbances);
    }
    seconds_ = std::chrono::duration<double>(steady_clock::now() - begin_).count();
    for (const Paused& each : paused_)
      workers_.go_on(each.worker);
    workers_.end();
    check();
  }

 private:
  struct Paused {
    std::size_t worker;
    steady_clock::time_point until;
  };

  // The rows are those of put_request(), made by the server.
  void put_requests() {
    ASSERT_TRUE(testing::make_store(url_)->requests().list_requests());
    ASSERT_TRUE(server_.psql(
        url_, {"--command",
               base::concat("INSERT INTO halyard.requests (id, kind, target, document) SELECT "
                            "sha256(convert_to(d, 'UTF8')), 'verification', 'x86_64-v3', d FROM "
                            "(SELECT '{\"n\":' || g || '}' AS d FROM generate_series(1, ",
                            plan_.requests, ") AS g) AS documents")}));
    ASSERT_TRUE(server_.psql(url_, {"--command", "VACUUM ANALYZE halyard.requests"}));
  }

  // What the fleet's server answers, once it does.
  std::int64_t count(std::string_view sql) {
    while (steady_clock::now() - begin_ < plan_.limit) {
      if (connection_->connect()) {
        const auto rows = connection_->run(sql);
        if (rows) return rows->integer(0, 0);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "The server does not answer: " << sql;
    return -1;
  }

  bool is_done() {
    left_ = count("SELECT count(*) FROM requests WHERE status IN ('open', 'claimed')");
    if (left_ != 0) return false;
    // Killed five times in a row: whoever asked asks again.
    const auto store = testing::make_store(url_);
    const std::int64_t failed = count("SELECT count(*) FROM requests WHERE status = 'failed'");
    reopened_ += failed;
    if (failed > 0) {
      count(
          "WITH again AS (UPDATE requests SET status = 'open', attempts = 0 WHERE status = "
          "'failed' RETURNING 1) SELECT count(*) FROM again");
    }
    return failed == 0;
  }

  void disturb() {
    while (!paused_.empty() && steady_clock::now() >= paused_.front().until) {
      workers_.go_on(paused_.front().worker);
      paused_.pop_front();
    }
    const auto worker = std::uniform_int_distribution<std::size_t>(0, workers_.size() - 1)(random_);
    const bool is_paused = std::any_of(paused_.begin(), paused_.end(),
                                       [&](const Paused& each) { return each.worker == worker; });
    const std::int64_t done = plan_.requests - left_;
    if (done > plan_.requests * (disturbances_.restarts + 1) / (plan_.restarts + 1) &&
        disturbances_.restarts < plan_.restarts) {
      ASSERT_TRUE(server_.restart_immediately());
      ++disturbances_.restarts;
      return;
    }
    switch (turn_++ % 3) {
      case 0:
        if (is_paused) return;
        workers_.replace(worker);
        ++disturbances_.kills;
        return;
      case 1:
        disturbances_.cuts += static_cast<int>(
            count("SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity "
                  "WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY "
                  "random() LIMIT 1) AS one"));
        return;
      default:
        if (is_paused || paused_.size() >= 8) return;
        workers_.pause(worker);
        paused_.push_back({worker, steady_clock::now() + kFleetLease + std::chrono::seconds(1)});
        ++disturbances_.pauses;
    }
  }

  void check() {
    const FleetRecord record = workers_.record();
    for (const std::string& error : record.errors)
      ADD_FAILURE() << error;
    // One verdict for each request, and it is that of the claim that settled it.
    EXPECT_EQ(count("SELECT count(*) FROM requests WHERE status = 'done'"), plan_.requests);
    const std::int64_t verdicts = count("SELECT count(*) FROM evidence");
    EXPECT_EQ(verdicts, plan_.requests);
    const std::int64_t stale = count(
        "SELECT count(*) FROM evidence WHERE NOT EXISTS (SELECT FROM requests WHERE id = "
        "decode(split_part(record::json->'environment'->>'word', ' ', 1), 'hex') AND token = "
        "split_part(record::json->'environment'->>'word', ' ', 2)::bigint AND outcome = "
        "record::json->'environment'->>'word')");
    EXPECT_EQ(stale, 0);
    EXPECT_EQ(count("SELECT count(DISTINCT outcome) FROM requests"), plan_.requests);
    // Nothing that a worker was told is kept is lost, and nobody was told so twice.
    EXPECT_EQ(record.words.size(), record.accepted);
    const auto rows = connection_->run("SELECT outcome FROM requests");
    ASSERT_TRUE(rows) << rows.error().message();
    std::uint64_t lost = record.words.size();
    for (std::size_t i = 0; i < rows->size(); ++i)
      lost -= record.words.count(std::string(rows->text(i, 0)));
    EXPECT_EQ(lost, 0U);
    std::cout << "fleet: " << plan_.requests << " requests, " << plan_.workers << " workers, "
              << seconds_ << " s; " << disturbances_.kills << " killed, " << disturbances_.pauses
              << " stopped beyond the lease, " << disturbances_.cuts << " connections cut, "
              << disturbances_.restarts << " server crashes; " << verdicts << " verdicts, "
              << record.refused << " late settlements refused, " << stale << " stale writes, "
              << lost << " acknowledged lost, " << reopened_ << " asked again\n";
    EXPECT_EQ(disturbances_.restarts, plan_.restarts);
    EXPECT_GT(disturbances_.kills, 0);
    EXPECT_GT(disturbances_.cuts, 0);
    EXPECT_GT(disturbances_.pauses, 0);
  }

  PostgresServer& server_;
  const FleetPlan plan_;
  const std::string url_;
  testing::TemporaryDirectory directory_;
  std::unique_ptr<PostgresConnection> connection_;
  FleetWorkers workers_;
  std::minstd_rand random_{7};
  std::deque<Paused> paused_;
  Disturbances disturbances_;
  steady_clock::time_point begin_ = steady_clock::now();
  double seconds_ = 0;
  std::int64_t left_ = 0;
  std::int64_t reopened_ = 0;
  int turn_ = 0;
};

TEST(Fleet, EachRequestGetsOneVerdictWhateverBecomesOfItsWorkers) {
  HALYARD_REQUIRE_POSTGRES(server);
  FleetPlan plan;
  plan.requests = 3000;
  plan.longest_work = std::chrono::milliseconds(20);
  FleetRun(*server, plan).run();
}

TEST(Fleet, WorkerThatWasStoppedBeyondItsLeaseSettlesNothing) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto stopped = testing::make_store(url);
  const auto other = testing::make_store(url);
  ASSERT_TRUE(other->requests().put_request(RequestKind::kVerification, "", "{}"));
  const auto late = stopped->requests().claim_request("stopped", {}, std::chrono::seconds(1));
  ASSERT_TRUE(late && late->has_value());
  // Until the server's own clock lets another claim the request.
  base::Result<std::optional<RequestClaim>> taken = std::optional<RequestClaim>();
  const auto limit = steady_clock::now() + std::chrono::seconds(60);
  while (taken && !taken->has_value() && steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    taken = other->requests().claim_request("other", {}, std::chrono::seconds(60));
  }
  ASSERT_TRUE(taken && taken->has_value());
  RequestSettlement settlement;
  settlement.evidence = {testing::make_evidence({})};
  const auto refused = stopped->requests().settle_request(**late, settlement);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_TRUE(other->find_evidence({{}, {}, {}, {}, {}, {}})->empty());
  EXPECT_TRUE(other->requests().settle_request(**taken, settlement));
  EXPECT_EQ(other->find_evidence({{}, {}, {}, {}, {}, {}})->size(), 1U);
}

// HALYARD_FLEET_REQUESTS makes it shorter.
TEST(LongFleet, MillionRequests) {
  HALYARD_REQUIRE_POSTGRES(server);
  FleetPlan plan;
  const char* const requests = std::getenv("HALYARD_FLEET_REQUESTS");
  plan.requests = requests != nullptr ? std::atoll(requests) : 1'000'000;
  plan.between_disturbances = std::chrono::milliseconds(1000);
  plan.restarts = 10;
  plan.limit = std::chrono::minutes(110);
  FleetRun(*server, plan).run();
}

}  // namespace
}  // namespace halyard::store
