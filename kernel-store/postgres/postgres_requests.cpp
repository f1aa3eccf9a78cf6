// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <algorithm>
#include <utility>

namespace halyard::store {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

// Takes the oldest row that matches and that no other claimant is looking at. The lease of a row is
// judged by the start of the statement: it is over for longer than that when it is seen.
constexpr std::string_view kOldest =
    "SELECT id, kind, target, document, token, attempts FROM requests WHERE status IN ('open', "
    "'claimed') AND (status = 'open' OR lease_until <= statement_timestamp()) AND "
    "(cardinality($1::text[]) = 0 OR kind = ANY ($1)) AND (cardinality($2::text[]) = 0 OR target = "
    "'' OR target = ANY ($2)) ORDER BY sequence LIMIT 1 FOR UPDATE SKIP LOCKED";

// Judged again, by the time of that moment, after a wait for the row.
constexpr std::string_view kSettle =
    "UPDATE requests SET status = $3, outcome = $4, lease_until = '-infinity', attempts = attempts "
    "- $5, settled_ms = CASE WHEN $5 = 1 THEN 0 ELSE now_ms() END WHERE id = $1 AND token = $2 AND "
    "status = 'claimed' AND lease_until > clock_timestamp()";
constexpr std::string_view kRenew =
    "UPDATE requests SET lease_until = clock_timestamp() + $3::bigint * interval '1 second' WHERE "
    "id = $1 AND token = $2 AND status = 'claimed' AND lease_until > clock_timestamp()";

Error no_claim(const RequestClaim& claim) {
  return Error(ErrorCode::kPermissionDenied,
               concat("Claim ", claim.token, " of request ", digest_text(claim.id),
                      " holds no more: a later claim took it over, its lease ended, or it is "
                      "settled or cancelled."));
}

std::vector<std::string_view> kind_names(const RequestFilter& filter) {
  std::vector<std::string_view> names;
  for (const RequestKind kind : filter.kinds)
    names.push_back(request_kind_name(kind));
  return names;
}

Result<RequestKind> kind_of(std::string_view name) {
  if (const auto kind = request_kind_from_name(name)) return *kind;
  return Error(ErrorCode::kCorruptData,
               concat("A request of the store has the kind \"", name, "\", which is none."));
}

Result<RequestStatus> status_of(std::string_view name) {
  if (const auto status = request_status_from_name(name)) return *status;
  return Error(ErrorCode::kCorruptData,
               concat("A request of the store has the status \"", name, "\", which is none."));
}

Status fail_request(PostgresConnection& connection, const RequestId& id, std::int64_t attempts) {
  const std::string outcome = concat("Claimed ", attempts, " times without an end.");
  PostgresParameters values;
  values.add(id).add(outcome);
  HALYARD_TRY(connection.run(
      "UPDATE requests SET status = 'failed', outcome = $2, claimed_by = current_user, lease_until "
      "= '-infinity', settled_ms = now_ms() WHERE id = $1",
      values));
  return base::ok();
}

Status take_request(PostgresConnection& connection, const RequestClaim& claim,
                    std::string_view owner, std::chrono::seconds lease) {
  PostgresParameters values;
  values.add(claim.id)
      .add(static_cast<std::int64_t>(claim.token))
      .add(owner)
      .add(static_cast<std::int64_t>(lease.count()));
  HALYARD_TRY(connection.run(
      "UPDATE requests SET status = 'claimed', token = $2, owner = $3, claimed_by = current_user, "
      "attempts = attempts + 1, lease_until = clock_timestamp() + $4::bigint * interval '1 second' "
      "WHERE id = $1",
      values));
  return base::ok();
}

// In one order by all, before the first of them is judged.
Status lock_histories(PostgresConnection& connection, const std::vector<StateChange>& states) {
  std::vector<std::pair<KernelId, std::string_view>> places;
  for (const StateChange& change : states)
    places.emplace_back(change.kernel, change.target);
  std::sort(places.begin(), places.end());
  for (const auto& [kernel, target] : places)
    HALYARD_TRY(lock_history(connection, kernel, target));
  return base::ok();
}

}  // namespace

Result<RequestId> PostgresStore::put_request(RequestKind kind, std::string_view target,
                                             std::string_view document) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(document, "request"));
  const std::string canonical = base::canonical_json(value);
  const RequestId id = base::Sha256::of(canonical);
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresParameters values;
  values.add(id).add(request_kind_name(kind)).add(target).add(canonical);
  HALYARD_TRY(write.connection().run(
      "INSERT INTO requests (id, kind, target, document) VALUES ($1, $2, $3, $4) ON CONFLICT (id) "
      "DO UPDATE SET status = 'open', attempts = 0, outcome = '', settled_ms = 0 WHERE "
      "requests.status IN ('failed', 'cancelled')",
      values));
  HALYARD_TRY(write.transaction.commit());
  return id;
}

