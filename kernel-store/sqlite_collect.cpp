// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"

#include <algorithm>
#include <utility>

namespace halyard::store {
namespace {

using base::Result;
using base::Status;

struct Build {
  BuildKey key{};
  std::string driver;
  Digest blob{};
};

// Runs a statement that deletes what is no newer than `before_ms`; the number of rows that went.
Result<std::uint64_t> delete_before(SqliteDatabase& database, std::string_view sql,
                                    std::int64_t before_ms) {
  HALYARD_TRY_ASSIGN(SqliteQuery remove, database.query(sql));
  HALYARD_TRY(remove.bind(before_ms).run());
  return static_cast<std::uint64_t>(database.changes());
}

// Builds whose binary was set aside.
Result<std::uint64_t> delete_builds_without_blob(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery remove,
      database.query("DELETE FROM builds WHERE blob NOT IN (SELECT sha256 FROM blobs)"));
  HALYARD_TRY(remove.run());
  return static_cast<std::uint64_t>(database.changes());
}

Status delete_build(SqliteDatabase& database, const BuildKey& key) {
  HALYARD_TRY_ASSIGN(SqliteQuery remove, database.query("DELETE FROM builds WHERE key = ?"));
  return remove.bind(key).run();
}

// Whether the kernel is retired on all that the build may run on, and has been since `before_ms`.
bool is_retired(const std::vector<StateChange>& history, std::string_view target,
                const std::string& driver, std::int64_t before_ms) {
  const StateChange* const last = last_change(history, {target, driver, ""});
  if (last == nullptr || last->state != KernelState::kRetired || last->time_ms > before_ms) {
    return false;
  }
  // Without a driver of its own a build serves all drivers.
  return !driver.empty() || (last->drivers.first.empty() && last->drivers.last.empty());
}

Result<std::vector<Build>> retired_builds(SqliteDatabase& database, std::int64_t before_ms) {
  std::vector<std::pair<KernelId, std::string>> retired;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        database.query("SELECT DISTINCT kernel, target FROM states WHERE state = 'retired'"));
    while (true) {
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      retired.emplace_back(rows.digest(0), rows.text(1));
    }
  }
  std::vector<Build> builds;
  for (const auto& [kernel, target] : retired) {
    HALYARD_TRY_ASSIGN(const std::vector<StateChange> history,
                       rows::read_states(database, kernel, target));
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        database.query("SELECT key, driver, blob FROM builds WHERE kernel = ? AND target = ?"));
    rows.bind(kernel).bind(target);
    while (true) {
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      Build build{rows.digest(0), std::string(rows.text(1)), rows.digest(2)};
      if (is_retired(history, target, build.driver, before_ms)) builds.push_back(std::move(build));
    }
  }
  return builds;
}

struct Removed {
  std::uint64_t blobs = 0;
  std::uint64_t bytes = 0;
};

Result<Removed> remove_unnamed_blobs(SqliteDatabase& database) {
  Removed removed;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        database.query("SELECT count(*), total(length(bytes)) FROM blobs WHERE sha256 NOT IN "
                       "(SELECT blob FROM kernel_files) AND sha256 NOT IN (SELECT blob FROM "
                       "builds)"));
    HALYARD_TRY(rows.step());
    removed = {static_cast<std::uint64_t>(rows.integer(0)),
               static_cast<std::uint64_t>(rows.integer(1))};
  }
  if (removed.blobs == 0) return removed;
  HALYARD_TRY_ASSIGN(
      SqliteQuery remove,
      database.query("DELETE FROM blobs WHERE sha256 NOT IN (SELECT blob FROM kernel_files) AND "
                     "sha256 NOT IN (SELECT blob FROM builds)"));
  HALYARD_TRY(remove.run());
  return removed;
}

// Removes the builds that were unused for longest, until the blobs that are still named take at
// most `bound`; the number of builds that went.
Result<std::uint64_t> remove_beyond(SqliteDatabase& database, std::uint64_t bound) {
  HALYARD_TRY_ASSIGN(
      const std::int64_t total,
      database.integer_of("SELECT coalesce(sum(length(bytes)), 0) FROM blobs WHERE sha256 IN "
                          "(SELECT blob FROM kernel_files UNION SELECT blob FROM builds)"));
  auto left = static_cast<std::uint64_t>(total);
  std::uint64_t builds = 0;
  while (left > bound) {
    Build oldest;
    std::uint64_t freed = 0;
    {
      HALYARD_TRY_ASSIGN(
          SqliteQuery rows,
          database.query(
              "SELECT key, iif((SELECT count(*) FROM builds AS other WHERE other.blob = "
              "builds.blob) = 1 AND NOT EXISTS (SELECT 1 FROM kernel_files WHERE "
              "kernel_files.blob = builds.blob), (SELECT length(bytes) FROM blobs WHERE sha256 = "
              "builds.blob), 0) FROM builds ORDER BY used_ms, key LIMIT 1"));
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      oldest.key = rows.digest(0);
      freed = static_cast<std::uint64_t>(rows.integer(1));
    }
    HALYARD_TRY(delete_build(database, oldest.key));
    left -= std::min(left, freed);
    ++builds;
  }
  return builds;
}

}  // namespace

Result<std::uint64_t> SqliteStore::remove_old_markers(SqliteDatabase& database,
                                                      std::int64_t before_ms) {
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(database));
  std::uint64_t removed = 0;
  for (const StaleMarker& each : stale) {
    if (each.time_ms > before_ms) continue;
    HALYARD_TRY(delete_marker(database, each.marker, each.process));
    ++removed;
  }
  return removed;
}

Result<CollectedRecords> SqliteStore::collect_garbage(const CollectBounds& bounds) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  const std::int64_t before_ms =
      unix_time_ms() - std::chrono::milliseconds(bounds.older_than).count();
  CollectedRecords collected;
  HALYARD_TRY_ASSIGN(const std::vector<Build> retired, retired_builds(database, before_ms));
  for (const Build& build : retired) {
    HALYARD_TRY(delete_build(database, build.key));
  }
  HALYARD_TRY_ASSIGN(const std::uint64_t without_blob, delete_builds_without_blob(database));
  collected.builds = retired.size() + without_blob;
  if (bounds.blob_bytes) {
    HALYARD_TRY_ASSIGN(const std::uint64_t beyond, remove_beyond(database, *bounds.blob_bytes));
    collected.builds += beyond;
  }
  HALYARD_TRY_ASSIGN(collected.requests,
                     delete_before(database,
                                   "DELETE FROM requests WHERE status IN ('done', 'failed', "
                                   "'cancelled') AND settled_ms <= ?",
                                   before_ms));
  HALYARD_TRY(delete_before(database, "DELETE FROM damaged WHERE time_ms <= ?", before_ms));
  HALYARD_TRY(remove_old_markers(database, before_ms));
  HALYARD_TRY_ASSIGN(const Removed blobs, remove_unnamed_blobs(database));
  collected.blobs = blobs.blobs;
  collected.bytes = blobs.bytes;
  HALYARD_TRY(transaction.commit());
  return collected;
}

}  // namespace halyard::store
