// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"

#include "kernel-store/postgres/postgres_schema.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace halyard::store::testing {
namespace {

LibpqLibrary library() {
  auto loaded = LibpqLibrary::load();
  EXPECT_TRUE(loaded) << loaded.error().message();
  if (!loaded) std::abort();
  return *loaded;
}

PostgresUrl parsed(const std::string& url) {
  auto result = parse_postgres_url(library(), url);
  EXPECT_TRUE(result) << result.error().message();
  if (!result) std::abort();
  return *result;
}

}  // namespace

std::unique_ptr<PostgresConnection> make_connection(const std::string& url) {
  return std::make_unique<PostgresConnection>(library(), parsed(url));
}

std::unique_ptr<PostgresStore> make_store(const std::string& url) {
  return make_store(url, postgres_migrations());
}

std::unique_ptr<PostgresStore> make_store(const std::string& url,
                                          std::span<const char* const> migrations) {
  return std::make_unique<PostgresStore>(library(), parsed(url), migrations);
}

}  // namespace halyard::store::testing
