// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_connection.h"

#include "kernel-store/postgres/postgres_error.h"
#include "runtime/base/text.h"

#include <poll.h>

#include <array>
#include <optional>
#include <utility>

namespace halyard::store {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;
using base::Result;
using base::Status;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kSilence{10};  // Beyond the patience, until the server is given up.

void ignore_notice(void*, const PGresult*) {}

bool is_readable(int socket, std::chrono::milliseconds wait) {
  pollfd waited{socket, POLLIN, 0};
  return ::poll(&waited, 1, static_cast<int>(wait.count())) > 0;
}

}  // namespace

PostgresConnection::PostgresConnection(const LibpqLibrary& libpq, PostgresUrl url)
    : libpq_(libpq),
      url_(std::move(url)) {}

PostgresConnection::~PostgresConnection() {
  disconnect();
}

void PostgresConnection::disconnect() {
  statements_.clear();
  if (connection_ != nullptr) libpq_.PQfinish(std::exchange(connection_, nullptr));
}

void PostgresConnection::abandon() {
  statements_.clear();
  connection_ = nullptr;
}

// A server that ends a session says so, and closes the socket.
bool PostgresConnection::is_connected() {
  if (connection_ == nullptr) return false;
  for (int i = 0; i < 100 && is_readable(libpq_.PQsocket(connection_), {}); ++i) {
    if (libpq_.PQconsumeInput(connection_) == 0) break;
  }
  if (libpq_.PQstatus(connection_) == CONNECTION_OK &&
      !is_readable(libpq_.PQsocket(connection_), {})) {
    return true;
  }
  disconnect();
  return false;
}

Status PostgresConnection::connect() {
  if (is_connected()) return base::ok();
  // What the URL says comes later, and wins; but for the last one.
  static constexpr auto kNames = std::to_array<const char*>(
      {"connect_timeout", "fallback_application_name", "keepalives_idle", "keepalives_interval",
       "keepalives_count", "tcp_user_timeout", "dbname", "client_encoding", nullptr});
  const auto values = std::to_array<const char*>(
      {"10", "halyard", "10", "5", "3", "30000", url_.text.c_str(), "UTF8", nullptr});
  static_assert(kNames.size() == std::tuple_size_v<decltype(values)>);
  connection_ = libpq_.PQconnectdbParams(kNames.data(), values.data(), 1);
  if (connection_ == nullptr) return Error(ErrorCode::kOutOfMemory, "The host is out of memory.");
  if (libpq_.PQstatus(connection_) != CONNECTION_OK) {
    const bool asks = libpq_.PQconnectionNeedsPassword(connection_) != 0;
    const std::string why = single_line(libpq_.PQerrorMessage(connection_));
    disconnect();
    return Error(asks ? ErrorCode::kPermissionDenied : ErrorCode::kUnavailable,
                 concat("The store \"", url_.visible, "\" does not open: ", why, "."));
  }
  libpq_.PQsetNoticeReceiver(connection_, &ignore_notice, nullptr);
  // Tables are those of our schema, whatever else the database holds.
  HALYARD_TRY(
      execute("SET search_path = halyard, pg_temp; SET bytea_output = 'hex'; "
              "SET lock_timeout = 0; SET idle_in_transaction_session_timeout = '10s'; "
              "SET default_transaction_isolation = 'read committed'"));
  return set_patience(patience_);
}

Status PostgresConnection::set_patience(std::chrono::seconds patience) {
  patience_ = patience;
  PostgresParameters parameters;
  const std::string text = concat(std::chrono::milliseconds(patience).count());
  parameters.add(text);
  HALYARD_TRY(run("SELECT set_config('statement_timeout', $1, false)", parameters));
  return base::ok();
}

Status PostgresConnection::require_connection() const {
  if (connection_ != nullptr) return base::ok();
  return Error(ErrorCode::kUnavailable,
               concat("The store \"", url_.visible, "\" is not connected."));
}

Error PostgresConnection::lost(std::string_view what, std::string_view why) {
  Error error(ErrorCode::kUnavailable, concat("The store \"", url_.visible, "\" is lost while it ",
                                              what, ": ", single_line(why), "."));
  disconnect();
  return error;
}

