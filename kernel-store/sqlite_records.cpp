// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_json_reader.h"
#include "kernel-store/sqlite_store.h"
#include "runtime/base/canonical_json.h"
#include "runtime/base/text.h"

#include <boost/json/array.hpp>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

Error mismatch(std::string_view what, const Digest& expected, const Digest& got) {
  return Error(ErrorCode::kCorruptData, concat("The store's ", what, ' ', digest_text(expected),
                                               " has SHA-256 ", digest_text(got), "."));
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Status insert_blob(SqliteDatabase& database, const Digest& digest,
                   std::span<const std::byte> bytes) {
  HALYARD_TRY_ASSIGN(SqliteQuery present, database.query("SELECT 1 FROM blobs WHERE sha256 = ?"));
  HALYARD_TRY_ASSIGN(const bool found, present.bind(digest).step());
  if (found) return base::ok();
  HALYARD_TRY_ASSIGN(SqliteQuery insert,
                     database.query("INSERT INTO blobs (sha256, bytes) VALUES (?, ?)"));
  return insert.bind(digest).bind(bytes).run();
}

Status grow_generation(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(SqliteQuery update, database.query("UPDATE generation SET value = value + 1"));
  return update.run();
}

Status insert_kernel(SqliteDatabase& database, const KernelPackage& package) {
  const KernelRecord& record = package.record;
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      database.query("INSERT OR IGNORE INTO kernels (id, contract, name, version, record, "
                     "prelude_sha256, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(package.id)
      .bind(record.contract)
      .bind(record.name)
      .bind(record.version)
      .bind(record.canonical_json);
  package.prelude_digest ? insert.bind(*package.prelude_digest) : insert.bind_null();
  HALYARD_TRY(insert.bind(unix_time_ms()).run());
  if (database.changes() == 0) return base::ok();
  for (const auto& [name, contents] : package.files) {
    const Digest digest = base::Sha256::of(contents);
    HALYARD_TRY(insert_blob(database, digest, bytes_of(contents)));
    HALYARD_TRY_ASSIGN(
        SqliteQuery file,
        database.query("INSERT INTO kernel_files (kernel, name, blob) VALUES (?, ?, ?)"));
    HALYARD_TRY(file.bind(package.id).bind(name).bind(digest).run());
  }
  return grow_generation(database);
}

Result<PackageFiles> read_files(SqliteDatabase& database, const KernelId& id) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     database.query("SELECT kernel_files.name, blobs.bytes FROM kernel_files JOIN "
                                    "blobs ON blobs.sha256 = kernel_files.blob WHERE kernel = ?"));
  rows.bind(id);
  PackageFiles files;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return files;
    files.emplace(rows.text(0), text_of(rows.bytes(1)));
  }
}

std::string flags_json(const std::vector<std::string>& flags) {
  boost::json::array list;
  for (const std::string& flag : flags)
    list.push_back(boost::json::string(flag));
  return base::canonical_json(list);
}

Result<boost::json::value> parse_column(std::string_view text) {
  return base::parse_json(text, "a build of the store");
}

Result<BuildInputs> read_build_inputs(const SqliteQuery& row) {
  BuildInputs inputs;
  inputs.kernel = row.digest(0);
  inputs.target = row.text(1);
  HALYARD_TRY_ASSIGN(const boost::json::value types, parse_column(row.text(2)));
  HALYARD_TRY_ASSIGN(const base::JsonObject binding, base::JsonObject::from(types, "types"));
  HALYARD_TRY_ASSIGN(inputs.types, reader::type_binding_of(binding));
  HALYARD_TRY_ASSIGN(const boost::json::value parameters, parse_column(row.text(3)));
  HALYARD_TRY_ASSIGN(const base::JsonObject values,
                     base::JsonObject::from(parameters, "parameters"));
  HALYARD_TRY_ASSIGN(inputs.parameters, reader::integers_of(values));
  inputs.toolchain = row.text(4);
  inputs.driver = row.text(5);
  HALYARD_TRY_ASSIGN(const boost::json::value flags,
                     parse_column(concat("{\"flags\":", row.text(6), "}")));
  HALYARD_TRY_ASSIGN(const base::JsonObject holder, base::JsonObject::from(flags, "flags"));
  HALYARD_TRY_ASSIGN(inputs.flags, holder.required_strings("flags"));
  return inputs;
}

// Of a row with the inputs, the blob and the key.
Result<BuildRecord> read_build(const SqliteQuery& row) {
  BuildRecord build;
  HALYARD_TRY_ASSIGN(build.inputs, read_build_inputs(row));
  build.blob = row.digest(7);
  const BuildKey got = compute_build_key(build.inputs);
  if (got != row.digest(8)) return mismatch("build", row.digest(8), got);
  return build;
}

}  // namespace

Status SqliteStore::put_kernel(const KernelPackage& package) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY(insert_kernel(*session.database, package));
  return transaction.commit();
}

