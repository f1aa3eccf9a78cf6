// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_rows.h"
#include "kernel-store/sqlite_store.h"

#include <utility>

namespace halyard::store {

using base::Result;

Result<EvidenceId> SqliteStore::put_evidence(const EvidenceRecord& record) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(*session.database));
  HALYARD_TRY_ASSIGN(const EvidenceId id, rows::insert_evidence(*session.database, record));
  HALYARD_TRY(transaction.commit());
  return id;
}

Result<std::vector<EvidenceRecord>> SqliteStore::find_evidence(const EvidenceQuery& query) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  std::vector<EvidenceRecord> found;
  std::vector<EvidenceId> damaged;
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery rows,
        session.database->query("SELECT " HALYARD_EVIDENCE_COLUMNS
                                " FROM evidence WHERE kernel = ?1 AND "
                                "(?2 IS NULL OR target = ?2) AND (?3 IS NULL OR device = ?3) AND "
                                "(?4 IS NULL OR driver = ?4) AND (?5 IS NULL OR types = ?5) AND "
                                "(?6 IS NULL OR kind = ?6) ORDER BY rowid DESC"));
    rows.bind(query.kernel);
    query.target ? rows.bind(*query.target) : rows.bind_null();
    query.device ? rows.bind(*query.device) : rows.bind_null();
    query.driver ? rows.bind(*query.driver) : rows.bind_null();
    query.types ? rows.bind(type_binding_json(*query.types)) : rows.bind_null();
    query.kind ? rows.bind(evidence_kind_name(*query.kind)) : rows.bind_null();
    while (true) {
      HALYARD_TRY_ASSIGN(const bool row, rows.step());
      if (!row) break;
      StoredRecord<EvidenceRecord> evidence = rows::evidence_of(rows);
      if (evidence.record) {
        found.push_back(std::move(*evidence.record));
      } else {
        damaged.push_back(rows.digest(0));
      }
    }
  }
  for (const EvidenceId& id : damaged)
    put_aside(session, RecordKind::kEvidence, id);
  return found;
}

}  // namespace halyard::store
