// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_store.h"

#include <algorithm>
#include <utility>

namespace halyard::store {

using base::Result;
using base::Status;

namespace {

Status delete_marker(PostgresConnection& connection, const LaunchMarker& marker,
                     const ProcessIdentity& process) {
  PostgresParameters values;
  values.add(marker.device)
      .add(marker.kernel)
      .add(marker.target)
      .add(marker.driver)
      .add(process.host)
      .add(process.boot_id)
      .add(process.pid)
      .add(process.start);
  HALYARD_TRY(
      connection.run("DELETE FROM markers WHERE device = $1 AND kernel = $2 AND target = $3 AND "
                     "driver = $4 AND host = $5 AND boot_id = $6 AND pid = $7 AND process_start = "
                     "$8",
                     values));
  return base::ok();
}

bool same_use(const LaunchMarker& left, const LaunchMarker& right) {
  return left.kernel == right.kernel && left.target == right.target &&
         left.device == right.device && left.driver == right.driver;
}

}  // namespace

Status PostgresStore::put_marker(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  PostgresParameters values;
  values.add(marker.device)
      .add(marker.kernel)
      .add(marker.target)
      .add(marker.driver)
      .add(process().pid)
      .add(process().start)
      .add(process().boot_id)
      .add(process().host);
  HALYARD_TRY(write.connection().run(
      "INSERT INTO markers (device, kernel, target, driver, pid, process_start, boot_id, host) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
      values));
  return write.transaction.commit();
}

Status PostgresStore::remove_marker(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  // What is recorded next, the outcome, brings the removal to the disk with it.
  HALYARD_TRY(write.connection().run("SET LOCAL synchronous_commit = off"));
  HALYARD_TRY(delete_marker(write.connection(), marker, process()));
  return write.transaction.commit();
}

// Marks of other machines are theirs to judge.
Result<std::vector<PostgresStore::StaleMarker>> PostgresStore::find_stale(
    PostgresConnection& connection) {
  PostgresParameters host;
  host.add(process().host);
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      connection.run("SELECT kernel, target, device, driver, pid, process_start, boot_id, host, "
                     "time_ms FROM markers WHERE host = $1 ORDER BY time_ms",
                     host));
  std::vector<StaleMarker> stale;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    StaleMarker found{{rows.digest(i, 0), std::string(rows.text(i, 1)),
                       std::string(rows.text(i, 2)), std::string(rows.text(i, 3))},
                      {rows.integer(i, 4), rows.integer(i, 5), std::string(rows.text(i, 6)),
                       std::string(rows.text(i, 7))},
                      rows.integer(i, 8)};
    if (has_ended(found.process, process())) stale.push_back(std::move(found));
  }
  return stale;
}

Result<std::vector<LaunchMarker>> PostgresStore::stale_markers() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(session.connection));
  std::vector<LaunchMarker> markers;
  for (const StaleMarker& each : stale) {
    const bool seen = std::any_of(markers.begin(), markers.end(), [&](const LaunchMarker& other) {
      return same_use(other, each.marker);
    });
    if (!seen) markers.push_back(each.marker);
  }
  return markers;
}

Status PostgresStore::clear_stale_markers(const LaunchMarker& marker) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(write.connection()));
  for (const StaleMarker& each : stale) {
    if (!same_use(each.marker, marker)) continue;
    HALYARD_TRY(delete_marker(write.connection(), each.marker, each.process));
  }
  return write.transaction.commit();
}

Status PostgresStore::delete_stale_markers(PostgresConnection& connection, std::int64_t latest_ms) {
  HALYARD_TRY_ASSIGN(const std::vector<StaleMarker> stale, find_stale(connection));
  for (const StaleMarker& each : stale) {
    if (each.time_ms > latest_ms) continue;
    HALYARD_TRY(delete_marker(connection, each.marker, each.process));
  }
  return base::ok();
}

}  // namespace halyard::store
