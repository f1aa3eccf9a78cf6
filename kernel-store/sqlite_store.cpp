// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"

#include "kernel-store/sqlite_rows.h"
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

namespace {

// How long a verb that reads waits when it finds something to mend.
constexpr std::chrono::milliseconds kPatienceOfReaders{100};
// How long a store counts as locked that another process has not let go of while it was opened.
constexpr std::chrono::seconds kTimeLocked{30};

}  // namespace

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
    if (locked_ && std::chrono::steady_clock::now() < locked_until_) return *locked_;
    Result<OpenedSqlite> opened =
        memory_reason_ ? open_sqlite_in_memory(*memory_reason_) : open_sqlite(path_);
    if (!opened) {
      if (opened.error().code() == ErrorCode::kUnavailable) {
        locked_ = opened.error();
        locked_until_ = std::chrono::steady_clock::now() + kTimeLocked;
      }
      return std::move(opened.error());
    }
    opened_ = std::move(*opened);
  }
  SqliteDatabase* const database = opened_.database.get();
  return Session{std::move(lock), database};
}

Result<SqliteStore::Session> SqliteStore::begin_write() {
  HALYARD_TRY_ASSIGN(Session session, begin_read());
  if (!is_writable()) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The store \"", url_, "\" is read-only: ", opened_.condition.reason));
  }
  // What is written to a file without its name is lost with this process.
  if (session.database->has_moved()) {
    return Error(ErrorCode::kUnavailable,
                 concat("The store \"", url_,
                        "\" takes no records: its file was removed or replaced "
                        "since it was opened."));
  }
  return session;
}

bool SqliteStore::is_writable() const {
  return opened_.condition.mode != StoreCondition::Mode::kReadOnly;
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

void SqliteStore::put_aside(const Session& session, RecordKind kind, const Digest& id) {
  if (!is_writable()) return;
  SqliteDatabase& database = *session.database;
  database.set_patience(kPatienceOfReaders);
  // One that stays is found damaged again.
  static_cast<void>(store::set_aside(database, kind, id));
  database.set_patience(kPatience);
}

}  // namespace halyard::store
