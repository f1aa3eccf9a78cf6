// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_damage.h"

#include "kernel-store/sqlite_rows.h"

#include <array>
#include <utility>

namespace halyard::store {
namespace {

using base::Result;
using base::Status;

constexpr auto kNames =
    std::to_array<std::string_view>({"blob", "kernel", "build", "evidence", "approval"});

// The statements that take a record of one kind out, in order; the first one keeps it.
struct Removal {
  std::string_view keep;
  std::array<std::string_view, 2> remove;  // Empty for none.
};

Removal removal_of(RecordKind kind) {
  switch (kind) {
    case RecordKind::kBlob:
      return {
          "INSERT INTO damaged (what, id, why, content, time_ms) "
          "SELECT 'blob', sha256, ?2, bytes, ?3 FROM blobs WHERE sha256 = ?1",
          {"DELETE FROM blobs WHERE sha256 = ?1", ""}};
    case RecordKind::kKernel:
      return {
          "INSERT INTO damaged (what, id, why, content, time_ms) "
          "SELECT 'kernel', id, ?2, record, ?3 FROM kernels WHERE id = ?1",
          {"DELETE FROM kernel_files WHERE kernel = ?1", "DELETE FROM kernels WHERE id = ?1"}};
    case RecordKind::kBuild:
      return {
          "INSERT INTO damaged (what, id, why, content, time_ms) "
          "SELECT 'build', key, ?2, hex(blob), ?3 FROM builds WHERE key = ?1",
          {"DELETE FROM builds WHERE key = ?1", ""}};
    case RecordKind::kEvidence:
      return {
          "INSERT INTO damaged (what, id, why, content, time_ms) "
          "SELECT 'evidence', id, ?2, record, ?3 FROM evidence WHERE id = ?1",
          {"DELETE FROM evidence WHERE id = ?1", ""}};
    case RecordKind::kApproval:
      break;
  }
  return {
      "INSERT INTO damaged (what, id, why, content, time_ms) "
      "SELECT 'approval', id, ?2, document, ?3 FROM approvals WHERE id = ?1",
      {"DELETE FROM approvals WHERE id = ?1", ""}};
}

Result<std::string> find_approval_damage(SqliteDatabase& database, const ApprovalId& id) {
  HALYARD_TRY_ASSIGN(SqliteQuery found, database.query("SELECT " HALYARD_APPROVAL_COLUMNS
                                                       " FROM approvals WHERE id = ?"));
  found.bind(id);
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, found.step());
    if (!row) return std::string();
    StoredRecord<SignedApproval> approval = rows::approval_of(found);
    if (!approval.record) return std::move(approval.damage);
  }
}

template <typename T>
Result<std::string> damage_of(Result<StoredRecord<T>> found) {
  if (!found) return std::move(found.error());
  return std::move(found->damage);
}

}  // namespace

std::string_view record_kind_name(RecordKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

Result<std::string> find_damage(SqliteDatabase& database, RecordKind kind, const Digest& id) {
  switch (kind) {
    case RecordKind::kBlob:
      return damage_of(rows::read_blob(database, id));
    case RecordKind::kKernel:
      return damage_of(rows::read_kernel(database, id));
    case RecordKind::kBuild:
      return damage_of(rows::read_build(database, id));
    case RecordKind::kEvidence:
      return damage_of(rows::read_evidence(database, id));
    case RecordKind::kApproval:
      break;
  }
  return find_approval_damage(database, id);
}

Result<std::optional<DamagedRecord>> set_aside(SqliteDatabase& database, RecordKind kind,
                                               const Digest& id) {
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  // Another process may have put the record again meanwhile.
  HALYARD_TRY_ASSIGN(std::string why, find_damage(database, kind, id));
  if (why.empty()) return std::optional<DamagedRecord>();
  const Removal removal = removal_of(kind);
  {
    HALYARD_TRY_ASSIGN(SqliteQuery keep, database.query(removal.keep));
    HALYARD_TRY(keep.bind(id).bind(why).bind(unix_time_ms()).run());
  }
  for (const std::string_view sql : removal.remove) {
    if (sql.empty()) continue;
    HALYARD_TRY_ASSIGN(SqliteQuery remove, database.query(sql));
    HALYARD_TRY(remove.bind(id).run());
  }
  HALYARD_TRY(rows::grow_generation(database));
  HALYARD_TRY(transaction.commit());
  return std::optional<DamagedRecord>({std::string(record_kind_name(kind)), id, std::move(why)});
}

}  // namespace halyard::store