Result<std::optional<KernelPackage>> SqliteStore::get_kernel(const KernelId& id) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  SqliteDatabase& database = *session.database;
  std::string text;
  std::optional<Digest> prelude;
  {
    HALYARD_TRY_ASSIGN(SqliteQuery rows,
                       database.query("SELECT record, prelude_sha256 FROM kernels WHERE id = ?"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(id).step());
    if (!row) return std::optional<KernelPackage>();
    text = rows.text(0);
    if (!rows.is_null(1)) prelude = rows.digest(1);
  }
  HALYARD_TRY_ASSIGN(PackageFiles files, read_files(database, id));
  HALYARD_TRY_ASSIGN(KernelRecord record,
                     parse_kernel_record(text, concat("kernel ", digest_text(id))));
  HALYARD_TRY_ASSIGN(KernelPackage package,
                     make_kernel_package(std::move(record), std::move(files), prelude));
  if (package.id != id) return mismatch("kernel", id, package.id);
  return std::optional<KernelPackage>(std::move(package));
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
  std::vector<KernelSummary> kernels;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return kernels;
    kernels.push_back({rows.digest(0), std::string(rows.text(1)), std::string(rows.text(2)),
                       std::string(rows.text(3))});
  }
}

Result<Digest> SqliteStore::put_blob(std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY(insert_blob(*session.database, digest, bytes));
  HALYARD_TRY(transaction.commit());
  return digest;
}

Result<std::optional<std::vector<std::byte>>> SqliteStore::get_blob(const Digest& digest) {
  std::vector<std::byte> bytes;
  {
    HALYARD_TRY_ASSIGN(const Session session, begin_read());
    HALYARD_TRY_ASSIGN(SqliteQuery rows,
                       session.database->query("SELECT bytes FROM blobs WHERE sha256 = ?"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(digest).step());
    if (!row) return std::optional<std::vector<std::byte>>();
    const std::span<const std::byte> found = rows.bytes(0);
    bytes.assign(found.begin(), found.end());
  }
  const Digest got = base::Sha256::of(bytes);
  if (got != digest) return mismatch("blob", digest, got);
  return std::optional<std::vector<std::byte>>(std::move(bytes));
}

Status SqliteStore::put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  const BuildKey key = compute_build_key(inputs);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  HALYARD_TRY(insert_blob(database, digest, bytes));
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery insert,
        database.query("INSERT OR IGNORE INTO builds (key, kernel, target, types, parameters, "
                       "toolchain, driver, flags, blob, created_ms) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insert.bind(key)
        .bind(inputs.kernel)
        .bind(inputs.target)
        .bind(type_binding_json(inputs.types))
        .bind(parameters_json(inputs.parameters))
        .bind(inputs.toolchain)
        .bind(inputs.driver)
        .bind(flags_json(inputs.flags))
        .bind(digest)
        .bind(unix_time_ms());
    HALYARD_TRY(insert.run());
  }
  // A present build keeps its binary; the bytes given with it are not kept for nothing.
  if (database.changes() == 0) return base::ok();
  HALYARD_TRY(grow_generation(database));
  return transaction.commit();
}

Result<std::optional<BuildRecord>> SqliteStore::get_build(const BuildKey& key) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT kernel, target, types, parameters, toolchain, driver, flags, "
                              "blob, key FROM builds WHERE key = ?"));
  HALYARD_TRY_ASSIGN(const bool row, rows.bind(key).step());
  if (!row) return std::optional<BuildRecord>();
  HALYARD_TRY_ASSIGN(BuildRecord build, read_build(rows));
  return std::optional<BuildRecord>(std::move(build));
}

Result<std::vector<BuildRecord>> SqliteStore::find_builds(const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT kernel, target, types, parameters, toolchain, driver, flags, "
                              "blob, key FROM builds WHERE kernel = ? "
                              "ORDER BY created_ms DESC, key"));
  rows.bind(kernel);
  std::vector<BuildRecord> builds;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return builds;
    HALYARD_TRY_ASSIGN(BuildRecord build, read_build(rows));
    builds.push_back(std::move(build));
  }
}

Result<EvidenceId> SqliteStore::put_evidence(const EvidenceRecord& record) {
  const std::string text = evidence_json(record);
  const EvidenceId id = base::Sha256::of(text);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery insert,
        session.database->query("INSERT OR IGNORE INTO evidence (id, kernel, target, device, "
                                "driver, types, kind, verdict, record, created_ms) "
                                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
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
  }
  HALYARD_TRY(transaction.commit());
  return id;
}

Result<std::vector<EvidenceRecord>> SqliteStore::find_evidence(const EvidenceQuery& query) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT id, record FROM evidence WHERE kernel = ?1 AND "
                              "(?2 IS NULL OR target = ?2) AND (?3 IS NULL OR device = ?3) AND "
                              "(?4 IS NULL OR driver = ?4) AND (?5 IS NULL OR types = ?5) AND "
                              "(?6 IS NULL OR kind = ?6) ORDER BY rowid DESC"));
  rows.bind(query.kernel);
  query.target ? rows.bind(*query.target) : rows.bind_null();
  query.device ? rows.bind(*query.device) : rows.bind_null();
  query.driver ? rows.bind(*query.driver) : rows.bind_null();
  query.types ? rows.bind(type_binding_json(*query.types)) : rows.bind_null();
  query.kind ? rows.bind(evidence_kind_name(*query.kind)) : rows.bind_null();
  std::vector<EvidenceRecord> found;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return found;
    const std::string_view text = rows.text(1);
    const EvidenceId got = base::Sha256::of(text);
    if (got != rows.digest(0)) return mismatch("evidence", rows.digest(0), got);
    HALYARD_TRY_ASSIGN(EvidenceRecord record,
                       parse_evidence(text, concat("evidence ", digest_text(got))));
    found.push_back(std::move(record));
  }
}

}  // namespace halyard::store
