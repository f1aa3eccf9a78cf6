// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/result.h"
#include "runtime/base/sha256.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace halyard::store {

// One run of a prepared statement; resets it when it goes. A failed bind is reported by the next
// step. Text and blobs of a column live until the next step.
class SqliteQuery {
 public:
  SqliteQuery(sqlite3* database, sqlite3_stmt* statement, const std::string* name);
  SqliteQuery(SqliteQuery&& other) noexcept;
  SqliteQuery& operator=(SqliteQuery&&) = delete;
  ~SqliteQuery();

  // Parameters are bound in order, the first call to the first one. Text and bytes are copied.
  SqliteQuery& bind(std::int64_t value);
  SqliteQuery& bind(std::string_view text);
  SqliteQuery& bind(const char* text) { return bind(std::string_view(text)); }
  SqliteQuery& bind(std::span<const std::byte> bytes);
  template <std::size_t Size>
  SqliteQuery& bind(const std::array<std::uint8_t, Size>& values) {
    return bind(std::as_bytes(std::span(values)));
  }
  SqliteQuery& bind_null();

  // True when there is a row.
  base::Result<bool> step();
  // Steps to the end, past any rows.
  base::Status run();

  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  std::span<const std::byte> bytes(int column) const;
  base::Sha256Digest digest(int column) const { return array<32>(column); }
  // Zeros when the column does not hold Size bytes.
  template <std::size_t Size>
  std::array<std::uint8_t, Size> array(int column) const {
    std::array<std::uint8_t, Size> values{};
    const std::span<const std::byte> found = bytes(column);
    if (found.size() == Size) std::memcpy(values.data(), found.data(), Size);
    return values;
  }
  bool is_null(int column) const;

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_;
  const std::string* name_;
  int next_parameter_ = 1;
  int bind_code_ = 0;
};

// How long a verb waits for other processes unless it is told otherwise.
inline constexpr std::chrono::milliseconds kPatience{10'000};

// A connection with its prepared statements. One thread at a time.
class SqliteDatabase {
 public:
  enum class Access : std::uint8_t { kReadWrite, kReadOnly, kImmutable };

  // `path` may be ":memory:". A file that is not there is made, with mode 0600, by kReadWrite only.
  // Errors: kPermissionDenied for a file that cannot be opened in this way.
  static base::Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path, Access access);
  ~SqliteDatabase();
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  // Prepares `sql` at its first use; it must be a literal.
  base::Result<SqliteQuery> query(std::string_view sql);
  // Runs several statements of text that is part of the program.
  base::Status execute(const std::string& script);
  // The first column of the first row.
  base::Result<std::int64_t> integer_of(std::string_view sql);
  base::Result<std::string> text_of(std::string_view sql);
  // Rows that the last statement changed.
  std::int64_t changes() const;
  // The key of the last row that was inserted into a table that has one.
  std::int64_t last_row() const;

  const std::string& path() const { return path_; }
  // How long a verb waits for other users of the file. Once that was in vain, as when one of them
  // is stopped, verbs wait no more than 100 ms for a minute, or until a transaction begins.
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
  // Whether another file or none has the path by now.
  bool has_moved() const;
  // Replaces all of this database by a copy of `other`.
  base::Status copy_from(const SqliteDatabase& other);

  // Leaves the connection unclosed: in a child of fork(), closing would touch the parent's locks.
  void abandon();

 private:
  friend class SqliteTransaction;
  using Clock = std::chrono::steady_clock;

  SqliteDatabase(sqlite3* database, std::string path);
  // SQLite's question whether to try again, after `turns` of the same wait.
  static int wait_again(void* database, int turns);

  sqlite3* database_;
  std::string path_;
  std::chrono::milliseconds patience_ = kPatience;
  Clock::time_point give_up_;        // The wait that is going on.
  Clock::time_point hurry_until_{};  // After a wait in vain.
  std::unordered_map<std::string_view, sqlite3_stmt*> statements_;
};

// BEGIN IMMEDIATE; rolled back when it goes without a commit.
class SqliteTransaction {
 public:
  static base::Result<SqliteTransaction> begin(SqliteDatabase& database);
  SqliteTransaction(SqliteTransaction&& other) noexcept;
  SqliteTransaction& operator=(SqliteTransaction&&) = delete;
  ~SqliteTransaction();

  base::Status commit();

 private:
  explicit SqliteTransaction(SqliteDatabase* database) : database_(database) {}

  SqliteDatabase* database_;
};

}  // namespace halyard::store
