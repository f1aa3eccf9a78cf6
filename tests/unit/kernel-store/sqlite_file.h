// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/open_store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// Stores in files, and what others do to the files.
namespace halyard::store::testing {

inline std::unique_ptr<KernelStore> open(const std::string& path) {
  auto store = open_store("sqlite:" + path);
  EXPECT_TRUE(store);
  return std::move(*store);
}

// Runs SQL on the file with a connection of its own.
inline void tamper(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
  sqlite3_close(database);
}

inline std::int64_t count(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr), SQLITE_OK) << sql;
  EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW) << sql;
  const std::int64_t value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

// Runs `child` in a process of its own; true when it returned true.
inline bool in_child(const std::function<bool()>& child) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(child() ? 0 : 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// To a user that may write nowhere; root is not stopped by permission bits.
inline bool become_nobody() {
  return ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
}

}  // namespace halyard::store::testing
