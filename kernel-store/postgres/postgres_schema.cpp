// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_schema.h"

#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using Mode = StoreCondition::Mode;

// Excludes the writers of kWriteTransaction (postgres_store.cpp) and other migrations.
constexpr const char* kMigration =
    "BEGIN; SELECT pg_advisory_xact_lock(1212963140, 1); SET LOCAL statement_timeout = '10min'";

Status make_schema(PostgresConnection& connection) {
  HALYARD_TRY_ASSIGN(const PostgresRows found,
                     connection.run("SELECT to_regnamespace('halyard') IS NOT NULL"));
  if (found.boolean(0, 0)) return base::ok();
  return connection.execute("CREATE SCHEMA halyard");
}

// True when there was one to apply.
Result<bool> apply_next(PostgresConnection& connection, std::span<const char* const> migrations) {
  HALYARD_TRY_ASSIGN(PostgresTransaction transaction,
                     PostgresTransaction::begin(connection, kMigration));
  // Another process may have been faster.
  HALYARD_TRY_ASSIGN(const PostgresSchema schema, read_postgres_schema(connection));
  if (schema.version >= static_cast<std::int64_t>(migrations.size())) return false;
  HALYARD_TRY(make_schema(connection));
  HALYARD_TRY(connection.execute(migrations[static_cast<std::size_t>(schema.version)]));
  PostgresParameters version;
  version.add(schema.version + 1);
  HALYARD_TRY(connection.run("UPDATE schema_version SET version = $1", version));
  HALYARD_TRY(transaction.commit());
  return true;
}

Status migrate(PostgresConnection& connection, std::span<const char* const> migrations) {
  while (true) {
    HALYARD_TRY_ASSIGN(const bool again, apply_next(connection, migrations));
    if (!again) return base::ok();
  }
}

// Why the role or the server does not write; empty when it does.
Result<std::string> role_reason(PostgresConnection& connection) {
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     connection.run("SELECT current_user::text, pg_is_in_recovery(), "
                                    "has_table_privilege('halyard.evidence', 'INSERT')"));
  if (rows.boolean(0, 1)) return std::string("The server is a standby, which only reads.");
  if (rows.boolean(0, 2)) return std::string();
  return concat("The role \"", rows.text(0, 0), "\" may only read it.");
}

}  // namespace

Result<PostgresSchema> read_postgres_schema(PostgresConnection& connection) {
  HALYARD_TRY_ASSIGN(const PostgresRows present,
                     connection.run("SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON "
                                    "pg_namespace.oid = relnamespace WHERE nspname = 'halyard' AND "
                                    "relname = 'schema_version')"));
  if (!present.boolean(0, 0)) return PostgresSchema{};
  return read_present_schema(connection);
}

Result<PostgresSchema> read_present_schema(PostgresConnection& connection) {
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     connection.run("SELECT version, min_client FROM schema_version"));
  if (rows.size() != 1) {
    return Error(ErrorCode::kCorruptData,
                 concat("The store \"", connection.visible_url(), "\" has ", rows.size(),
                        " rows of its schema's version, not 1."));
  }
  if (rows.integer(0, 0) < 0) {
    return Error(ErrorCode::kCorruptData,
                 concat("The store \"", connection.visible_url(), "\" has the schema ",
                        rows.integer(0, 0), ", which is below 0."));
  }
  return PostgresSchema{rows.integer(0, 0), rows.integer(0, 1)};
}

std::string read_only_reason(const PostgresSchema& schema, std::int64_t known) {
  if (schema.version <= known || schema.min_client <= known) return {};
  return concat("It has schema ", schema.version, " of a newer Halyard, for clients that know ",
                schema.min_client, " or a later one; this one knows ", known,
                " and only reads it.");
}

Result<StoreCondition> open_postgres_schema(PostgresConnection& connection,
                                            std::span<const char* const> migrations) {
  const auto known = static_cast<std::int64_t>(migrations.size());
  HALYARD_TRY_ASSIGN(PostgresSchema schema, read_postgres_schema(connection));
  if (schema.version < known) {
    const Status migrated = migrate(connection, migrations);
    if (!migrated) {
      const bool denied = migrated.error().code() == ErrorCode::kPermissionDenied;
      if (!denied || schema.version == 0) return migrated.error();
      return StoreCondition{Mode::kReadOnly, concat("It has schema ", schema.version,
                                                    ", and this role cannot bring "
                                                    "it up to schema ",
                                                    known, "; the owner of the schema can.")};
    }
    HALYARD_TRY_ASSIGN(schema, read_postgres_schema(connection));
  }
  std::string reason = read_only_reason(schema, known);
  if (reason.empty()) {
    HALYARD_TRY_ASSIGN(reason, role_reason(connection));
  }
  const Mode mode = reason.empty() ? Mode::kReadWrite : Mode::kReadOnly;
  return StoreCondition{mode, std::move(reason)};
}

}  // namespace halyard::store
