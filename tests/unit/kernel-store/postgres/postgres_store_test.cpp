// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_store.h"

#include "tests/forked_child.h"
#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::make_store;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(PostgresStore, ChildOfAForkIsRefusedAndHarmsTheParentNot) {
  HALYARD_REQUIRE_POSTGRES(server);
  auto store = make_store(server->fresh_database());
  ASSERT_TRUE(store->put_blob(bytes_of("a")));
  EXPECT_TRUE(tests::passes_in_child([&]() -> std::string {
    const auto generation = store->generation();
    store.reset();
    if (generation) return "The child reads.";
    return generation.error().code() == ErrorCode::kUnavailable ? "" : "Another error.";
  }));
  EXPECT_TRUE(store->put_blob(bytes_of("b")));
}

TEST(PostgresStore, GoesOnAfterTheServerCrashed) {
  HALYARD_REQUIRE_POSTGRES(server);
  const auto store = make_store(server->fresh_database());
  const auto before = store->put_blob(bytes_of("before"));
  ASSERT_TRUE(before);
  ASSERT_TRUE(server->restart_immediately());
  const auto after = store->put_blob(bytes_of("after"));
  ASSERT_TRUE(after) << after.error().message();
  EXPECT_TRUE(store->get_blob(*before)->has_value());
  EXPECT_TRUE(store->get_blob(*after)->has_value());
}

TEST(PostgresStore, ChangedBytesAreAMissUntilTheyArePutAgain) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto store = make_store(url);
  const KernelPackage package = testing::make_package();
  ASSERT_TRUE(store->put_kernel(package));
  ASSERT_TRUE(server->psql(url, {"--command", "UPDATE halyard.blobs SET bytes = 'x'"}));
  std::vector<DamagedRecord> damaged;
  const auto verified = store->upkeep().verify_records(
      [&](const DamagedRecord& record) { damaged.push_back(record); });
  ASSERT_TRUE(verified) << verified.error().message();
  EXPECT_EQ(verified->records, 2U);
  EXPECT_EQ(verified->damaged, 2U);
  ASSERT_EQ(damaged.size(), 2U);
  EXPECT_EQ(damaged[0].what, "blob");
  EXPECT_THAT(damaged[0].why, HasSubstr("has SHA-256"));
  EXPECT_EQ(damaged[1].what, "kernel");
  EXPECT_THAT(damaged[1].why, HasSubstr("has SHA-256"));
  EXPECT_FALSE(store->get_kernel(package.id)->has_value());
  ASSERT_TRUE(store->put_kernel(package));
  EXPECT_TRUE(store->get_kernel(package.id)->has_value());
  EXPECT_EQ(store->upkeep().verify_records([](const DamagedRecord&) {})->damaged, 0U);
}

TEST(PostgresStore, TextIsNeverPartOfAStatement) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  const auto store = make_store(url);
  const std::string name = "x'; DROP SCHEMA halyard CASCADE; -- $1 \\";
  ASSERT_TRUE(store->requests().put_request(RequestKind::kKernel, name, "{}"));
  const auto claim = store->requests().claim_request(name, {{}, {name}}, std::chrono::seconds(60));
  ASSERT_TRUE(claim && claim->has_value());
  EXPECT_EQ((*claim)->target, name);
  EXPECT_TRUE(store->list_kernels(name)->empty());
  EXPECT_TRUE(store->find_evidence({{}, name, {}, name, name, {}})->empty());
  EXPECT_EQ(store->requests().list_requests()->front().owner, name);
}

TEST(PostgresStore, ObjectsOfOtherSchemasAreNotUsed) {
  HALYARD_REQUIRE_POSTGRES(server);
  const std::string url = server->fresh_database();
  ASSERT_TRUE(server->psql(url, {"--command",
                                 "CREATE TABLE public.generation (value bigint); INSERT INTO "
                                 "public.generation VALUES (77)"}));
  EXPECT_EQ(*make_store(url)->generation(), 1U);
}

TEST(PostgresStore, UrlIsToldWithoutItsPassword) {
  const auto store = make_store("postgresql://me:swordfish@/db?host=/nowhere/at/all");
  EXPECT_EQ(store->url(), "postgresql://me@/db?host=/nowhere/at/all");
  const auto generation = store->generation();
  ASSERT_FALSE(generation);
  EXPECT_EQ(generation.error().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace halyard::store