Error PostgresConnection::failure(const PGresult* result, std::string_view what) {
  const auto field = [&](int name) {
    const char* const text = libpq_.PQresultErrorField(result, name);
    return std::string(text != nullptr ? text : "");
  };
  const std::string state = field(PG_DIAG_SQLSTATE);
  if (state.empty() || libpq_.PQstatus(connection_) != CONNECTION_OK) {
    const std::string why = field(PG_DIAG_MESSAGE_PRIMARY);
    return lost(what, why.empty() ? libpq_.PQerrorMessage(connection_) : why);
  }
  return Error(error_code_of_sqlstate(state),
               concat("The store \"", url_.visible, "\" fails: ",
                      single_line(field(PG_DIAG_MESSAGE_PRIMARY)), " (SQLSTATE ", state, ")."));
}

Result<PostgresRows> PostgresConnection::wait(std::string_view what) {
  const auto deadline = steady_clock::now() + patience_ + kSilence;
  std::optional<PostgresRows> last;
  std::optional<Error> failed;
  while (true) {
    while (libpq_.PQisBusy(connection_) != 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - steady_clock::now());
      if (left.count() <= 0 || !is_readable(libpq_.PQsocket(connection_), left)) {
        if (steady_clock::now() < deadline) continue;  // A signal woke the thread.
        return lost(
            what, concat("the server has not answered for ", (patience_ + kSilence).count(), " s"));
      }
      if (libpq_.PQconsumeInput(connection_) == 0) {
        return lost(what, libpq_.PQerrorMessage(connection_));
      }
    }
    PGresult* const result = libpq_.PQgetResult(connection_);
    if (result == nullptr) break;
    PostgresRows rows(libpq_, result);
    const ExecStatusType status = libpq_.PQresultStatus(result);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
      last.emplace(std::move(rows));
    } else if (!failed) {
      failed = failure(result, what);
      if (connection_ == nullptr) return *failed;
    }
  }
  if (failed) return std::move(*failed);
  if (!last) return lost(what, libpq_.PQerrorMessage(connection_));
  return std::move(*last);
}

Result<std::string> PostgresConnection::prepare(std::string_view sql) {
  const auto found = statements_.find(sql);
  if (found != statements_.end()) return found->second;
  const std::string name = concat("halyard_", statements_.size());
  if (libpq_.PQsendPrepare(connection_, name.c_str(), std::string(sql).c_str(), 0, nullptr) == 0) {
    return lost("takes a statement", libpq_.PQerrorMessage(connection_));
  }
  HALYARD_TRY(wait("prepares a statement"));
  return statements_.emplace(sql, name).first->second;
}

Result<PostgresRows> PostgresConnection::run(std::string_view sql,
                                             const PostgresParameters& parameters) {
  HALYARD_TRY(require_connection());
  if (!parameters.fits()) {
    return Error(ErrorCode::kInvalidArgument,
                 "A value of 2 GiB or more does not fit into a store on a server.");
  }
  HALYARD_TRY_ASSIGN(const std::string name, prepare(sql));
  if (libpq_.PQsendQueryPrepared(connection_, name.c_str(), parameters.count(), parameters.values(),
                                 parameters.lengths(), parameters.formats(), 1) == 0) {
    return lost("takes a statement", libpq_.PQerrorMessage(connection_));
  }
  return wait("works on a statement");
}

Status PostgresConnection::execute(const std::string& script) {
  HALYARD_TRY(require_connection());
  if (libpq_.PQsendQuery(connection_, script.c_str()) == 0) {
    return lost("takes a statement", libpq_.PQerrorMessage(connection_));
  }
  HALYARD_TRY(wait("works on a statement"));
  return base::ok();
}

Result<PostgresTransaction> PostgresTransaction::begin(PostgresConnection& connection,
                                                       const std::string& begin) {
  PostgresTransaction transaction(&connection);
  HALYARD_TRY(connection.execute(begin));
  return transaction;
}

PostgresTransaction::PostgresTransaction(PostgresTransaction&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)) {}

PostgresTransaction::~PostgresTransaction() {
  // Where the connection is lost, the server rolls back.
  if (connection_ == nullptr) return;
  if (!connection_->execute("ROLLBACK")) connection_->disconnect();
}

Status PostgresTransaction::commit() {
  PostgresConnection* const connection = std::exchange(connection_, nullptr);
  Status committed = connection->execute("COMMIT");
  // A transaction that does not end is left to the server, which rolls it back with the session.
  if (!committed) connection->disconnect();
  return committed;
}

}  // namespace halyard::store
