// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "kernel-store/sqlite_database.h"

#include <memory>
#include <string>

namespace halyard::store {

struct OpenedSqlite {
  std::unique_ptr<SqliteDatabase> database;
  StoreCondition condition;
};

// Opens or makes the store at `path` and brings its schema up to date. A file that cannot be
// written, or is of a newer schema, or is on a network file system, opens read-only; where none can
// be made, a store in memory takes its place. Both say why. Errors: kCorruptData for a file that is
// no store; kUnavailable, kIoError.
base::Result<OpenedSqlite> open_sqlite(const std::string& path);

// An empty store that is forgotten when it closes.
base::Result<OpenedSqlite> open_sqlite_in_memory(std::string reason);

}  // namespace halyard::store
