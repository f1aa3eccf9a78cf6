// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"

#include "runtime/base/text.h"

#include <unistd.h>

#include <chrono>
#include <utility>

namespace halyard::store {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;

std::int64_t unix_time_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

SqliteStore::SqliteStore(std::string url, std::string path,
                         std::optional<std::string> memory_reason)
    : url_(std::move(url)),
      path_(std::move(path)),
      memory_reason_(std::move(memory_reason)) {}

SqliteStore::~SqliteStore() {
  if (opened_.database != nullptr && !check_process()) opened_.database->abandon();
}

// Asked before the lock is taken: in a child of fork() another thread may have held it for ever.
Status SqliteStore::check_process() const {
  const auto pid = static_cast<std::int64_t>(::getpid());
  std::int64_t owner = 0;
  if (owner_pid_.compare_exchange_strong(owner, pid) || owner == pid) return base::ok();
  return Error(ErrorCode::kUnavailable,
               concat("The store \"", url_, "\" was opened by process ", owner,
                      " before fork(); process ", pid, " opens one of its own."));
}

Result<SqliteStore::Session> SqliteStore::begin_read() {
  HALYARD_TRY(check_process());
  std::unique_lock lock(mutex_);
  if (opened_.database == nullptr) {
    Result<OpenedSqlite> opened =
        memory_reason_ ? open_sqlite_in_memory(*memory_reason_) : open_sqlite(path_);
    if (!opened) return std::move(opened.error());
    opened_ = std::move(*opened);
  }
  SqliteDatabase* const database = opened_.database.get();
  return Session{std::move(lock), database};
}

Result<SqliteStore::Session> SqliteStore::begin_write() {
  HALYARD_TRY_ASSIGN(Session session, begin_read());
  if (opened_.condition.mode == StoreCondition::Mode::kReadOnly) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The store \"", url_, "\" is read-only: ", opened_.condition.reason));
  }
  return session;
}

const ProcessIdentity& SqliteStore::process() {
  if (!process_) process_ = this_process();
  return *process_;
}

Result<StoreCondition> SqliteStore::condition() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  return opened_.condition;
}

Result<std::uint64_t> SqliteStore::generation() {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(const std::int64_t value,
                     session.database->integer_of("SELECT value FROM generation"));
  return static_cast<std::uint64_t>(value);
}

Status SqliteStore::append_state(const StateChange& change) {
  HALYARD_TRY_ASSIGN(const Session session, begin_write());
  SqliteDatabase& database = *session.database;
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  {
    HALYARD_TRY_ASSIGN(
        SqliteQuery insert,
        database.query("INSERT INTO states (kernel, target, first_driver, last_driver, state, who, "
                       "why, evidence, time_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insert.bind(change.kernel)
        .bind(change.target)
        .bind(change.drivers.first)
        .bind(change.drivers.last)
        .bind(kernel_state_name(change.state))
        .bind(change.who)
        .bind(change.why);
    change.evidence ? insert.bind(*change.evidence) : insert.bind_null();
    insert.bind(change.time_ms != 0 ? change.time_ms : unix_time_ms());
    HALYARD_TRY(insert.run());
  }
  HALYARD_TRY(database.execute("UPDATE generation SET value = value + 1"));
  return transaction.commit();
}

Result<std::vector<StateChange>> SqliteStore::states(const KernelId& kernel,
                                                     std::string_view target) {
  HALYARD_TRY_ASSIGN(const Session session, begin_read());
  HALYARD_TRY_ASSIGN(
      SqliteQuery rows,
      session.database->query("SELECT target, first_driver, last_driver, state, who, why, "
                              "evidence, time_ms FROM states WHERE kernel = ?1 AND "
                              "(?2 = '' OR target = ?2) ORDER BY sequence"));
  rows.bind(kernel).bind(target);
  std::vector<StateChange> history;
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, rows.step());
    if (!row) return history;
    const auto state = kernel_state_from_name(rows.text(3));
    if (!state) {
      return Error(ErrorCode::kCorruptData, concat("The store \"", url_, "\" holds the state \"",
                                                   rows.text(3), "\", which is none."));
    }
    StateChange change;
    change.kernel = kernel;
    change.target = rows.text(0);
    change.drivers = {std::string(rows.text(1)), std::string(rows.text(2))};
    change.state = *state;
    change.who = rows.text(4);
    change.why = rows.text(5);
    if (!rows.is_null(6)) change.evidence = rows.digest(6);
    change.time_ms = rows.integer(7);
    history.push_back(std::move(change));
  }
}

}  // namespace halyard::store
