// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

// Fails when another approval of the same origin, kernel and target is as new.
Status refuse_replay(SqliteDatabase& database, const ApprovalId& id, const Approval& approval) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     database.query("SELECT max(sequence) FROM approvals WHERE kernel = ? AND "
                                    "origin = ? AND target = ? AND id <> ?"));
  rows.bind(approval.kernel).bind(approval.origin).bind(approval.target).bind(id);
  HALYARD_TRY(rows.step());
  const std::int64_t newest = rows.integer(0);
  if (rows.is_null(0) || newest < static_cast<std::int64_t>(approval.sequence)) return base::ok();
  return Error(ErrorCode::kPermissionDenied,
               concat("Approval ", digest_text(id), " has the sequence ", approval.sequence,
                      ", but the store has one of its origin for the same kernel and target with ",
                      newest, ": it is a replay."));
}

Status insert_approval(SqliteDatabase& database, const ApprovalId& id, const Approval& approval,
                       const SignedApproval& signed_approval) {
  HALYARD_TRY_ASSIGN(SqliteQuery insert,
                     database.query("INSERT OR REPLACE INTO approvals (" HALYARD_APPROVAL_COLUMNS
                                    ", created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(id)
      .bind(approval.kernel)
      .bind(approval.target)
      .bind(approval.origin)
      .bind(static_cast<std::int64_t>(approval.sequence))
      .bind(signed_approval.document)
      .bind(signed_approval.signature)
      .bind(unix_time_ms());
  return insert.run();
}

Result<bool> has_sound_approval(SqliteDatabase& database, const ApprovalId& id,
                                const Signature& signature) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     database.query("SELECT " HALYARD_APPROVAL_COLUMNS
                                    " FROM approvals WHERE id = ? AND signature = ?"));
  HALYARD_TRY_ASSIGN(const bool row, rows.bind(id).bind(signature).step());
  return row && rows::approval_of(rows).record;
}

}  // namespace

Status SqliteStore::put_approval(const SignedApproval& approval) {
  HALYARD_TRY_ASSIGN(const Approval parsed, parse_approval(approval.document, "approval"));
  const ApprovalId id = base::Sha256::of(approval.document);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  HALYARD_TRY_ASSIGN(const bool present, has_sound_approval(database, id, approval.signature));
  if (present) return base::ok();
  HALYARD_TRY(refuse_replay(database, id, parsed));
  HALYARD_TRY(insert_approval(database, id, parsed, approval));
  HALYARD_TRY(rows::grow_generation(database));
  return transaction.commit();
}

Result<std::vector<SignedApproval>> SqliteStore::find_approvals(const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  std::vector<SignedApproval> approvals;
  std::vector<ApprovalId> damaged;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        session.database->query("SELECT " HALYARD_APPROVAL_COLUMNS
                                " FROM approvals WHERE kernel = ? ORDER BY origin, sequence, id"));
    rows.bind(kernel);
    while (true) {
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      StoredRecord<SignedApproval> approval = rows::approval_of(rows);
      if (approval.record) {
        approvals.push_back(std::move(*approval.record));
      } else {
        damaged.push_back(rows.digest(0));
      }
    }
  }
  for (const ApprovalId& id : damaged)
    put_aside(session, RecordKind::kApproval, id);
  return approvals;
}

Result<std::uint64_t> SqliteStore::last_sequence(const PublicKey& origin) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(SqliteQuery rows, session.database->query(
                                           "SELECT max(sequence) FROM approvals WHERE origin = ?"));
  HALYARD_TRY(rows.bind(origin).step());
  return static_cast<std::uint64_t>(rows.integer(0));
}

}  // namespace halyard::store
