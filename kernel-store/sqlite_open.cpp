// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_open.h"

#include "kernel-store/sqlite_schema.h"
#include "runtime/base/file.h"
#include "runtime/base/text.h"

#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

namespace halyard::store {
namespace {

namespace fs = std::filesystem;
using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using Access = SqliteDatabase::Access;
using Mode = StoreCondition::Mode;

constexpr std::int64_t kApplicationId = 0x484c5944;  // "HLYD".

std::int64_t newest_version() {
  return static_cast<std::int64_t>(sqlite_migrations().size());
}

// The name of the network file system that holds the directory; empty for none. There one machine
// does not see the locks and the shared memory of another, so a store that both write is lost.
std::string_view network_file_system(const std::string& directory) {
  struct Type {
    std::uint64_t number;
    std::string_view name;
  };
  static constexpr auto kTypes = std::to_array<Type>({
      {0x6969, "NFS"},
      {0xff534d42, "CIFS"},
      {0xfe534d42, "SMB"},
      {0x517b, "SMB"},
      {0x5346414f, "AFS"},
      {0x00c36400, "Ceph"},
      {0x0bd00bd0, "Lustre"},
      {0x47504653, "GPFS"},
      {0x7461636f, "OCFS2"},
      {0x01161970, "GFS2"},
      {0x73757245, "Coda"},
  });
  struct statfs facts {};
  if (::statfs(directory.c_str(), &facts) != 0) return {};
  const auto type = static_cast<std::uint64_t>(facts.f_type) & 0xffffffffU;
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](const Type& each) { return each.number == type; });
  return found == kTypes.end() ? std::string_view() : found->name;
}

// Write-ahead logging needs memory that all users of the file share, which these may not have:
// FUSE and 9P.
bool has_shared_memory(const std::string& directory) {
  struct statfs facts {};
  if (::statfs(directory.c_str(), &facts) != 0) return true;
  const auto type = static_cast<std::uint64_t>(facts.f_type) & 0xffffffffU;
  return type != 0x65735546 && type != 0x01021997;
}

// Changing the mode does not wait for other users of the file, so it is tried again while they are
// busy. What comes of it is read back; both modes are correct.
Status choose_journal(SqliteDatabase& database, bool allow_wal) {
  const std::string_view change =
      allow_wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE";
  for (int attempt = 0; attempt < 100; ++attempt) {
    HALYARD_TRY_ASSIGN(const std::string present, database.text_of("PRAGMA journal_mode"));
    if (present == (allow_wal ? "wal" : "delete")) return base::ok();
    const Result<std::string> changed = database.text_of(change);
    if (changed && (*changed == "wal" || *changed == "delete" || *changed == "memory")) {
      return base::ok();
    }
    if (!changed && changed.error().code() != ErrorCode::kUnavailable) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return database.execute("PRAGMA journal_mode = DELETE");
}

// Whether the file is a store of ours, or still empty. The tables are counted first: another
// process that makes the store commits them and the id together.
Status check_ownership(SqliteDatabase& database, const std::string& path) {
  HALYARD_TRY_ASSIGN(const std::int64_t tables,
                     database.integer_of("SELECT count(*) FROM sqlite_schema"));
  HALYARD_TRY_ASSIGN(const std::int64_t owner, database.integer_of("PRAGMA application_id"));
  if (owner == kApplicationId || (owner == 0 && tables == 0)) return base::ok();
  return Error(ErrorCode::kCorruptData,
               concat("\"", path, "\" is an SQLite database of another program (application id ",
                      owner, ", ", tables, " tables and indexes), not a Halyard store."));
}

// Of a file that anybody may have made.
Result<std::int64_t> version_of(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(const std::int64_t version, database.integer_of("PRAGMA user_version"));
  if (version >= 0) return version;
  return Error(ErrorCode::kCorruptData,
               concat("The store \"", database.path(), "\" has the schema ", version,
                      ", which is below 0."));
}

Status migrate(SqliteDatabase& database) {
  HALYARD_TRY_ASSIGN(const std::int64_t seen, version_of(database));
  if (seen >= newest_version()) return base::ok();
  HALYARD_TRY_ASSIGN(SqliteTransaction transaction, SqliteTransaction::begin(database));
  HALYARD_TRY_ASSIGN(const std::int64_t version, version_of(database));
  if (version >= newest_version()) return base::ok();
  for (std::int64_t next = version; next < newest_version(); ++next) {
    HALYARD_TRY(database.execute(sqlite_migrations()[static_cast<std::size_t>(next)]));
  }
  HALYARD_TRY(database.execute(concat("PRAGMA application_id = ", kApplicationId)));
  HALYARD_TRY(database.execute(concat("PRAGMA user_version = ", newest_version())));
  return transaction.commit();
}

// A copy in memory with the newest schema, of a store whose own cannot be brought up to date.
Result<std::unique_ptr<SqliteDatabase>> copy_to_memory(const SqliteDatabase& older) {
  HALYARD_TRY_ASSIGN(std::unique_ptr<SqliteDatabase> copy,
                     SqliteDatabase::open(":memory:", Access::kReadWrite));
  HALYARD_TRY(copy->copy_from(older));
  HALYARD_TRY(migrate(*copy));
  return copy;
}

Result<OpenedSqlite> open_read_only_by(Access access, const std::string& path,
                                       const std::string& reason) {
  HALYARD_TRY_ASSIGN(std::unique_ptr<SqliteDatabase> database, SqliteDatabase::open(path, access));
  HALYARD_TRY(check_ownership(*database, path));
  HALYARD_TRY_ASSIGN(const std::int64_t version, version_of(*database));
  if (version == 0) {
    HALYARD_TRY_ASSIGN(database, SqliteDatabase::open(":memory:", Access::kReadWrite));
    HALYARD_TRY(migrate(*database));
  } else if (version < newest_version()) {
    HALYARD_TRY_ASSIGN(database, copy_to_memory(*database));
  }
  return OpenedSqlite{std::move(database), {Mode::kReadOnly, reason}};
}

// The log of a database in a directory that cannot be written is not readable in the usual way.
Result<OpenedSqlite> open_read_only(const std::string& path, const std::string& reason) {
  Result<OpenedSqlite> opened = open_read_only_by(Access::kReadOnly, path, reason);
  if (opened) return opened;
  const ErrorCode code = opened.error().code();
  if (code != ErrorCode::kIoError && code != ErrorCode::kPermissionDenied) return opened;
  return open_read_only_by(Access::kImmutable, path, reason);
}

Result<OpenedSqlite> open_without_writing(const std::string& path, std::string reason) {
  std::error_code code;
  if (fs::exists(path, code)) return open_read_only(path, reason);
  return open_sqlite_in_memory(std::move(reason));
}

// Without locks, so what another machine writes meanwhile may read as damaged.
Result<OpenedSqlite> open_on_network(const std::string& path, std::string reason) {
  std::error_code code;
  if (fs::exists(path, code)) return open_read_only_by(Access::kImmutable, path, reason);
  return open_sqlite_in_memory(std::move(reason));
}

}  // namespace

