// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_database.h"

#include "runtime/base/text.h"

#include <sqlite3.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

constexpr std::chrono::milliseconds kHurry{100};
constexpr std::chrono::seconds kHurryTime{60};

ErrorCode error_code_of(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::kUnavailable;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::kCorruptData;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return ErrorCode::kPermissionDenied;
    case SQLITE_NOMEM:
      return ErrorCode::kOutOfMemory;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
      return ErrorCode::kIoError;
    case SQLITE_TOOBIG:
      return ErrorCode::kInvalidArgument;
    default:
      return ErrorCode::kInternal;
  }
}

// What the system says of a failure that SQLite only calls one of the disk; else empty.
std::string system_reason(sqlite3* database, int code) {
  if (database == nullptr || (code != SQLITE_IOERR && code != SQLITE_CANTOPEN)) return {};
  const int error = sqlite3_system_errno(database);
  return error == 0 ? std::string() : concat(": ", std::strerror(error));
}

Error sqlite_error(sqlite3* database, int code, const std::string& path) {
  const char* const text = database != nullptr && (sqlite3_errcode(database) & 0xff) == code
                               ? sqlite3_errmsg(database)
                               : sqlite3_errstr(code);
  const int extended = database != nullptr ? sqlite3_extended_errcode(database) : code;
  return Error(error_code_of(code),
               concat("The store \"", path, "\" fails: ", text, system_reason(database, code),
                      " (SQLite code ", extended, ")."));
}

Error open_error(const std::string& path, int error) {
  const bool denied = error == EACCES || error == EPERM || error == EROFS;
  return Error(denied ? ErrorCode::kPermissionDenied : ErrorCode::kIoError,
               concat("The store \"", path, "\" does not open: ", std::strerror(error), "."));
}

// Makes the regular file unless it is there. It gets its name only once it is closed: to close a
// file of which this process has a database open would end that database's locks.
base::Status make_private_file(const std::string& path) {
  struct stat facts = {};
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("The store \"", path, "\" does not open: it is no regular file."));
  }
  if (::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) == 0) return base::ok();
  if (errno != ENOENT) return open_error(path, errno);
  std::string fresh = path + ".XXXXXX";
  const int file = ::mkostemp(fresh.data(), O_CLOEXEC);  // Mode 0600.
  if (file < 0) return open_error(path, errno);
  ::close(file);
  const int failed = ::link(fresh.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(fresh.c_str());
  return failed == 0 || failed == EEXIST ? base::ok() : open_error(path, failed);
}

// Bytes of a path that have a meaning in a URI are escaped.
std::string immutable_uri(const std::string& path) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '?' || c == '#' || c == '%') {
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4];
      uri += kHex[byte & 15];
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

SqliteQuery::SqliteQuery(sqlite3* database, sqlite3_stmt* statement, const std::string* name)
    : database_(database),
      statement_(statement),
      name_(name) {}

SqliteQuery::SqliteQuery(SqliteQuery&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      name_(other.name_),
      next_parameter_(other.next_parameter_),
      bind_code_(other.bind_code_) {}

SqliteQuery::~SqliteQuery() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

SqliteQuery& SqliteQuery::bind(std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_, next_parameter_++, value);
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
  return *this;
}

SqliteQuery& SqliteQuery::bind(std::string_view text) {
  const char* const data = text.data() != nullptr ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_, next_parameter_++, data, text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
  return *this;
}

SqliteQuery& SqliteQuery::bind(std::span<const std::byte> bytes) {
  const void* const data = bytes.data() != nullptr ? static_cast<const void*>(bytes.data()) : "";
  const int code =
      sqlite3_bind_blob64(statement_, next_parameter_++, data, bytes.size(), SQLITE_TRANSIENT);
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
  return *this;
}

SqliteQuery& SqliteQuery::bind_null() {
  const int code = sqlite3_bind_null(statement_, next_parameter_++);
  if (bind_code_ == SQLITE_OK) bind_code_ = code;
  return *this;
}

base::Result<bool> SqliteQuery::step() {
  if (bind_code_ != SQLITE_OK) return sqlite_error(database_, bind_code_, *name_);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return sqlite_error(database_, code & 0xff, *name_);
}

base::Status SqliteQuery::run() {
  while (true) {
    HALYARD_TRY_ASSIGN(const bool row, step());
    if (!row) return base::ok();
  }
}

