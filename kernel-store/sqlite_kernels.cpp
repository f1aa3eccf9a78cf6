// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"

#include <utility>

namespace halyard::store {
namespace {

using base::Result;
using base::Status;

Status remove_kernel(SqliteDatabase& database, const KernelId& id) {
  HALYARD_TRY_ASSIGN(SqliteQuery files,
                     database.query("DELETE FROM kernel_files WHERE kernel = ?"));
  HALYARD_TRY(files.bind(id).run());
  HALYARD_TRY_ASSIGN(SqliteQuery kernel, database.query("DELETE FROM kernels WHERE id = ?"));
  return kernel.bind(id).run();
}

Status insert_kernel(SqliteDatabase& database, const KernelPackage& package) {
  const KernelRecord& record = package.record;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery insert,
        database.query("INSERT INTO kernels (id, contract, name, version, record, prelude_sha256, "
                       "created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"));
    insert.bind(package.id)
        .bind(record.contract)
        .bind(record.name)
        .bind(record.version)
        .bind(record.canonical_json);
    package.prelude_digest ? insert.bind(*package.prelude_digest) : insert.bind_null();
    HALYARD_TRY(insert.bind(unix_time_ms()).run());
  }
  for (const auto& [name, contents] : package.files) {
    const Digest digest = base::Sha256::of(contents);
    HALYARD_TRY(rows::insert_blob(database, digest, rows::bytes_of(contents)));
    HALYARD_TRY_ASSIGN(
        SqliteQuery file,
        database.query("INSERT INTO kernel_files (kernel, name, blob) VALUES (?, ?, ?)"));
    HALYARD_TRY(file.bind(package.id).bind(name).bind(digest).run());
  }
  return rows::grow_generation(database);
}

Result<std::vector<KernelSummary>> read_summaries(SqliteQuery& rows) {
  std::vector<KernelSummary> kernels;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return kernels;
    kernels.push_back({rows.digest(0), std::string(rows.text(1)), std::string(rows.text(2)),
                       std::string(rows.text(3))});
  }
}

}  // namespace

Status SqliteStore::put_kernel(const KernelPackage& package) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  HALYARD_TRY_ASSIGN(const StoredRecord<KernelPackage> present,
                     rows::read_kernel(database, package.id));
  if (present.record) return base::ok();
  if (!present.damage.empty()) HALYARD_TRY(remove_kernel(database, package.id));
  HALYARD_TRY(insert_kernel(database, package));
  return transaction.commit();
}

Result<std::optional<KernelPackage>> SqliteStore::get_kernel(const KernelId& id) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(StoredRecord<KernelPackage> found, rows::read_kernel(*session.database, id));
  if (!found.damage.empty()) put_aside(session, RecordKind::kKernel, id);
  return std::move(found.record);
}

Result<std::vector<KernelSummary>> SqliteStore::list_kernels(std::string_view contract) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query(contract.empty()
                                  ? "SELECT id, contract, name, version FROM kernels ORDER BY "
                                    "contract, name, version, id"
                                  : "SELECT id, contract, name, version FROM kernels WHERE "
                                    "contract = ? ORDER BY name, version, id"));
  if (!contract.empty()) rows.bind(contract);
  return read_summaries(rows);
}

Result<std::vector<KernelSummary>> SqliteStore::find_kernels(std::string_view contract,
                                                             std::string_view target) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT kernel, contract, name, version FROM kernel_targets WHERE "
                              "contract = ? AND target = ? ORDER BY name, version, kernel"));
  rows.bind(contract).bind(target);
  return read_summaries(rows);
}

}  // namespace halyard::store