Result<OpenedSqlite> open_sqlite_in_memory(std::string reason) {
  HALYARD_TRY_ASSIGN(std::unique_ptr<SqliteDatabase> database,
                     SqliteDatabase::open(":memory:", Access::kReadWrite));
  HALYARD_TRY(database->execute("PRAGMA foreign_keys = ON"));
  HALYARD_TRY(migrate(*database));
  return OpenedSqlite{std::move(database), {Mode::kMemory, std::move(reason)}};
}

Result<OpenedSqlite> open_sqlite(const std::string& path) {
  std::string directory = fs::path(path).parent_path().string();
  if (directory.empty()) directory = ".";
  if (const Status made = base::make_private_directories(directory); !made) {
    return open_without_writing(path, made.error().message());
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    return open_without_writing(path, concat("Directory \"", directory, "\" is not writable."));
  }
  if (const std::string_view network = network_file_system(directory); !network.empty()) {
    return open_on_network(
        path, concat("Directory \"", directory, "\" is on a network file system (", network,
                     "), where a store is not written."));
  }
  Result<std::unique_ptr<SqliteDatabase>> opened = SqliteDatabase::open(path, Access::kReadWrite);
  if (!opened) {
    if (opened.error().code() != ErrorCode::kPermissionDenied) return std::move(opened.error());
    return open_without_writing(path, opened.error().message());
  }
  SqliteDatabase& database = **opened;
  HALYARD_TRY(check_ownership(database, path));
  HALYARD_TRY_ASSIGN(const std::int64_t version, version_of(database));
  if (version > newest_version()) {
    opened->reset();
    return open_read_only(
        path, concat("\"", path, "\" has schema ", version, " of a newer Halyard; this one knows ",
                     newest_version(), " and only reads it."));
  }
  HALYARD_TRY(choose_journal(database, has_shared_memory(directory)));
  // Every commit is on the disk when it returns; were one not, and then a sync failed, what that
  // one wrote would be missing in the log between commits that count. EXTRA syncs the directory
  // too, without which a rollback journal may come back.
  HALYARD_TRY(database.execute("PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON"));
  HALYARD_TRY(migrate(database));
  return OpenedSqlite{std::move(*opened), {Mode::kReadWrite, {}}};
}

}  // namespace halyard::store