std::int64_t SqliteQuery::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view SqliteQuery::text(int column) const {
  const auto* const text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::span<const std::byte> SqliteQuery::bytes(int column) const {
  const auto* const data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

bool SqliteQuery::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

SqliteDatabase::SqliteDatabase(sqlite3* database, std::string path)
    : database_(database),
      path_(std::move(path)) {}

SqliteDatabase::~SqliteDatabase() {
  for (const auto& [sql, statement] : statements_)
    sqlite3_finalize(statement);
  sqlite3_close_v2(database_);
}

base::Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path,
                                                                   Access access) {
  if (access == Access::kReadWrite && path != ":memory:") HALYARD_TRY(make_private_file(path));
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= access == Access::kReadWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                        : SQLITE_OPEN_READONLY;
  std::string name = path;
  if (access == Access::kImmutable) {
    name = immutable_uri(path);
    flags |= SQLITE_OPEN_URI;
  }
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(handle, path));
  if (code != SQLITE_OK) return sqlite_error(handle, code & 0xff, path);
  // SQLite opens what it cannot write for reading.
  if (access == Access::kReadWrite && sqlite3_db_readonly(handle, "main") == 1) {
    return Error(ErrorCode::kPermissionDenied,
                 concat("The store \"", path, "\" opens for reading only."));
  }
  sqlite3_busy_handler(handle, &wait_again, database.get());
  HALYARD_TRY(database->execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"));
  return database;
}

base::Result<SqliteQuery> SqliteDatabase::query(std::string_view sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return sqlite_error(database_, code & 0xff, path_);
    found = statements_.emplace(sql, statement).first;
  }
  return SqliteQuery(database_, found->second, &path_);
}

base::Status SqliteDatabase::execute(const std::string& script) {
  const int code = sqlite3_exec(database_, script.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return sqlite_error(database_, code & 0xff, path_);
  return base::ok();
}

base::Result<std::int64_t> SqliteDatabase::integer_of(std::string_view sql) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, query(sql));
  HALYARD_TRY_ASSIGN(const bool row, rows.step());
  return row ? rows.integer(0) : 0;
}

base::Result<std::string> SqliteDatabase::text_of(std::string_view sql) {
  HALYARD_TRY_ASSIGN(SqliteQuery rows, query(sql));
  HALYARD_TRY_ASSIGN(const bool row, rows.step());
  return row ? std::string(rows.text(0)) : std::string();
}

std::int64_t SqliteDatabase::changes() const {
  return sqlite3_changes64(database_);
}

std::int64_t SqliteDatabase::last_row() const {
  return sqlite3_last_insert_rowid(database_);
}

int SqliteDatabase::wait_again(void* database, int turns) {
  auto& self = *static_cast<SqliteDatabase*>(database);
  const Clock::time_point now = Clock::now();
  if (turns == 0) {
    self.give_up_ =
        now + (now < self.hurry_until_ ? std::min(self.patience_, kHurry) : self.patience_);
  }
  if (now >= self.give_up_) {
    if (now >= self.hurry_until_ && self.patience_ > kHurry) self.hurry_until_ = now + kHurryTime;
    return 0;
  }
  const std::chrono::milliseconds pause(std::min(1 + 4 * turns, 50));
  std::this_thread::sleep_until(std::min(self.give_up_, now + pause));
  return 1;
}

bool SqliteDatabase::has_moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(database_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK && moved != 0;
}

base::Status SqliteDatabase::copy_from(const SqliteDatabase& other) {
  sqlite3_backup* const copy = sqlite3_backup_init(database_, "main", other.database_, "main");
  if (copy == nullptr) return sqlite_error(database_, sqlite3_errcode(database_) & 0xff, path_);
  const int stepped = sqlite3_backup_step(copy, -1);
  const int finished = sqlite3_backup_finish(copy);
  if (stepped == SQLITE_DONE && finished == SQLITE_OK) return base::ok();
  return sqlite_error(database_, (stepped == SQLITE_DONE ? finished : stepped) & 0xff, other.path_);
}

void SqliteDatabase::abandon() {
  statements_.clear();
  database_ = nullptr;
}

base::Result<SqliteTransaction> SqliteTransaction::begin(SqliteDatabase& database) {
  HALYARD_TRY(database.execute("BEGIN IMMEDIATE"));
  database.hurry_until_ = {};
  return SqliteTransaction(&database);
}

SqliteTransaction::SqliteTransaction(SqliteTransaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

SqliteTransaction::~SqliteTransaction() {
  // A failed rollback means that SQLite has rolled back already.
  if (database_ != nullptr) static_cast<void>(database_->execute("ROLLBACK"));
}

base::Status SqliteTransaction::commit() {
  HALYARD_TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return base::ok();
}

}  // namespace halyard::store
