// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {

using base::concat;
using base::Result;
using base::Status;

namespace {

// One look through the records. The server reads each row, and so checks its own pages (where it
// was made with checksums).
class RecordCheck {
 public:
  explicit RecordCheck(PostgresConnection& connection) : connection_(connection) {}

  Status run() {
    HALYARD_TRY(check_blobs());
    HALYARD_TRY(check_kernels());
    HALYARD_TRY(check_builds());
    HALYARD_TRY(check_evidence_rows());
    return check_approvals();
  }

  const VerifiedRecords& counts() const { return counts_; }
  const std::vector<DamagedRecord>& damaged() const { return damaged_; }

 private:
  void count(std::string_view what, const Digest& id, std::string damage) {
    ++counts_.records;
    if (damage.empty()) return;
    ++counts_.damaged;
    damaged_.push_back({std::string(what), id, std::move(damage)});
  }

  // Runs `check` on each row of `sql`, which takes the last id ($1) and gives at most `batch` rows
  // in the order of their first column.
  Status each_row(std::string_view sql, std::size_t batch,
                  const std::function<Status(const PostgresRows&, std::size_t)>& check) {
    std::vector<std::byte> last;
    while (true) {
      PostgresParameters after;
      after.add(std::span<const std::byte>(last));
      HALYARD_TRY_ASSIGN(const PostgresRows rows, connection_.run(sql, after));
      for (std::size_t i = 0; i < rows.size(); ++i)
        HALYARD_TRY(check(rows, i));
      if (rows.size() < batch) return base::ok();
      const std::span<const std::byte> id = rows.bytes(rows.size() - 1, 0);
      last.assign(id.begin(), id.end());
    }
  }

  Status check_blobs() {
    return each_row(
        "SELECT sha256, length(bytes)::bigint, sha256(bytes) AS got FROM blobs WHERE sha256 > $1 "
        "AND NOT "
        "damaged ORDER BY sha256 LIMIT 64",
        64, [this](const PostgresRows& rows, std::size_t i) {
          counts_.bytes += static_cast<std::uint64_t>(rows.integer(i, 1));
          const Digest id = rows.digest(i, 0);
          const Digest got = rows.digest(i, 2);
          std::string damage;
          if (id != got) {
            damage = concat("The store's blob ", digest_text(id), " has SHA-256 ", digest_text(got),
                            ".");
          }
          count("blob", id, std::move(damage));
          return base::ok();
        });
  }

  Status check_kernels() {
    return each_row("SELECT id FROM kernels WHERE id > $1 AND NOT damaged ORDER BY id LIMIT 256",
                    256, [this](const PostgresRows& rows, std::size_t i) -> Status {
                      const KernelId id = rows.digest(i, 0);
                      HALYARD_TRY_ASSIGN(const auto found, read_kernel(connection_, id));
                      if (found) count("kernel", id, found->damage);
                      return base::ok();
                    });
  }

  Status check_builds() {
    return each_row(
        "SELECT key, kernel, target, types, parameters, toolchain, driver, flags, blob "
        "FROM builds WHERE key > $1 AND NOT damaged ORDER BY key LIMIT 256",
        256, [this](const PostgresRows& rows, std::size_t i) {
          count("build", rows.digest(i, 0), check_build(build_columns(rows, i)).damage);
          return base::ok();
        });
  }

  Status check_evidence_rows() {
    return each_row(
        "SELECT id, kernel, target, device, driver, types, kind, record FROM evidence "
        "WHERE id > $1 AND NOT damaged ORDER BY id LIMIT 64",
        64, [this](const PostgresRows& rows, std::size_t i) {
          const EvidenceColumns columns = evidence_columns(rows, i);
          count("evidence", columns.id, check_evidence(columns).damage);
          return base::ok();
        });
  }

  // Documents are few; those with several signatures come once for each, so there are no batches.
  Status check_approvals() {
    HALYARD_TRY_ASSIGN(
        const PostgresRows rows,
        connection_.run("SELECT id, kernel, target, origin, sequence, document, signature FROM "
                        "approvals WHERE NOT damaged ORDER BY id, signature"));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      count("approval", rows.digest(i, 0), check_approval_row(approval_columns(rows, i)).damage);
    }
    return base::ok();
  }

  PostgresConnection& connection_;
  VerifiedRecords counts_;
  std::vector<DamagedRecord> damaged_;
};

void set_aside(PostgresConnection& connection, const DamagedRecord& damaged) {
  if (damaged.what == "blob") set_aside_blob(connection, damaged.id);
  if (damaged.what == "kernel") set_aside_kernel(connection, damaged.id);
  if (damaged.what == "build") set_aside_build(connection, damaged.id);
  if (damaged.what == "evidence") set_aside_evidence(connection, damaged.id);
  if (damaged.what == "approval") set_aside_approval(connection, damaged.id);
}

}  // namespace

Result<VerifiedRecords> PostgresStore::verify_records(
    const std::function<void(const DamagedRecord&)>& report) {
  std::vector<DamagedRecord> damaged;
  VerifiedRecords counts;
  {
    HALYARD_TRY_ASSIGN(const Session session, begin_read());
    RecordCheck check(session.connection);
    HALYARD_TRY(check.run());
    damaged = check.damaged();
    counts = check.counts();
    for (const DamagedRecord& each : damaged) {
      if (may_write()) set_aside(session.connection, each);
    }
  }
  for (const DamagedRecord& each : damaged)
    report(each);
  return counts;
}

}  // namespace halyard::store
