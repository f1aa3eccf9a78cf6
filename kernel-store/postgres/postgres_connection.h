// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/postgres/libpq_library.h"
#include "kernel-store/postgres/postgres_parameters.h"
#include "kernel-store/postgres/postgres_rows.h"
#include "kernel-store/postgres/postgres_url.h"
#include "runtime/base/result.h"

#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>

namespace halyard::store {

// One connection to a server, with its prepared statements. A connection that is lost (cut,
// restarted server, no answer) gives kUnavailable and is made anew by the next connect().
//
// Errors of each verb: by error_code_of_sqlstate(), with the server's sentence and the URL without
// its password. Threads: one at a time.
class PostgresConnection {
 public:
  // How long the server may work on a statement. A server that does not answer at all is given up
  // somewhat later.
  static constexpr std::chrono::seconds kPatience{30};

  PostgresConnection(const LibpqLibrary& libpq, PostgresUrl url);
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;
  ~PostgresConnection();

  const std::string& visible_url() const { return url_.visible; }

  // True when there was a connection that still lives; a lost one is noticed here.
  bool is_connected();
  // Makes a connection where there is none.
  base::Status connect();
  void disconnect();
  // Leaves the connection unclosed: in a child of fork() it is the parent's.
  void abandon();

  // Runs one statement. `sql` must be a literal: it is prepared at its first use.
  base::Result<PostgresRows> run(std::string_view sql, const PostgresParameters& parameters = {});
  // Runs several statements of text that is part of the program.
  base::Status execute(const std::string& script);

  // Lets statements of this connection take this long, from its next transaction on.
  base::Status set_patience(std::chrono::seconds patience);

 private:
  base::Status require_connection() const;
  base::Result<std::string> prepare(std::string_view sql);
  // Waits for all results of what was sent, and gives the last, or the first failure.
  base::Result<PostgresRows> wait(std::string_view what);
  base::Error lost(std::string_view what, std::string_view why);
  base::Error failure(const PGresult* result, std::string_view what);

  LibpqLibrary libpq_;
  PostgresUrl url_;
  std::chrono::seconds patience_ = kPatience;
  PGconn* connection_ = nullptr;
  std::unordered_map<std::string_view, std::string> statements_;
};

// A transaction, rolled back when it goes without a commit.
class PostgresTransaction {
 public:
  // `begin` is a literal that starts with BEGIN.
  static base::Result<PostgresTransaction> begin(PostgresConnection& connection,
                                                 const std::string& begin = "BEGIN");
  PostgresTransaction(PostgresTransaction&& other) noexcept;
  PostgresTransaction& operator=(PostgresTransaction&&) = delete;
  ~PostgresTransaction();

  // Errors: kUnavailable when the connection is lost meanwhile: then the change may be kept or not.
  base::Status commit();

 private:
  explicit PostgresTransaction(PostgresConnection* connection) : connection_(connection) {}

  PostgresConnection* connection_;
};

}  // namespace halyard::store
