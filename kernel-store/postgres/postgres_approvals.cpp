// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"
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

std::span<const std::byte> bytes_of(const auto& array) {
  return std::as_bytes(std::span(array));
}

// One writer of an origin at a time: its sequence is compared and then written.
Status lock_origin(PostgresConnection& connection, const PublicKey& origin) {
  PostgresParameters values;
  values.add(bytes_of(origin));
  HALYARD_TRY(connection.run(
      "SELECT pg_advisory_xact_lock(hashtextextended(encode($1::bytea, 'hex'), 1))", values));
  return base::ok();
}

// The largest sequence of other documents about the same kernel and target.
Result<std::int64_t> rival_sequence(PostgresConnection& connection, const ApprovalId& id,
                                    const Approval& approval) {
  PostgresParameters values;
  values.add(bytes_of(approval.origin)).add(approval.kernel).add(approval.target).add(id);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      connection.run("SELECT coalesce(max(sequence), 0) FROM approvals WHERE origin = $1 AND "
                     "kernel = $2 AND target = $3 AND id <> $4",
                     values));
  return rows.integer(0, 0);
}

}  // namespace

ApprovalColumns approval_columns(const PostgresRows& rows, std::size_t row) {
  ApprovalColumns columns;
  columns.id = rows.digest(row, 0);
  columns.kernel = rows.digest(row, 1);
  columns.target = rows.text(row, 2);
  columns.origin = rows.digest(row, 3);
  columns.sequence = rows.integer(row, 4);
  columns.approval.document = rows.text(row, 5);
  const std::span<const std::byte> signature = rows.bytes(row, 6);
  if (signature.size() == columns.approval.signature.size()) {
    std::transform(signature.begin(), signature.end(), columns.approval.signature.begin(),
                   [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
  }
  return columns;
}

void set_aside_approval(PostgresConnection& connection, const Digest& id) {
  PostgresParameters key;
  key.add(id);
  static_cast<void>(connection.run("UPDATE approvals SET damaged = true WHERE id = $1", key));
}

Status PostgresStore::put_approval(const SignedApproval& approval) {
  HALYARD_TRY_ASSIGN(const Approval parsed, parse_approval(approval.document, "approval"));
  const ApprovalId id = base::Sha256::of(approval.document);
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresConnection& connection = write.connection();
  HALYARD_TRY(lock_origin(connection, parsed.origin));
  PostgresParameters key;
  key.add(id).add(bytes_of(approval.signature));
  HALYARD_TRY_ASSIGN(
      const PostgresRows present,
      connection.run("SELECT damaged FROM approvals WHERE id = $1 AND signature = $2", key));
  if (!present.empty() && !present.boolean(0, 0)) return base::ok();
  HALYARD_TRY_ASSIGN(const std::int64_t rival, rival_sequence(connection, id, parsed));
  const auto sequence = static_cast<std::int64_t>(parsed.sequence);
  if (present.empty() && rival >= sequence) {
    return Error(
        ErrorCode::kPermissionDenied,
        concat("Approval ", digest_text(id), " has the sequence ", sequence,
               ", but the store has one of its origin for the same kernel and target with ", rival,
               ": it is a replay."));
  }
  PostgresParameters values;
  values.add(id)
      .add(parsed.kernel)
      .add(parsed.target)
      .add(bytes_of(parsed.origin))
      .add(sequence)
      .add(approval.document)
      .add(bytes_of(approval.signature));
  HALYARD_TRY(connection.run(
      present.empty()
          ? "INSERT INTO approvals (id, kernel, target, origin, sequence, document, signature) "
            "VALUES ($1, $2, $3, $4, $5, $6, $7)"
          : "UPDATE approvals SET kernel = $2, target = $3, origin = $4, sequence = $5, document = "
            "$6, damaged = false WHERE id = $1 AND signature = $7",
      values));
  HALYARD_TRY(grow_generation(connection));
  return write.transaction.commit();
}

Result<std::vector<SignedApproval>> PostgresStore::find_approvals(const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters values;
  values.add(kernel);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run("SELECT id, kernel, target, origin, sequence, document, signature "
                             "FROM approvals WHERE kernel = $1 AND NOT damaged ORDER BY origin, "
                             "sequence, signature",
                             values));
  std::vector<SignedApproval> approvals;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto found = check_approval_row(approval_columns(rows, i));
    if (found.record) {
      approvals.push_back(std::move(*found.record));
    } else if (may_write()) {
      set_aside_approval(session.connection, rows.digest(i, 0));
    }
  }
  return approvals;
}

Result<std::uint64_t> PostgresStore::last_sequence(const PublicKey& origin) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters values;
  values.add(bytes_of(origin));
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     session.connection.run("SELECT coalesce(max(sequence), 0) FROM approvals "
                                            "WHERE origin = $1",
                                            values));
  return static_cast<std::uint64_t>(rows.integer(0, 0));
}

}  // namespace halyard::store
