// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"
#include "kernel-store/store_rows.h"

#include <algorithm>
#include <utility>

namespace halyard::store {

using base::Result;
using base::Status;

namespace {

bool same_use(const LaunchMarker& left, const LaunchMarker& right) {
  return left.kernel == right.kernel && left.target == right.target &&
         left.device == right.device && left.driver == right.driver;
}

}  // namespace

Status SqliteStore::delete_marker(SqliteDatabase& database, const LaunchMarker& marker,
                                  const ProcessIdentity& process) {
  HALYARD_TRY_ASSIGN(
      SqliteQuery erase,
      database.query(
          "DELETE FROM markers WHERE device = ? AND kernel = ? AND target = ? AND driver "
          "= ? AND host = ? AND boot_id = ? AND pid = ? AND process_start = ?"));
  erase.bind(marker.device)
      .bind(marker.kernel)
      .bind(marker.target)
      .bind(marker.driver)
      .bind(process.host)
      .bind(process.boot_id)
      .bind(process.pid)
      .bind(process.start);
  return erase.run();
}

Status SqliteStore::put_marker(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(
      SqliteQuery insert,
      session.database->query("INSERT OR REPLACE INTO markers (device, kernel, target, driver, "
                              "pid, process_start, boot_id, host, time_ms) "
                              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(marker.device).bind(marker.kernel).bind(marker.target).bind(marker.driver);
  insert.bind(process().pid).bind(process().start).bind(process().boot_id).bind(process().host);
  return insert.bind(unix_time_ms()).run();
}

Status SqliteStore::remove_marker(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  return delete_marker(*session.database, marker, process());
}

Result<std::vector<SqliteStore::StaleMarker>> SqliteStore::find_stale(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows,
                     database.query("SELECT kernel, target, device, driver, pid, process_start, "
                                    "boot_id, host, time_ms FROM markers ORDER BY time_ms"));
  std::vector<StaleMarker> stale;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return stale;
    StaleMarker found{
        {rows.digest(0), std::string(rows.text(1)), std::string(rows.text(2)),
         std::string(rows.text(3))},
        {rows.integer(4), rows.integer(5), std::string(rows.text(6)), std::string(rows.text(7))},
        rows.integer(8)};
    if (has_ended(found.process, process())) stale.push_back(std::move(found));
  }
}

Result<std::vector<LaunchMarker>> SqliteStore::stale_markers() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(*session.database));
  std::vector<LaunchMarker> markers;
  for (const StaleMarker& each : stale) {
    const bool seen = std::any_of(markers.begin(), markers.end(), [&](const LaunchMarker& other) {
      return same_use(other, each.marker);
    });
    if (!seen) markers.push_back(each.marker);
  }
  return markers;
}

Status SqliteStore::clear_stale_markers(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(*session.database));
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  for (const StaleMarker& each : stale) {
    if (!same_use(each.marker, marker)) continue;
    HALYARD_TRY(delete_marker(*session.database, each.marker, each.process));
  }
  return transaction.commit();
}

}  // namespace halyard::store
