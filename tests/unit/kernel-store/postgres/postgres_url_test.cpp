// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_url.h"

#include "kernel-store/postgres/open_postgres_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string visible(const std::string& url) {
  const auto library = LibpqLibrary::load();
  if (!library) return library.error().message();
  const auto parsed = parse_postgres_url(*library, url);
  return parsed ? parsed->visible : parsed.error().message();
}

TEST(PostgresUrl, NamesThePlace) {
  EXPECT_EQ(visible("postgresql://me@db.example:5433/halyard?sslmode=verify-full"),
            "postgresql://me@/halyard?host=db.example&port=5433&sslmode=verify-full");
  EXPECT_EQ(visible("postgres:///halyard"), "postgresql:///halyard");
}

TEST(PostgresUrl, HidesThePasswordWhereverItStands) {
  for (const char* const url :
       {"postgresql://me:swordfish@host/db", "postgresql://me@host/db?password=swordfish",
        "postgresql://me@host/db?pass%77ord=swordfish", "postgresql://me:sword%66ish@host/db",
        "postgresql://host/db?sslpassword=swordfish&user=me"}) {
    EXPECT_THAT(visible(url), HasSubstr("me@/db")) << url;
    EXPECT_THAT(visible(url), Not(HasSubstr("swordfish"))) << url;
  }
}

TEST(PostgresUrl, PasswordThatReadsAsAnotherPartIsNotShown) {
  for (const char* const url :
       {"postgresql://me:sword@fish@host/db", "postgresql://me:sword/fish@host/db",
        "postgres://me:sword@fish/db@host/db"}) {
    EXPECT_EQ(visible(url),
              "The store's URL has a second \"@\", or one behind its host; within a name or a "
              "password \"@\" is written %40, and \"/\" is written %2F.");
  }
  EXPECT_EQ(visible("postgresql:///db?host=@/socket"), "postgresql:///db?host=%40/socket");
  EXPECT_EQ(visible("postgresql://a@b"), "postgresql://a@/?host=b");
}

TEST(PostgresUrl, RefusalRepeatsNothingOfTheUrl) {
  const auto store = open_postgres_store("postgresql://me:swordfish@[::1/db");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(store.error().message(), HasSubstr("is not \"postgresql://"));
  EXPECT_THAT(store.error().message(), Not(HasSubstr("swordfish")));
}

TEST(PostgresUrl, EveryOtherSchemeIsThatOfOpenStore) {
  EXPECT_TRUE(open_any_store("memory:"));
  const auto unknown = open_any_store("mysql://host/db");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_FALSE(open_any_store(std::string_view("postgresql://a\0b", 16)));
}

}  // namespace
}  // namespace halyard::store
