// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/base/text.h"

#include <array>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

constexpr auto kStatusNames =
    std::to_array<std::string_view>({"open", "claimed", "done", "failed", "cancelled"});

Result<RequestStatus> status_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) return static_cast<RequestStatus>(i);
  }
  return Error(ErrorCode::kCorruptData,
               concat("A request of the store has the status \"", name, "\", which is none."));
}

}  // namespace

std::string_view request_status_name(RequestStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

Result<RequestId> SqliteStore::put_request(std::string_view document) {
  HALYARD_TRY_ASSIGN(const boost::json::value value, base::parse_json(document, "request"));
  const std::string canonical = base::canonical_json(value);
  const RequestId id = base::Sha256::of(canonical);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      session.database->query("INSERT OR IGNORE INTO requests (id, document, status, created_ms) "
                              "VALUES (?, ?, 'open', ?)"));
  HALYARD_TRY(insert.bind(id).bind(canonical).bind(unix_time_ms()).run());
  return id;
}

Result<std::optional<RequestClaim>> SqliteStore::claim_request(std::string_view owner,
                                                               std::chrono::seconds lease) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  const std::int64_t now = unix_time_ms();
  RequestClaim claim;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        database.query("SELECT id, document, token FROM requests WHERE status = 'open' OR (status "
                       "= 'claimed' AND lease_until_ms <= ?) ORDER BY created_ms, rowid LIMIT 1"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(now).step());
    if (!row) return std::optional<RequestClaim>();
    claim = {rows.digest(0), std::string(rows.text(1)),
             static_cast<std::uint64_t>(rows.integer(2)) + 1};
  }
  {
    HALYARD_TRY_ASSIGN(SqliteQuery update,
                       database.query("UPDATE requests SET status = 'claimed', owner = ?, token = "
                                      "?, lease_until_ms = ? WHERE id = ?"));
    update.bind(owner)
        .bind(static_cast<std::int64_t>(claim.token))
        .bind(now + std::chrono::milliseconds(lease).count())
        .bind(claim.id);
    HALYARD_TRY(update.run());
  }
  HALYARD_TRY(transaction.commit());
  return std::optional<RequestClaim>(std::move(claim));
}

Status SqliteStore::settle_request(const RequestClaim& claim, RequestStatus status,
                                   std::string_view outcome) {
  if (status == RequestStatus::kClaimed) {
    return Error(ErrorCode::kInvalidArgument, "A request is not settled as \"claimed\".");
  }
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(
      SqliteQuery update,
      session.database->query("UPDATE requests SET status = ?, outcome = ?, owner = '', "
                              "lease_until_ms = 0 WHERE id = ? AND token = ? AND status = "
                              "'claimed'"));
  update.bind(request_status_name(status))
      .bind(outcome)
      .bind(claim.id)
      .bind(static_cast<std::int64_t>(claim.token));
  HALYARD_TRY(update.run());
  if (session.database->changes() == 1) return base::ok();
  return Error(ErrorCode::kPermissionDenied,
               concat("Claim ", claim.token, " of request ", digest_text(claim.id),
                      " holds no more: a later claim took it over, or it is settled."));
}

Result<std::vector<Request>> SqliteStore::list_requests() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     session.database->query("SELECT id, document, status, outcome, created_ms "
                                             "FROM requests ORDER BY created_ms, rowid"));
  std::vector<Request> requests;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return requests;
    HALYARD_TRY_ASSIGN(const RequestStatus status, status_from_name(rows.text(2)));
    requests.push_back({rows.digest(0), std::string(rows.text(1)), status,
                        std::string(rows.text(3)), rows.integer(4)});
  }
}

}  // namespace halyard::store
