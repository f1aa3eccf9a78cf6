// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/sqlite_database.h"
#include "kernel-store/store_upkeep.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace halyard::store {

// Records whose identity is that of their bytes.
enum class RecordKind : std::uint8_t { kBlob, kKernel, kBuild, kEvidence, kApproval };

// "blob", "kernel", …
std::string_view record_kind_name(RecordKind kind);

// Why the record is damaged; empty for one that is sound or absent.
base::Result<std::string> find_damage(SqliteDatabase& database, RecordKind kind, const Digest& id);

// Moves the record to `damaged` in a transaction, unless it turns out sound or absent there; then
// nothing is returned.
base::Result<std::optional<DamagedRecord>> set_aside(SqliteDatabase& database, RecordKind kind,
                                                     const Digest& id);

}  // namespace halyard::store
