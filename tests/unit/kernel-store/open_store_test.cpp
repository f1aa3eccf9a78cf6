// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/open_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;

TEST(OpenStore, PathsAndSqliteUrlsAreOpenedLazily) {
  EXPECT_TRUE(open_store("/nowhere/store.sqlite"));
  EXPECT_TRUE(open_store("sqlite:/nowhere/store.sqlite"));
  EXPECT_TRUE(open_store("./a:b.sqlite"));
}

TEST(OpenStore, PostgresIsUnsupportedAndSaysWhatIs) {
  for (const char* const url : {"postgresql://host/db", "postgres://host/db"}) {
    const auto store = open_store(url);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code(), base::ErrorCode::kUnsupported);
    EXPECT_THAT(store.error().message(), HasSubstr("no PostgreSQL engine"));
  }
}

TEST(OpenStore, UnknownSchemesAndEmptyPathsAreRefused) {
  const std::string with_nul("a\0b", 3);
  for (const std::string& url : {std::string("http://x"), std::string(), std::string("sqlite:"),
                                 std::string("memory:x"), with_nul}) {
    const auto store = open_store(url);
    ASSERT_FALSE(store) << url;
    EXPECT_EQ(store.error().code(), base::ErrorCode::kInvalidArgument);
  }
}

TEST(OpenStore, RefusalOfASchemeRepeatsNoPassword) {
  const auto store = open_store("PostgreSQL://me:swordfish@host/db");
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message(),
            "The store's URL has the scheme \"PostgreSQL\", which is not sqlite, memory or "
            "postgresql.");
}

TEST(OpenStore, UrlThatDoesNotBeginAsOneIsNoPath) {
  for (const char* const url :
       {" postgresql://me:swordfish@host/db", "sqlite:postgresql://me:swordfish@host/db"}) {
    const auto store = open_store(url);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_EQ(store.error().message(),
              "The store's path holds \"://\", as a URL does, and does not begin as one.");
  }
}

TEST(OpenStore, MemoryStoreTellsItsReason) {
  const auto store = open_memory_store("HOME is not set.");
  const auto condition = store->condition();
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->mode, StoreCondition::Mode::kMemory);
  EXPECT_EQ(condition->reason, "HOME is not set.");
}

}  // namespace
}  // namespace halyard::store
