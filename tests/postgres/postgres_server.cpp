// SPDX-License-Identifier: Apache-2.0
#include "tests/postgres/postgres_server.h"

#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>

extern char** environ;

namespace halyard::testing {
namespace {

namespace fs = std::filesystem;

constexpr auto kOwner = "postgres";  // As whom the server runs where the tests run as root.

std::string find_programs() {
  for (const int version : {18, 17, 16, 15, 14, 13}) {
    const std::string folder = "/usr/lib/postgresql/" + std::to_string(version) + "/bin";
    if (fs::exists(folder + "/initdb")) return folder;
  }
  for (const char* const folder : {"/usr/bin", "/usr/local/bin"}) {
    if (fs::exists(std::string(folder) + "/initdb")) return folder;
  }
  return {};
}

std::optional<uid_t> owner_id() {
  const passwd* const entry = ::getpwnam(kOwner);
  return entry != nullptr ? std::optional(entry->pw_uid) : std::nullopt;
}

std::vector<std::string> as_owner_arguments() {
  if (::geteuid() != 0) return {};
  return {"/usr/bin/setpriv", "--reuid", kOwner, "--regid", kOwner, "--clear-groups"};
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Shared {
  std::unique_ptr<PostgresServer> server;
  std::string why_not;
  bool is_tried = false;
};

// Taken down with the test program, by the destructors of its statics.
Shared& shared() {
  static Shared one;
  return one;
}

}  // namespace

bool postgres_is_required() {
  const char* const data = std::getenv("HALYARD_TEST_DATA");
  return data != nullptr && *data != '\0';
}

PostgresServer* PostgresServer::get() {
  Shared& one = shared();
  if (one.is_tried) return one.server.get();
  one.is_tried = true;
  std::unique_ptr<PostgresServer> server(new PostgresServer);
  server->programs_ = find_programs();
  if (server->programs_.empty()) {
    one.why_not = "No PostgreSQL server is installed.";
  } else if (!server->start()) {
    one.why_not = "The PostgreSQL server does not start: " + read_all(server->directory_ + "/log");
  } else {
    one.server = std::move(server);
    return one.server.get();
  }
  std::cout << "[ LEFT OUT ] The PostgreSQL engine of the kernel store: " << one.why_not << '\n';
  return nullptr;
}

const std::string& PostgresServer::why_not() {
  return shared().why_not;
}

bool PostgresServer::is_installed() {
  return !find_programs().empty();
}

bool PostgresServer::run(std::vector<std::string> arguments, std::string* output) const {
  const std::vector<std::string> prefix = as_owner_arguments();
  arguments.insert(arguments.begin(), prefix.begin(), prefix.end());
  std::vector<char*> pointers;
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::string captured = (fs::temp_directory_path() / "halyard-psql-XXXXXX").string();
  const int file = ::mkostemp(captured.data(), O_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, file, 1);
  posix_spawn_file_actions_adddup2(&actions, file, 2);
  // The caller's folder may be closed to the other user.
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  pid_t child = 0;
  const int spawned =
      ::posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(file);
  int status = -1;
  if (spawned == 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  const std::string text = read_all(captured);
  ::unlink(captured.c_str());
  if (output != nullptr) *output = text;
  const bool is_done = spawned == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!is_done && output == nullptr) std::cerr << arguments.back() << ": " << text << '\n';
  return is_done;
}

bool PostgresServer::start_guardian() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  std::string as_owner;
  for (const std::string& word : as_owner_arguments())
    as_owner += word + " ";
  std::string script = "cat >/dev/null; " + as_owner + programs_ + "/pg_ctl --pgdata " +
                       directory_ + "/data --mode immediate --wait stop; rm -rf " + directory_;
  std::array<char*, 4> arguments = {const_cast<char*>("/bin/sh"), const_cast<char*>("-c"),
                                    script.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  const int spawned =
      ::posix_spawn(&guardian_, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  lifeline_ = ends[1];
  return spawned == 0;
}

bool PostgresServer::start() {
  std::string pattern = "/tmp/halyard-pg-XXXXXX";  // Short: it names a socket.
  if (::mkdtemp(pattern.data()) == nullptr) return false;
  directory_ = pattern;
  if (::geteuid() == 0) {
    const std::optional<uid_t> owner = owner_id();
    if (!owner || ::chown(directory_.c_str(), *owner, static_cast<gid_t>(-1)) != 0) return false;
  }
  if (!start_guardian()) return false;
  std::string output;
  const bool is_made =
      run({programs_ + "/initdb", "--pgdata", directory_ + "/data", "--username", "owner", "--auth",
           "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--data-checksums"},
          &output);
  if (!is_made) {
    std::ofstream(directory_ + "/log") << output;
    return false;
  }
  return run({programs_ + "/pg_ctl", "--pgdata", directory_ + "/data", "--log", directory_ + "/log",
              "--wait", "--options",
              "-c listen_addresses='' -c unix_socket_directories=" + directory_ +
                  " -c max_connections=150 -c fsync=on -c recovery_init_sync_method=syncfs -c "
                  "shared_buffers=64MB",
              "start"},
             &output);
}

PostgresServer::~PostgresServer() {
  if (lifeline_ < 0) return;
  ::close(lifeline_);
  int status = 0;
  while (::waitpid(guardian_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::string PostgresServer::fresh_database() {
  constexpr std::size_t kDatabases = 3;
  const std::string name = "store" + std::to_string(databases_ % kDatabases);
  const std::string url = "postgresql://owner@/" + name + "?host=" + directory_;
  const std::string admin = "postgresql://owner@/postgres?host=" + directory_;
  const bool is_made =
      databases_++ < kDatabases
          ? psql(admin, {"--command", "CREATE DATABASE " + name})
          : psql(url, {"--command",
                       "SET client_min_messages = warning; DROP SCHEMA IF EXISTS halyard CASCADE; "
                       "DROP SCHEMA public CASCADE; CREATE SCHEMA public"});
  return is_made ? url : std::string();
}

const std::string& PostgresServer::database_of(const std::string& key) {
  if (key != key_) {
    key_ = key;
    key_url_ = fresh_database();
  }
  return key_url_;
}

std::string PostgresServer::with_user(const std::string& url, std::string_view user) {
  std::string other = url;
  const std::string_view owner = "//owner@";
  other.replace(other.find(owner), owner.size(), "//" + std::string(user) + "@");
  return other;
}

bool PostgresServer::psql(const std::string& url, const std::vector<std::string>& arguments,
                          std::string* output) const {
  std::vector<std::string> line = {programs_ + "/psql", "--no-psqlrc", "--quiet",
                                   "--tuples-only",     "--no-align",  "--set",
                                   "ON_ERROR_STOP=1"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.push_back(url);
  return run(std::move(line), output);
}

std::string PostgresServer::query(const std::string& url, const std::string& sql) const {
  std::string output;
  if (!psql(url, {"--command", sql}, &output)) return "psql fails: " + output;
  return output.substr(0, output.find('\n'));
}

bool PostgresServer::restart_immediately() const {
  std::string output;
  return run({programs_ + "/pg_ctl", "--pgdata", directory_ + "/data", "--log", directory_ + "/log",
              "--mode", "immediate", "--wait", "restart"},
             &output);
}

}  // namespace halyard::testing
