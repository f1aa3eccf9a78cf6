// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace halyard::testing {

// A PostgreSQL server for the tests of one process: in a temporary folder, on a socket in it and on
// no network, with fsync on. It goes with all that it holds. As root, it runs as another user.
class PostgresServer {
 public:
  // The server of this process, started at the first call; NULL where none is installed or it does
  // not start, and then `why_not()` tells.
  static PostgresServer* get();
  static const std::string& why_not();
  // Whether there is a program to start; starts nothing.
  static bool is_installed();

  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The URL of an empty database. The third call after this one empties it again: making one takes
  // longer, and so does a crash of a server that has many.
  std::string fresh_database();
  // The same database for one key after another, empty at the first call of each.
  const std::string& database_of(const std::string& key);
  // The same database as another role, without a password.
  static std::string with_user(const std::string& url, std::string_view user);

  // Runs psql on a database; false when it fails. `output` gets what it printed.
  bool psql(const std::string& url, const std::vector<std::string>& arguments,
            std::string* output = nullptr) const;
  // Runs SQL, and gives the first column of the first row.
  std::string query(const std::string& url, const std::string& sql) const;

  // Ends all sessions at once, as a crash would, and starts again.
  bool restart_immediately() const;

 private:
  PostgresServer() = default;
  // A process that stops the server and removes its folder when this process ends, however it ends.
  bool start_guardian();
  bool start();
  bool run(std::vector<std::string> arguments, std::string* output = nullptr) const;

  std::string programs_;       // The folder of initdb and pg_ctl.
  std::string directory_;      // Of the data and the socket.
  std::size_t databases_ = 0;  // That were asked for.
  std::string key_;            // Of database_of().
  std::string key_url_;
  int lifeline_ = -1;  // The end of a pipe that the guardian waits at.
  int guardian_ = 0;   // Its process.
};

// A failure in a run that must cover everything (HALYARD_TEST_DATA is set), else a line that says
// what is left out; then the test skips.
#define HALYARD_REQUIRE_POSTGRES(server)                                                        \
  ::halyard::testing::PostgresServer* const server = ::halyard::testing::PostgresServer::get(); \
  if (server == nullptr) {                                                                      \
    if (::halyard::testing::postgres_is_required()) {                                           \
      FAIL() << ::halyard::testing::PostgresServer::why_not();                                  \
    }                                                                                           \
    GTEST_SKIP() << ::halyard::testing::PostgresServer::why_not();                              \
  }

bool postgres_is_required();

}  // namespace halyard::testing
