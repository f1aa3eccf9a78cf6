// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/postgres/postgres_error.h"

#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;

TEST(PostgresError, TellsWhatACallerCanActOn) {
  EXPECT_EQ(error_code_of_sqlstate(""), ErrorCode::kUnavailable);
  EXPECT_EQ(error_code_of_sqlstate("57P01"), ErrorCode::kUnavailable);
  EXPECT_EQ(error_code_of_sqlstate("57014"), ErrorCode::kUnavailable);
  EXPECT_EQ(error_code_of_sqlstate("40P01"), ErrorCode::kUnavailable);
  EXPECT_EQ(error_code_of_sqlstate("53300"), ErrorCode::kUnavailable);
  EXPECT_EQ(error_code_of_sqlstate("53100"), ErrorCode::kIoError);
  EXPECT_EQ(error_code_of_sqlstate("53200"), ErrorCode::kOutOfMemory);
  EXPECT_EQ(error_code_of_sqlstate("42501"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(error_code_of_sqlstate("28P01"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(error_code_of_sqlstate("25006"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(error_code_of_sqlstate("3D000"), ErrorCode::kNotFound);
  EXPECT_EQ(error_code_of_sqlstate("22021"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_code_of_sqlstate("XX001"), ErrorCode::kCorruptData);
  EXPECT_EQ(error_code_of_sqlstate("42601"), ErrorCode::kInternal);
}

TEST(PostgresError, WordsOfTheServerFitIntoASentence) {
  EXPECT_EQ(single_line("FATAL:  no such\n\tdatabase.\n"), "FATAL: no such database");
  EXPECT_EQ(single_line("\n"), "");
}

}  // namespace
}  // namespace halyard::store
