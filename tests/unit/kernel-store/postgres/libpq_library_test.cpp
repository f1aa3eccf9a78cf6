// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/libpq_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using ::testing::HasSubstr;

TEST(LibpqLibrary, HoldsEachFunction) {
  const auto library = LibpqLibrary::load();
  ASSERT_TRUE(library) << library.error().message();
#define HALYARD_LIBPQ_SYMBOL(name) EXPECT_NE(library->name, nullptr);
#include "kernel-store/postgres/libpq_symbols.inc"
#undef HALYARD_LIBPQ_SYMBOL
}

TEST(LibpqLibrary, AbsentLibraryIsUnavailable) {
  const auto library = LibpqLibrary::load("libpq-of-nobody.so.5");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(library.error().message(), HasSubstr("loading the client library of PostgreSQL"));
  EXPECT_THAT(library.error().message(), HasSubstr("libpq-of-nobody.so.5"));
}

TEST(LibpqLibrary, LibraryOfAnotherKindLacksAFunction) {
  const auto library = LibpqLibrary::load("libc.so.6");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(library.error().message(), HasSubstr("PQclear"));
}

}  // namespace
}  // namespace halyard::store
