// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_records.h"
#include "kernel-store/postgres/postgres_store.h"

#include <utility>

namespace halyard::store {

using base::Result;
using base::Status;

EvidenceColumns evidence_columns(const PostgresRows& rows, std::size_t row) {
  return {rows.digest(row, 0), rows.digest(row, 1), rows.text(row, 2), rows.text(row, 3),
          rows.text(row, 4),   rows.text(row, 5),   rows.text(row, 6), rows.text(row, 7)};
}

void set_aside_evidence(PostgresConnection& connection, const Digest& id) {
  PostgresParameters key;
  key.add(id);
  static_cast<void>(connection.run("UPDATE evidence SET damaged = true WHERE id = $1", key));
}

Status insert_evidence(PostgresConnection& connection, const EvidenceId& id,
                       const EvidenceRecord& record) {
  const std::string types = type_binding_json(record.types);
  const std::string text = evidence_json(record);
  PostgresParameters values;
  values.add(id)
      .add(record.kernel)
      .add(record.target)
      .add(record.device)
      .add(record.driver)
      .add(types)
      .add(evidence_kind_name(record.kind))
      .add(record.verdict == Verdict::kPass ? "pass" : "fail")
      .add(text);
  HALYARD_TRY_ASSIGN(
      const PostgresRows inserted,
      connection.run("INSERT INTO evidence (id, kernel, target, device, driver, types, kind, "
                     "verdict, record) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) "
                     "ON CONFLICT (id) DO NOTHING",
                     values));
  if (inserted.changed() == 1) return base::ok();
  PostgresParameters key;
  key.add(id);
  HALYARD_TRY_ASSIGN(const PostgresRows present,
                     connection.run("SELECT damaged FROM evidence WHERE id = $1", key));
  if (present.empty() || !present.boolean(0, 0)) return base::ok();
  HALYARD_TRY(
      connection.run("UPDATE evidence SET kernel = $2, target = $3, device = $4, driver = $5, "
                     "types = $6, kind = $7, verdict = $8, record = $9, damaged = false WHERE id "
                     "= $1",
                     values));
  return base::ok();
}

Result<EvidenceId> PostgresStore::put_evidence(const EvidenceRecord& record) {
  const EvidenceId id = evidence_id(record);
  HALYARD_TRY_ASSIGN(WriteSession write, begin_write());
  HALYARD_TRY(insert_evidence(write.connection(), id, record));
  HALYARD_TRY(write.transaction.commit());
  return id;
}

Result<std::vector<EvidenceRecord>> PostgresStore::find_evidence(const EvidenceQuery& query) {
  const std::optional<std::string> types =
      query.types ? std::optional(type_binding_json(*query.types)) : std::nullopt;
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  PostgresParameters values;
  values.add(query.kernel);
  query.target ? values.add(*query.target) : values.add_null();
  query.device ? values.add(*query.device) : values.add_null();
  query.driver ? values.add(*query.driver) : values.add_null();
  types ? values.add(*types) : values.add_null();
  query.kind ? values.add(evidence_kind_name(*query.kind)) : values.add_null();
  HALYARD_TRY_ASSIGN(
      const PostgresRows rows,
      session.connection.run(
          "SELECT id, kernel, target, device, driver, types, kind, record FROM evidence WHERE "
          "kernel = $1 AND NOT damaged AND ($2::text IS NULL OR target = $2) AND ($3::text IS NULL "
          "OR device = $3) AND ($4::text IS NULL OR driver = $4) AND ($5::text IS NULL OR types = "
          "$5) AND ($6::text IS NULL OR kind = $6) ORDER BY sequence DESC",
          values));
  std::vector<EvidenceRecord> records;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto found = check_evidence(evidence_columns(rows, i));
    if (found.record) {
      records.push_back(std::move(*found.record));
    } else if (may_write()) {
      set_aside_evidence(session.connection, rows.digest(i, 0));
    }
  }
  return records;
}

}  // namespace halyard::store
