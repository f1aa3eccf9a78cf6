// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_store.h"

#include "kernel-store/postgres/postgres_schema.h"
#include "runtime/base/text.h"

#include <utility>

namespace halyard::store {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

// The lock is that of migrations (postgres_schema.cpp).
constexpr const char* kBeginShared = "BEGIN; SELECT pg_advisory_xact_lock_shared(1212963140, 1)";
constexpr const char* kBeginAlone =
    "BEGIN; SELECT pg_advisory_xact_lock(1212963140, 1); SET LOCAL statement_timeout = '10min'";

}  // namespace

PostgresStore::PostgresStore(const LibpqLibrary& libpq, PostgresUrl url,
                             std::span<const char* const> migrations)
    : fork_guard_(concat("The store \"", url.visible, "\"")),
      migrations_(migrations),
      connection_(libpq, std::move(url)) {}

PostgresStore::~PostgresStore() {
  // Closing would end the parent's session.
  if (fork_guard_.in_child()) connection_.abandon();
}

Result<PostgresStore::Session> PostgresStore::begin_read() {
  HALYARD_TRY(fork_guard_.check());
  std::unique_lock lock(mutex_);
  if (!connection_.is_connected()) {
    HALYARD_TRY(connection_.connect());
    Result<StoreCondition> opened = open_postgres_schema(connection_, migrations_);
    if (!opened) {
      connection_.disconnect();
      return std::move(opened.error());
    }
    condition_ = std::move(*opened);
  }
  return Session{std::move(lock), connection_};
}

Result<PostgresStore::WriteSession> PostgresStore::begin_write(bool alone) {
  HALYARD_TRY_ASSIGN(Session session, begin_read());
  if (may_write()) {
    HALYARD_TRY_ASSIGN(PostgresTransaction transaction,
                       PostgresTransaction::begin(connection_, alone ? kBeginAlone : kBeginShared));
    // Another client may have brought a newer schema since this one connected.
    HALYARD_TRY_ASSIGN(const PostgresSchema schema, read_present_schema(connection_));
    std::string reason = read_only_reason(schema, static_cast<std::int64_t>(migrations_.size()));
    if (reason.empty()) return WriteSession{std::move(session), std::move(transaction)};
    condition_ = {StoreCondition::Mode::kReadOnly, std::move(reason)};
  }
  return Error(ErrorCode::kPermissionDenied,
               concat("The store \"", url(), "\" is read-only: ", condition_.reason));
}

const ProcessIdentity& PostgresStore::process() {
  if (!process_) process_ = this_process();
  return *process_;
}

Result<StoreCondition> PostgresStore::condition() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(condition_, open_postgres_schema(session.connection, migrations_));
  return condition_;
}

Result<std::uint64_t> PostgresStore::generation() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(const PostgresRows rows,
                     session.connection.run("SELECT value FROM generation"));
  return rows.empty() ? 0 : static_cast<std::uint64_t>(rows.integer(0, 0));
}

}  // namespace halyard::store
