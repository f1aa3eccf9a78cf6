// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_connection.h"

#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using ::testing::Not;

std::string cut_others(const halyard::testing::PostgresServer& server, const std::string& url) {
  return server.query(url,
                      "SELECT count(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE "
                      "datname = current_database() AND pid <> pg_backend_pid()");
}

TEST(PostgresConnection, ValuesComeBackAsTheyWent) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto connection = testing::make_connection(server->fresh_database());
  ASSERT_TRUE(connection->connect());
  const std::array<std::byte, 3> bytes = {std::byte{0}, std::byte{0xff}, std::byte{'\''}};
  const std::array<std::string_view, 3> list = {"a", "", "},{\"\\"};
  PostgresParameters values;
  values.add(std::numeric_limits<std::int64_t>::min())
      .add("'); DROP TABLE kernels; --")
      .add(std::span<const std::byte>(bytes))
      .add(list)
      .add_null();
  const auto rows = connection->run(
      "SELECT $1::bigint, $2::text, $3::bytea, ($4::text[])[3], $5::text, "
      "cardinality($4::text[])::bigint, true",
      values);
  ASSERT_TRUE(rows) << rows.error().message();
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->integer(0, 0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(rows->text(0, 1), "'); DROP TABLE kernels; --");
  EXPECT_TRUE(std::ranges::equal(rows->bytes(0, 2), bytes));
  EXPECT_EQ(rows->text(0, 3), "},{\"\\");
  EXPECT_TRUE(rows->is_null(0, 4));
  EXPECT_EQ(rows->integer(0, 5), 3);
  EXPECT_TRUE(rows->boolean(0, 6));
}

TEST(PostgresConnection, FailureNamesStoreReasonAndState) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto connection = testing::make_connection(server->fresh_database());
  ASSERT_TRUE(connection->connect());
  const auto rows = connection->run("SELECT * FROM nothing");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kCorruptData);
  EXPECT_THAT(rows.error().message(),
              HasSubstr("fails: relation \"nothing\" does not exist (SQLSTATE 42P01)."));
  EXPECT_THAT(rows.error().message(), HasSubstr(connection->visible_url()));
  EXPECT_TRUE(connection->is_connected());
  EXPECT_TRUE(connection->run("SELECT 1"));
}

TEST(PostgresConnection, TextThatIsNoTextIsRefused) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto connection = testing::make_connection(server->fresh_database());
  ASSERT_TRUE(connection->connect());
  PostgresParameters values;
  values.add(std::string_view("a\0b", 3));
  const auto rows = connection->run("SELECT $1::text", values);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kInvalidArgument);
}

TEST(PostgresConnection, SlowStatementIsUnavailable) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto connection = testing::make_connection(server->fresh_database());
  ASSERT_TRUE(connection->connect());
  ASSERT_TRUE(connection->set_patience(std::chrono::seconds(1)));
  const auto rows = connection->run("SELECT pg_sleep(60)");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(rows.error().message(), HasSubstr("statement timeout (SQLSTATE 57014)"));
}

TEST(PostgresConnection, CutConnectionIsNoticedAndMadeAnew) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto connection = testing::make_connection(url);
  ASSERT_TRUE(connection->connect());
  ASSERT_EQ(cut_others(*server, url), "1");
  const auto cut = connection->run("SELECT 1");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(cut.error().message(), HasSubstr("is lost while it"));
  EXPECT_FALSE(connection->is_connected());
  EXPECT_EQ(connection->run("SELECT 1").error().code(), ErrorCode::kUnavailable);
  ASSERT_TRUE(connection->connect());
  EXPECT_TRUE(connection->run("SELECT 1"));
  ASSERT_EQ(cut_others(*server, url), "1");
  EXPECT_FALSE(connection->is_connected());
  EXPECT_TRUE(connection->connect());
}

TEST(PostgresConnection, TransactionThatGoesIsRolledBack) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto connection = testing::make_connection(server->fresh_database());
  ASSERT_TRUE(connection->connect());
  ASSERT_TRUE(connection->execute("CREATE SCHEMA halyard; CREATE TABLE halyard.kept (n bigint)"));
  {
    auto transaction = PostgresTransaction::begin(*connection);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(connection->run("INSERT INTO kept VALUES (1)"));
  }
  auto transaction = PostgresTransaction::begin(*connection);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE(connection->run("INSERT INTO kept VALUES (2)"));
  ASSERT_TRUE(transaction->commit());
  const auto rows = connection->run("SELECT n FROM kept");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->integer(0, 0), 2);
}

TEST(PostgresConnection, AbsentServerIsUnavailableAndThePasswordIsNotTold) {
  const auto connection =
      testing::make_connection("postgresql://me:swordfish@/db?host=/nowhere/at/all");
  const auto connected = connection->connect();
  ASSERT_FALSE(connected);
  EXPECT_EQ(connected.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(connected.error().message(), HasSubstr("postgresql://me@/db?host=/nowhere/at/all"));
  EXPECT_THAT(connected.error().message(), Not(HasSubstr("swordfish")));
}

}  // namespace
}  // namespace halyard::store
