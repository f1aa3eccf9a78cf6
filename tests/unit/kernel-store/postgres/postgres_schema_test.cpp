// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_schema.h"

#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::make_store;
using Mode = StoreCondition::Mode;

// A later schema that the clients of today can write.
constexpr const char* kFriendly = "CREATE TABLE later (n bigint)";
// One that they cannot.
constexpr const char* kForeign =
    "ALTER TABLE requests ADD COLUMN later text NOT NULL; UPDATE schema_version SET min_client = 2";

std::array<const char*, 2> with(const char* later) {
  return {postgres_migrations().front(), later};
}

TEST(PostgresSchema, SaysWhoMayWrite) {
  EXPECT_EQ(read_only_reason({1, 1}, 1), "");
  EXPECT_EQ(read_only_reason({3, 1}, 1), "");
  EXPECT_EQ(read_only_reason({3, 2}, 1),
            "It has schema 3 of a newer Halyard, for clients that know 2 or a later one; this one "
            "knows 1 and only reads it.");
}

TEST(PostgresSchema, ManyClientsMakeOneStore) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&url, i] {
      const auto put = make_store(url)->put_kernel(testing::make_package(std::to_string(i)));
      EXPECT_TRUE(put) << put.error().message();
    });
  }
  for (std::thread& client : clients)
    client.join();
  EXPECT_EQ(make_store(url)->list_kernels("")->size(), 8U);
  EXPECT_EQ(server->query(url, "SELECT version FROM halyard.schema_version"), "1");
}

TEST(PostgresSchema, ClientsOfTwoVersionsWriteSideBySideWhereTheSchemaAllowsIt) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto newer_migrations = with(kFriendly);
  const auto older = make_store(url);
  ASSERT_TRUE(older->put_kernel(testing::make_package("a")));
  const auto newer = make_store(url, newer_migrations);
  ASSERT_TRUE(newer->put_kernel(testing::make_package("b")));
  ASSERT_TRUE(older->put_kernel(testing::make_package("c")));
  EXPECT_EQ(older->condition()->mode, Mode::kReadWrite);
  EXPECT_EQ(make_store(url)->condition()->mode, Mode::kReadWrite);
  EXPECT_EQ(newer->list_kernels("")->size(), 3U);
}

TEST(PostgresSchema, ClientThatIsTooOldOnlyReadsFromItsNextWriteOn) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto newer_migrations = with(kForeign);
  const auto older = make_store(url);
  ASSERT_TRUE(older->put_kernel(testing::make_package("a")));
  ASSERT_EQ(make_store(url, newer_migrations)->condition()->mode, Mode::kReadWrite);
  const auto put = older->put_kernel(testing::make_package("b"));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(put.error().message(), HasSubstr("is read-only: It has schema 2 of a newer Halyard"));
  EXPECT_EQ(older->condition()->mode, Mode::kReadOnly);
  EXPECT_EQ(older->list_kernels("")->size(), 1U);
  const auto condition = make_store(url)->condition();
  EXPECT_EQ(condition->mode, Mode::kReadOnly);
  EXPECT_THAT(condition->reason, HasSubstr("this one knows 1 and only reads it"));
}

TEST(PostgresSchema, FailedMigrationLeavesTheOldSchema) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  ASSERT_TRUE(make_store(url)->put_kernel(testing::make_package("a")));
  const auto broken = with("CREATE TABLE half (n bigint); SELECT 1 / 0");
  const auto condition = make_store(url, broken)->condition();
  ASSERT_FALSE(condition);
  EXPECT_THAT(condition.error().message(), HasSubstr("division by zero"));
  EXPECT_EQ(server->query(url,
                          "SELECT version, to_regclass('halyard.half') FROM "
                          "halyard.schema_version"),
            "1|");
  EXPECT_TRUE(make_store(url)->put_kernel(testing::make_package("b")));
}

TEST(PostgresSchema, VersionBelowZeroIsRefused) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  ASSERT_TRUE(make_store(url)->condition());
  ASSERT_TRUE(server->psql(url, {"--command", "UPDATE halyard.schema_version SET version = -5"}));
  const auto condition = make_store(url)->condition();
  ASSERT_FALSE(condition);
  EXPECT_EQ(condition.error().code(), ErrorCode::kCorruptData);
  EXPECT_THAT(condition.error().message(), HasSubstr("has the schema -5, which is below 0."));
}

TEST(PostgresSchema, RoleThatMayNotMigrateReadsTheOldSchema) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  ASSERT_TRUE(make_store(url)->put_kernel(testing::make_package("a")));
  ASSERT_TRUE(server->psql(url, {"--command",
                                 "CREATE ROLE stranger LOGIN; GRANT USAGE ON SCHEMA halyard TO "
                                 "stranger; GRANT SELECT ON ALL TABLES IN SCHEMA halyard TO "
                                 "stranger"}));
  const auto newer_migrations = with(kFriendly);
  const auto store = make_store(server->with_user(url, "stranger"), newer_migrations);
  const auto condition = store->condition();
  ASSERT_TRUE(condition) << condition.error().message();
  EXPECT_EQ(condition->mode, Mode::kReadOnly);
  EXPECT_THAT(condition->reason, HasSubstr("this role cannot bring it up to schema 2"));
  EXPECT_EQ(store->list_kernels("")->size(), 1U);
  const std::string empty = server->with_user(server->fresh_database(), "stranger");
  const auto absent = make_store(empty)->condition();
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace halyard::store
