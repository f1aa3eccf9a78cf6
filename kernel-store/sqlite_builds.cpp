// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"

#include <chrono>
#include <utility>

namespace halyard::store {
namespace {

using base::Result;
using base::Status;

// Uses are noted no finer than this.
constexpr std::int64_t kUseGrainMs = std::chrono::milliseconds(std::chrono::hours(24)).count();

// Whether the store has the build and its binary, both sound.
Result<bool> has_sound_build(SqliteDatabase& database, const BuildKey& key) {
  HALYARD_TRY_ASSIGN(const StoredRecord<BuildRecord> build, rows::read_build(database, key));
  if (!build.record) return false;
  HALYARD_TRY_ASSIGN(const auto blob, rows::read_blob(database, build.record->blob));
  return blob.record.has_value();
}

Status insert_build(SqliteDatabase& database, const BuildKey& key, const BuildInputs& inputs,
                    const Digest& blob) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      database.query("INSERT OR REPLACE INTO builds (" HALYARD_BUILD_COLUMNS
                     ", created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)"));
  insert.bind(key)
      .bind(inputs.kernel)
      .bind(inputs.target)
      .bind(type_binding_json(inputs.types))
      .bind(parameters_json(inputs.parameters))
      .bind(inputs.toolchain)
      .bind(inputs.driver)
      .bind(string_list_json(inputs.flags))
      .bind(blob)
      .bind(unix_time_ms());
  return insert.run();
}

}  // namespace

Result<Digest> SqliteStore::put_blob(std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY(rows::insert_blob(*session.database, digest, bytes));
  HALYARD_TRY(transaction.commit());
  return digest;
}

Result<std::optional<std::vector<std::byte>>> SqliteStore::get_blob(const Digest& digest) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(auto found, rows::read_blob(*session.database, digest));
  if (!found.damage.empty()) put_aside(session, RecordKind::kBlob, digest);
  return std::move(found.record);
}

// A present build keeps its binary; the bytes given with it are not kept for nothing.
Status SqliteStore::put_build(const BuildInputs& inputs, std::span<const std::byte> bytes) {
  const Digest digest = base::Sha256::of(bytes);
  const BuildKey key = compute_build_key(inputs);
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  HALYARD_TRY_ASSIGN(const bool present, has_sound_build(database, key));
  if (present) return base::ok();
  HALYARD_TRY(rows::insert_blob(database, digest, bytes));
  HALYARD_TRY(insert_build(database, key, inputs, digest));
  HALYARD_TRY(rows::grow_generation(database));
  return transaction.commit();
}

void SqliteStore::note_use(const Session& session, const BuildKey& key, std::int64_t noted_ms) {
  const std::int64_t now = unix_time_ms();
  if (!is_writable() || (noted_ms <= now && now - noted_ms < kUseGrainMs)) return;
  SqliteDatabase& database = *session.database;
  database.set_patience(std::chrono::milliseconds(0));
  // A use that is not noted lets the build go earlier, no more.
  if (auto update = database.query("UPDATE builds SET used_ms = ? WHERE key = ?")) {
    static_cast<void>(update->bind(now).bind(key).run());
  }
  database.set_patience(kPatience);
}

Result<std::optional<BuildRecord>> SqliteStore::get_build(const BuildKey& key) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  StoredRecord<BuildRecord> build;
  std::int64_t used_ms = 0;
  {
    HALYARD_TRY_ASSIGN(SqliteQuery rows, session.database->query("SELECT " HALYARD_BUILD_COLUMNS
                                                                 " FROM builds WHERE key = ?"));
    HALYARD_TRY_ASSIGN(const bool row, rows.bind(key).step());
    if (!row) return std::optional<BuildRecord>();
    build = rows::build_of(rows);
    used_ms = rows.integer(9);
  }
  if (build.record) {
    note_use(session, key, used_ms);
  } else {
    put_aside(session, RecordKind::kBuild, key);
  }
  return std::move(build.record);
}

Result<std::vector<BuildRecord>> SqliteStore::find_builds(const KernelId& kernel) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  std::vector<BuildRecord> builds;
  std::vector<BuildKey> damaged;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        session.database->query("SELECT " HALYARD_BUILD_COLUMNS
                                " FROM builds WHERE kernel = ? ORDER BY created_ms DESC, key"));
    rows.bind(kernel);
    while (true) {
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      StoredRecord<BuildRecord> build = rows::build_of(rows);
      if (build.record) {
        builds.push_back(std::move(*build.record));
      } else {
        damaged.push_back(rows.digest(0));
      }
    }
  }
  for (const BuildKey& key : damaged)
    put_aside(session, RecordKind::kBuild, key);
  return builds;
}

}  // namespace halyard::store
