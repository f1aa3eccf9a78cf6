// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"

namespace halyard::store {

using base::Result;
using base::Status;

namespace {

// One collection, in the transaction of the caller, who is the only writer.
class Collection {
 public:
  Collection(PostgresConnection& connection, std::int64_t latest_ms)
      : connection_(connection),
        latest_ms_(latest_ms) {}

  Status run(const std::optional<std::uint64_t>& blob_bytes) {
    HALYARD_TRY(delete_requests());
    HALYARD_TRY(delete_retired_builds());
    HALYARD_TRY(delete_unnamed_blobs());
    if (blob_bytes) HALYARD_TRY(shrink_to(*blob_bytes));
    return base::ok();
  }

  const CollectedRecords& collected() const { return collected_; }

 private:
  Status delete_requests() {
    PostgresParameters values;
    values.add(latest_ms_);
    HALYARD_TRY_ASSIGN(
        const PostgresRows rows,
        connection_.run("DELETE FROM requests WHERE status NOT IN ('open', 'claimed') AND "
                        "settled_ms <= $1",
                        values));
    collected_.requests += rows.changed();
    return base::ok();
  }

  Status delete_build(const BuildKey& key) {
    PostgresParameters values;
    values.add(key);
    HALYARD_TRY_ASSIGN(const PostgresRows rows,
                       connection_.run("DELETE FROM builds WHERE key = $1", values));
    collected_.builds += rows.changed();
    return base::ok();
  }

  Status delete_retired_builds() {
    PostgresParameters values;
    values.add(latest_ms_);
    HALYARD_TRY_ASSIGN(
        const PostgresRows rows,
        connection_.run("SELECT key, kernel, target, driver FROM builds WHERE created_ms <= $1 AND "
                        "EXISTS (SELECT FROM states WHERE states.kernel = builds.kernel AND "
                        "states.target = builds.target AND state = 'retired') ORDER BY key",
                        values));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      HALYARD_TRY_ASSIGN(const std::vector<StateChange> history,
                         read_history(connection_, rows.digest(i, 1), rows.text(i, 2)));
      const StateChange* const last = last_change(history, {rows.text(i, 2), rows.text(i, 3), {}});
      if (last == nullptr || last->state != KernelState::kRetired) continue;
      HALYARD_TRY(delete_build(rows.digest(i, 0)));
    }
    return base::ok();
  }

  Status delete_unnamed_blobs() {
    HALYARD_TRY_ASSIGN(
        const PostgresRows rows,
        connection_.run(
            "WITH gone AS (DELETE FROM blobs WHERE NOT EXISTS (SELECT FROM kernel_files WHERE blob "
            "= sha256) AND NOT EXISTS (SELECT FROM builds WHERE blob = sha256) RETURNING "
            "length(bytes) AS size) SELECT count(*), coalesce(sum(size), 0)::bigint FROM gone"));
    collected_.blobs += static_cast<std::uint64_t>(rows.integer(0, 0));
    collected_.bytes += static_cast<std::uint64_t>(rows.integer(0, 1));
    return base::ok();
  }

  Result<std::uint64_t> blob_bytes() {
    HALYARD_TRY_ASSIGN(
        const PostgresRows rows,
        connection_.run("SELECT coalesce(sum(length(bytes)), 0)::bigint FROM blobs"));
    return static_cast<std::uint64_t>(rows.integer(0, 0));
  }

  // Builds go until what remains fits; files of kernels stay, however large they are.
  Status shrink_to(std::uint64_t limit) {
    HALYARD_TRY_ASSIGN(std::uint64_t left, blob_bytes());
    while (left > limit) {
      HALYARD_TRY_ASSIGN(
          const PostgresRows rows,
          connection_.run("SELECT key FROM builds ORDER BY used_ms, sequence LIMIT 1"));
      if (rows.empty()) return base::ok();
      HALYARD_TRY(delete_build(rows.digest(0, 0)));
      const std::uint64_t before = collected_.bytes;
      HALYARD_TRY(delete_unnamed_blobs());
      left -= collected_.bytes - before;
    }
    return base::ok();
  }

  PostgresConnection& connection_;
  const std::int64_t latest_ms_;
  CollectedRecords collected_;
};

}  // namespace

Result<CollectedRecords> PostgresStore::collect_garbage(const CollectBounds& bounds) {
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write(true));
  PostgresParameters age;
  age.add(static_cast<std::int64_t>(bounds.older_than.count()));
  HALYARD_TRY_ASSIGN(const PostgresRows latest,
                     write.connection().run("SELECT now_ms() - $1::bigint * 1000", age));
  Collection collection(write.connection(), latest.integer(0, 0));
  HALYARD_TRY(collection.run(bounds.blob_bytes));
  HALYARD_TRY(delete_stale_markers(write.connection(), latest.integer(0, 0)));
  HALYARD_TRY(write.transaction.commit());
  return collection.collected();
}

}  // namespace halyard::store
