// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

Error unknown_word(std::string_view what, std::string_view word) {
  return Error(ErrorCode::kCorruptData,
               concat("A request of the store has the ", what, " \"", word, "\", which is none."));
}

Error claim_lost(const RequestClaim& claim) {
  return Error(ErrorCode::kPermissionDenied,
               concat("Claim ", claim.token, " of request ", digest_text(claim.id),
                      " holds no more: its lease has ended, a later claim took it over, or it is "
                      "settled or cancelled."));
}

std::string kind_list(const std::vector<RequestKind>& kinds) {
  std::vector<std::string> names;
  for (const RequestKind kind : kinds)
    names.emplace_back(request_kind_name(kind));
  return string_list_json(names);
}

struct Candidate {
  RequestClaim claim;
  std::uint64_t attempts = 0;
};

// The oldest request that `filter` matches and that is free at `now`. A lease has ended as well
// when the clock is further before its beginning than it is long: the clock was put back.
Result<std::optional<Candidate>> oldest_free(SqliteDatabase& database, const RequestFilter& filter,
                                             std::int64_t now) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      database.query(
          "WITH free AS (SELECT * FROM (SELECT rowid AS place, * FROM requests WHERE status = "
          "'open' AND (?1 = '[]' OR kind IN (SELECT value FROM json_each(?1))) AND (?2 = '[]' OR "
          "target = '' OR target IN (SELECT value FROM json_each(?2))) ORDER BY created_ms, rowid "
          "LIMIT 1) UNION ALL SELECT * FROM (SELECT rowid AS place, * FROM requests WHERE status "
          "= 'claimed' AND (lease_until_ms <= ?3 OR 2 * lease_from_ms - lease_until_ms > ?3) AND "
          "(?1 = '[]' OR kind IN (SELECT value FROM json_each(?1))) AND (?2 = '[]' OR target = '' "
          "OR target IN (SELECT value FROM json_each(?2))) ORDER BY created_ms, rowid LIMIT 1)) "
          "SELECT id, kind, target, document, token, attempts FROM free ORDER BY created_ms, "
          "place LIMIT 1"));
  rows.bind(kind_list(filter.kinds)).bind(string_list_json(filter.targets)).bind(now);
  HALYARD_TRY_ASSIGN(const bool row, rows.step());
  if (!row) return std::optional<Candidate>();
  const auto kind = request_kind_from_name(rows.text(1));
  if (!kind) return unknown_word("kind", rows.text(1));
  Candidate candidate;
  candidate.claim = {rows.digest(0), *kind, std::string(rows.text(2)), std::string(rows.text(3)),
                     static_cast<std::uint64_t>(rows.integer(4)) + 1};
  candidate.attempts = static_cast<std::uint64_t>(rows.integer(5));
  return std::optional<Candidate>(std::move(candidate));
}

Status fail_request(SqliteDatabase& database, const Candidate& candidate, std::int64_t now) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery update,
      database.query("UPDATE requests SET status = 'failed', outcome = ?, settled_ms "
                     "= ? WHERE id = ?"));
  return update.bind(concat("Claimed ", candidate.attempts, " times without an end."))
      .bind(now)
      .bind(candidate.claim.id)
      .run();
}

Status take_request(SqliteDatabase& database, const RequestClaim& claim, std::string_view owner,
                    std::int64_t now, std::chrono::seconds lease) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery update,
      database.query("UPDATE requests SET status = 'claimed', owner = ?, token = ?, attempts = "
                     "attempts + 1, lease_from_ms = ?, lease_until_ms = ? WHERE id = ?"));
  update.bind(owner)
      .bind(static_cast<std::int64_t>(claim.token))
      .bind(now)
      .bind(now + std::chrono::milliseconds(lease).count())
      .bind(claim.id);
  return update.run();
}

Result<std::optional<Request>> next_request(SqliteQuery& rows) {
  HALYARD_TRY_ASSIGN(const bool row, rows.step());
  if (!row) return std::optional<Request>();
  const auto kind = request_kind_from_name(rows.text(1));
  if (!kind) return unknown_word("kind", rows.text(1));
  const auto status = request_status_from_name(rows.text(4));
  if (!status) return unknown_word("status", rows.text(4));
  return std::optional<Request>({rows.digest(0), *kind, std::string(rows.text(2)),
                                 std::string(rows.text(3)), *status, std::string(rows.text(5)),
                                 static_cast<std::uint64_t>(rows.integer(6)),
                                 std::string(rows.text(7)), rows.integer(8)});
}

}  // namespace

Result<RequestId> SqliteStore::put_request(RequestKind kind, std::string_view target,
                                           std::string_view document) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(document, "request"));
  const std::string canonical = base::canonical_json(value);
  const RequestId id = base::Sha256::of(canonical);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      session.database->query(
          "INSERT INTO requests (id, kind, target, document, status, created_ms) VALUES (?, ?, ?, "
          "?, 'open', ?) ON CONFLICT (id) DO UPDATE SET status = 'open', attempts = 0, outcome = "
          "'', settled_ms = 0 WHERE status IN ('failed', 'cancelled')"));
  insert.bind(id).bind(request_kind_name(kind)).bind(target).bind(canonical);
  HALYARD_TRY(insert.bind(unix_time_ms()).run());
  return id;
}

