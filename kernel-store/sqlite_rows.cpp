// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"

#include <utility>

namespace halyard::store::rows {

using base::Result;
using base::Status;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Status grow_generation(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(SqliteQuery update, database.query("UPDATE generation SET value = value + 1"));
  return update.run();
}

Status insert_blob(SqliteDatabase& database, const Digest& digest,
                   std::span<const std::byte> bytes) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      database.query("INSERT INTO blobs (sha256, bytes) VALUES (?, ?) ON CONFLICT (sha256) DO "
                     "UPDATE SET bytes = excluded.bytes WHERE bytes IS NOT excluded.bytes"));
  return insert.bind(digest).bind(bytes).run();
}

Result<EvidenceId> insert_evidence(SqliteDatabase& database, const EvidenceRecord& record) {
  const std::string text = evidence_json(record);
  const EvidenceId id = base::Sha256::of(text);
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      database.query(
          "INSERT INTO evidence (id, kernel, target, device, driver, types, kind, verdict, record, "
          "created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET kernel "
          "= excluded.kernel, target = excluded.target, device = excluded.device, driver = "
          "excluded.driver, types = excluded.types, kind = excluded.kind, verdict = "
          "excluded.verdict, record = excluded.record WHERE (kernel, target, device, driver, "
          "types, kind, verdict, record) IS NOT (excluded.kernel, excluded.target, "
          "excluded.device, excluded.driver, excluded.types, excluded.kind, excluded.verdict, "
          "excluded.record)"));
  insert.bind(id)
      .bind(record.kernel)
      .bind(record.target)
      .bind(record.device)
      .bind(record.driver)
      .bind(type_binding_json(record.types))
      .bind(evidence_kind_name(record.kind))
      .bind(record.verdict == Verdict::kPass ? "pass" : "fail")
      .bind(text)
      .bind(unix_time_ms());
  HALYARD_TRY(insert.run());
  return id;
}

Result<StoredRecord<std::vector<std::byte>>> read_blob(SqliteDatabase& database,
                                                       const Digest& digest) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, database.query("SELECT bytes FROM blobs WHERE sha256 = ?"));
  HALYARD_TRY_ASSIGN(const bool row, rows.bind(digest).step());
  if (!row) return StoredRecord<std::vector<std::byte>>();
  const std::span<const std::byte> found = rows.bytes(0);
  return check_blob({digest, {found.begin(), found.end()}});
}

Result<StoredRecord<KernelPackage>> read_kernel(SqliteDatabase& database, const KernelId& id) {
  KernelColumns columns;
  columns.id = id;
  {
    HALYARD_TRY_ASSIGN(SqliteQuery rows,
                       database.query("SELECT contract, name, version, record, prelude_sha256 FROM "
                                      "kernels WHERE id = ?"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(id).step());
    if (!row) return StoredRecord<KernelPackage>();
    columns.contract = rows.text(0);
    columns.name = rows.text(1);
    columns.version = rows.text(2);
    columns.record = rows.text(3);
    if (!rows.is_null(4)) columns.prelude_digest = rows.digest(4);
  }
  HALYARD_TRY_ASSIGN(SqliteQuery files,
                     database.query("SELECT kernel_files.name, blobs.bytes FROM kernel_files JOIN "
                                    "blobs ON blobs.sha256 = kernel_files.blob WHERE kernel = ?"));
  files.bind(id);
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, files.step());
    if (!row) return check_kernel(std::move(columns));
    const std::span<const std::byte> bytes = files.bytes(1);
    columns.files.emplace(files.text(0),
                          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
}

Result<StoredRecord<BuildRecord>> read_build(SqliteDatabase& database, const BuildKey& key) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     database.query("SELECT " HALYARD_BUILD_COLUMNS " FROM builds WHERE key = ?"));
  HALYARD_TRY_ASSIGN(const bool row, rows.bind(key).step());
  return row ? build_of(rows) : StoredRecord<BuildRecord>();
}

Result<StoredRecord<EvidenceRecord>> read_evidence(SqliteDatabase& database, const EvidenceId& id) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, database.query("SELECT " HALYARD_EVIDENCE_COLUMNS
                                                      " FROM evidence WHERE id = ?"));
  HALYARD_TRY_ASSIGN(const bool row, rows.bind(id).step());
  return row ? evidence_of(rows) : StoredRecord<EvidenceRecord>();
}

StoredRecord<BuildRecord> build_of(const SqliteQuery& row) {
  return check_build({row.digest(0), row.digest(1), row.text(2), row.text(3), row.text(4),
                      row.text(5), row.text(6), row.text(7), row.digest(8)});
}

StoredRecord<EvidenceRecord> evidence_of(const SqliteQuery& row) {
  return check_evidence({row.digest(0), row.digest(1), row.text(2), row.text(3), row.text(4),
                         row.text(5), row.text(6), row.text(7)});
}

StoredRecord<SignedApproval> approval_of(const SqliteQuery& row) {
  return check_approval_row({row.digest(0),
                             row.digest(1),
                             row.text(2),
                             row.array<32>(3),
                             row.integer(4),
                             {std::string(row.text(5)), row.array<64>(6)}});
}

}  // namespace halyard::store::rows
