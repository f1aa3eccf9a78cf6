// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/kernel_store.h"
#include "kernel-store/postgres/postgres_connection.h"
#include "runtime/base/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace halyard::store {

// The files of schema/postgres in order; applying the first n gives schema version n.
std::span<const char* const> postgres_migrations();

// What a database holds.
struct PostgresSchema {
  std::int64_t version = 0;     // 0 without a store.
  std::int64_t min_client = 0;  // The oldest schema that a client may know and still write.
};

base::Result<PostgresSchema> read_postgres_schema(PostgresConnection& connection);
// The same where there is a store for certain.
base::Result<PostgresSchema> read_present_schema(PostgresConnection& connection);

// Why a client that knows the schema `known` only reads `schema`; empty when it may write. Clients
// of two versions write side by side as long as the newer schema names the older one as its
// least client.
std::string read_only_reason(const PostgresSchema& schema, std::int64_t known);

// Brings the schema up to date, one transaction for each file, under a lock that excludes other
// clients' writes; a schema that is newer stays as it is. Read-only with the reason: a schema that
// is too new, a role that cannot migrate an old one or cannot write, a standby server. Errors:
// kPermissionDenied when there is no store and the role cannot make one.
base::Result<StoreCondition> open_postgres_schema(PostgresConnection& connection,
                                                  std::span<const char* const> migrations);

}  // namespace halyard::store