Result<std::optional<RequestClaim>> SqliteStore::claim_request(std::string_view owner,
                                                               const RequestFilter& filter,
                                                               std::chrono::seconds lease) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  const std::int64_t now = unix_time_ms();
  while (true) {
    HALYARD_TRY_ASSIGN(std::optional<Candidate> candidate, oldest_free(database, filter, now));
    if (!candidate) {
      HALYARD_TRY(transaction.commit());
      return std::optional<RequestClaim>();
    }
    if (candidate->attempts >= kMaxRequestAttempts) {
      HALYARD_TRY(fail_request(database, *candidate, now));
      continue;
    }
    HALYARD_TRY(take_request(database, candidate->claim, owner, now, lease));
    HALYARD_TRY(transaction.commit());
    return std::optional<RequestClaim>(std::move(candidate->claim));
  }
}

Status SqliteStore::renew_claim(const RequestClaim& claim, std::chrono::seconds lease) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(
      SqliteQuery update,
      session.database->query("UPDATE requests SET lease_from_ms = ?3, lease_until_ms = ?4 WHERE "
                              "id = ?1 AND token = ?2 AND status = 'claimed' AND lease_until_ms > "
                              "?3 AND 2 * lease_from_ms - lease_until_ms <= ?3"));
  const std::int64_t now = unix_time_ms();
  update.bind(claim.id)
      .bind(static_cast<std::int64_t>(claim.token))
      .bind(now)
      .bind(now + std::chrono::milliseconds(lease).count());
  HALYARD_TRY(update.run());
  if (session.database->changes() == 1) return base::ok();
  return claim_lost(claim);
}

// Ends the claim if it still holds, and stores what came of it.
Status SqliteStore::settle_fenced(SqliteDatabase& database, const RequestClaim& claim,
                                  const RequestSettlement& settlement) {
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery update,
        database.query(
            "UPDATE requests SET status = ?4, outcome = ?5, attempts = attempts - (?4 = 'open'), "
            "lease_from_ms = 0, lease_until_ms = 0, settled_ms = ?3 WHERE id = ?1 AND token = ?2 "
            "AND status = 'claimed' AND lease_until_ms > ?3 AND 2 * lease_from_ms - "
            "lease_until_ms <= ?3"));
    update.bind(claim.id)
        .bind(static_cast<std::int64_t>(claim.token))
        .bind(unix_time_ms())
        .bind(request_status_name(settlement.status))
        .bind(settlement.outcome);
    HALYARD_TRY(update.run());
  }
  if (database.changes() != 1) return claim_lost(claim);
  for (const EvidenceRecord& record : settlement.evidence) {
    HALYARD_TRY(rows::insert_evidence(database, record));
  }
  for (const StateChange& change : settlement.states) {
    HALYARD_TRY(rows::insert_state(database, change));
  }
  return base::ok();
}

Status SqliteStore::settle_request(const RequestClaim& claim, const RequestSettlement& settlement) {
  if (settlement.status == RequestStatus::kClaimed ||
      settlement.status == RequestStatus::kCancelled) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("A request is not settled as \"", request_status_name(settlement.status),
                        "\", but as done, failed or open."));
  }
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY(settle_fenced(*session.database, claim, settlement));
  return transaction.commit();
}

Status SqliteStore::cancel_request(const RequestId& id) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  std::string status;
  {
    HALYARD_TRY_ASSIGN(SqliteQuery rows,
                       database.query("SELECT status FROM requests WHERE id = ?"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(id).step());
    if (!row) {
      return Error(ErrorCode::kNotFound, concat("The store has no request ", digest_text(id), "."));
    }
    status = rows.text(0);
  }
  if (status == "cancelled") return base::ok();
  if (status != "open" && status != "claimed") {
    return Error(ErrorCode::kPermissionDenied,
                 concat("Request ", digest_text(id), " is ", status, " and cannot be cancelled."));
  }
  {
    HALYARD_TRY_ASSIGN(SqliteQuery update,
                       database.query("UPDATE requests SET status = 'cancelled', lease_from_ms = "
                                      "0, lease_until_ms = 0, settled_ms = ? WHERE id = ?"));
    HALYARD_TRY(update.bind(unix_time_ms()).bind(id).run());
  }
  return transaction.commit();
}

Result<std::uint64_t> SqliteStore::count_pending(const RequestFilter& filter) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query(
          "SELECT count(*) FROM requests WHERE status IN ('open', 'claimed') AND (?1 = '[]' OR "
          "kind IN (SELECT value FROM json_each(?1))) AND (?2 = '[]' OR target = '' OR target IN "
          "(SELECT value FROM json_each(?2)))"));
  rows.bind(kind_list(filter.kinds)).bind(string_list_json(filter.targets));
  HALYARD_TRY(rows.step());
  return static_cast<std::uint64_t>(rows.integer(0));
}

Result<std::vector<Request>> SqliteStore::list_requests() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT id, kind, target, document, status, owner, attempts, "
                              "outcome, created_ms FROM requests ORDER BY created_ms, rowid"));
  std::vector<Request> requests;
  while (true) {
    HALYARD_TRY_ASSIGN(std::optional<Request> request, next_request(rows));
    if (!request) return requests;
    requests.push_back(std::move(*request));
  }
}

}  // namespace halyard::store
