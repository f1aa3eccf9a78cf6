// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/sqlite_database.h"
#include "kernel-store/store_rows.h"

#include <span>
#include <string_view>

// Rows of the SQLite store that several verbs read and write. Who writes has a transaction.
namespace halyard::store::rows {

std::span<const std::byte> bytes_of(std::string_view text);

base::Status grow_generation(SqliteDatabase& database);

// A row whose bytes are others is mended.
base::Status insert_blob(SqliteDatabase& database, const Digest& digest,
                         std::span<const std::byte> bytes);
base::Result<EvidenceId> insert_evidence(SqliteDatabase& database, const EvidenceRecord& record);
// By judge_transition(); whether an entry was added.
base::Result<bool> insert_state(SqliteDatabase& database, const StateChange& change);

base::Result<StoredRecord<std::vector<std::byte>>> read_blob(SqliteDatabase& database,
                                                             const Digest& digest);
base::Result<StoredRecord<KernelPackage>> read_kernel(SqliteDatabase& database, const KernelId& id);
base::Result<StoredRecord<BuildRecord>> read_build(SqliteDatabase& database, const BuildKey& key);
base::Result<StoredRecord<EvidenceRecord>> read_evidence(SqliteDatabase& database,
                                                         const EvidenceId& id);
base::Result<std::vector<StateChange>> read_states(SqliteDatabase& database, const KernelId& kernel,
                                                   std::string_view target);

// The columns of each statement that reads builds, in the order that build_of() takes them.
#define HALYARD_BUILD_COLUMNS \
  "key, kernel, target, types, parameters, toolchain, driver, flags, blob, used_ms"
StoredRecord<BuildRecord> build_of(const SqliteQuery& row);

#define HALYARD_EVIDENCE_COLUMNS "id, kernel, target, device, driver, types, kind, record"
StoredRecord<EvidenceRecord> evidence_of(const SqliteQuery& row);

#define HALYARD_APPROVAL_COLUMNS "id, kernel, target, origin, sequence, document, signature"
StoredRecord<SignedApproval> approval_of(const SqliteQuery& row);

}  // namespace halyard::store::rows
