// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/evidence.h"
#include "kernel-store/kernel_package.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/postgres/postgres_connection.h"
#include "kernel-store/store_rows.h"
#include "runtime/base/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

// What verbs do to single records, in the transaction of the caller. Rows are locked in one order
// by all: request, states, kernel, blobs by digest, build, evidence, generation.
namespace halyard::store {

// A present blob stays, a damaged one is mended.
base::Status insert_blob(PostgresConnection& connection, const Digest& digest,
                         std::span<const std::byte> bytes);

base::Status insert_evidence(PostgresConnection& connection, const EvidenceId& id,
                             const EvidenceRecord& record);

// Excludes other writers of the history of this kernel and target until the transaction ends.
base::Status lock_history(PostgresConnection& connection, const KernelId& kernel,
                          std::string_view target);
base::Result<std::vector<StateChange>> read_history(PostgresConnection& connection,
                                                    const KernelId& kernel,
                                                    std::string_view target);
// As KernelStore::append_state().
base::Result<bool> insert_state(PostgresConnection& connection, const StateChange& change);

base::Status grow_generation(PostgresConnection& connection);

// Nothing when there is no such kernel or it is set aside.
base::Result<std::optional<StoredRecord<KernelPackage>>> read_kernel(PostgresConnection& connection,
                                                                     const KernelId& id);

// A row of "key, kernel, target, types, parameters, toolchain, driver, flags, blob".
BuildColumns build_columns(const PostgresRows& rows, std::size_t row);
// A row of "id, kernel, target, device, driver, types, kind, record".
EvidenceColumns evidence_columns(const PostgresRows& rows, std::size_t row);
// A row of "id, kernel, target, origin, sequence, document, signature".
ApprovalColumns approval_columns(const PostgresRows& rows, std::size_t row);

// Marks a damaged record of a table as such, so that it is a miss until it is put again. Does
// nothing where the role may not.
void set_aside_blob(PostgresConnection& connection, const Digest& id);
void set_aside_kernel(PostgresConnection& connection, const Digest& id);
void set_aside_build(PostgresConnection& connection, const Digest& id);
void set_aside_evidence(PostgresConnection& connection, const Digest& id);
void set_aside_approval(PostgresConnection& connection, const Digest& id);

}  // namespace halyard::store