Result<std::optional<RequestClaim>> PostgresStore::claim_request(std::string_view owner,
                                                                 const RequestFilter& filter,
                                                                 std::chrono::seconds lease) {
  const std::vector<std::string_view> kinds = kind_names(filter);
  const std::vector<std::string_view> targets(filter.targets.begin(), filter.targets.end());
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresConnection& connection = write.connection();
  std::optional<RequestClaim> claim;
  while (!claim) {
    PostgresParameters wanted;
    wanted.add(kinds).add(targets);
    HALYARD_TRY_ASSIGN(const PostgresRows rows, connection.run(kOldest, wanted));
    if (rows.empty()) break;
    const std::int64_t attempts = rows.integer(0, 5);
    if (attempts >= static_cast<std::int64_t>(kMaxRequestAttempts)) {
      HALYARD_TRY(fail_request(connection, rows.digest(0, 0), attempts));
      continue;
    }
    HALYARD_TRY_ASSIGN(const RequestKind kind, kind_of(rows.text(0, 1)));
    claim = {rows.digest(0, 0), kind, std::string(rows.text(0, 2)), std::string(rows.text(0, 3)),
             static_cast<std::uint64_t>(rows.integer(0, 4)) + 1};
    HALYARD_TRY(take_request(connection, *claim, owner, lease));
  }
  HALYARD_TRY(write.transaction.commit());
  return claim;
}

Status PostgresStore::renew_claim(const RequestClaim& claim, std::chrono::seconds lease) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresParameters values;
  values.add(claim.id)
      .add(static_cast<std::int64_t>(claim.token))
      .add(static_cast<std::int64_t>(lease.count()));
  HALYARD_TRY_ASSIGN(const PostgresRows rows, write.connection().run(kRenew, values));
  if (rows.changed() == 0) return no_claim(claim);
  return write.transaction.commit();
}

Status PostgresStore::settle_request(const RequestClaim& claim,
                                     const RequestSettlement& settlement) {
  const bool is_end =
      settlement.status == RequestStatus::kDone || settlement.status == RequestStatus::kFailed;
  if (!is_end && settlement.status != RequestStatus::kOpen) {
    return Error(
        ErrorCode::kInvalidArgument,
        concat("A request is not settled as \"", request_status_name(settlement.status), "\"."));
  }
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresConnection& connection = write.connection();
  PostgresParameters values;
  values.add(claim.id)
      .add(static_cast<std::int64_t>(claim.token))
      .add(request_status_name(settlement.status))
      .add(settlement.outcome)
      .add(std::int64_t{is_end ? 0 : 1});
  // The row stays locked until the end, so that nobody can take the request over meanwhile.
  HALYARD_TRY_ASSIGN(const PostgresRows rows, connection.run(kSettle, values));
  if (rows.changed() == 0) return no_claim(claim);
  HALYARD_TRY(lock_histories(connection, settlement.states));
  for (const EvidenceRecord& record : settlement.evidence)
    HALYARD_TRY(insert_evidence(connection, evidence_id(record), record));
  for (const StateChange& change : settlement.states)
    HALYARD_TRY(insert_state(connection, change));
  return write.transaction.commit();
}

Status PostgresStore::cancel_request(const RequestId& id) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresParameters key;
  key.add(id);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      write.connection().run("SELECT status FROM requests WHERE id = $1 FOR UPDATE", key));
  if (rows.empty()) {
    return Error(ErrorCode::kNotFound, concat("There is no request ", digest_text(id), "."));
  }
  HALYARD_TRY_ASSIGN(const RequestStatus status, status_of(rows.text(0, 0)));
  if (status == RequestStatus::kCancelled) return base::ok();
  if (status != RequestStatus::kOpen && status != RequestStatus::kClaimed) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("Request ", digest_text(id), " is settled as \"",
                        request_status_name(status), "\" and cannot be cancelled."));
  }
  HALYARD_TRY(write.connection().run(
      "UPDATE requests SET status = 'cancelled', lease_until = '-infinity', settled_ms = now_ms() "
      "WHERE id = $1",
      key));
  return write.transaction.commit();
}

Result<std::uint64_t> PostgresStore::count_pending(const RequestFilter& filter) {
  const std::vector<std::string_view> kinds = kind_names(filter);
  const std::vector<std::string_view> targets(filter.targets.begin(), filter.targets.end());
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters wanted;
  wanted.add(kinds).add(targets);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run(
          "SELECT count(*) FROM requests WHERE status IN ('open', 'claimed') AND "
          "(cardinality($1::text[]) = 0 OR kind = ANY ($1)) AND (cardinality($2::text[]) = 0 OR "
          "target = '' OR target = ANY ($2))",
          wanted));
  return static_cast<std::uint64_t>(rows.integer(0, 0));
}

Result<std::vector<Request>> PostgresStore::list_requests() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT id, kind, target, document, status, owner, attempts, outcome, "
                             "created_ms FROM requests ORDER BY sequence"));
  std::vector<Request> requests;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Request request;
    request.id = rows.digest(i, 0);
    HALYARD_TRY_ASSIGN(request.kind, kind_of(rows.text(i, 1)));
    request.target = rows.text(i, 2);
    request.document = rows.text(i, 3);
    HALYARD_TRY_ASSIGN(request.status, status_of(rows.text(i, 4)));
    request.owner = rows.text(i, 5);
    request.attempts = static_cast<std::uint64_t>(rows.integer(i, 6));
    request.outcome = rows.text(i, 7);
    request.time_ms = rows.integer(i, 8);
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace halyard::store
