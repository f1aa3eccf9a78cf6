// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_database.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <chrono>

namespace halyard::store {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::TemporaryDirectory;
using Access = SqliteDatabase::Access;

// A writer that is stopped keeps its lock; who waits for it at each verb of a launch stops as well.
TEST(SqliteDatabase, WaitsAtLengthOnceForAUserThatDoesNotMove) {
  const TemporaryDirectory directory;
  const auto stopped = SqliteDatabase::open(directory / "s", Access::kReadWrite);
  const auto other = SqliteDatabase::open(directory / "s", Access::kReadWrite);
  ASSERT_TRUE(stopped && other);
  constexpr milliseconds kWait{1000};
  (*other)->set_patience(kWait);
  {
    const auto held = SqliteTransaction::begin(**stopped);
    ASSERT_TRUE(held);
    const auto begin = steady_clock::now();
    const auto first = SqliteTransaction::begin(**other);
    ASSERT_FALSE(first);
    EXPECT_EQ(first.error().code(), ErrorCode::kUnavailable);
    EXPECT_GE(steady_clock::now() - begin, kWait);
    constexpr int kTries = 9;
    const auto again = steady_clock::now();
    for (int i = 0; i < kTries; ++i)
      EXPECT_FALSE(SqliteTransaction::begin(**other));
    EXPECT_LT(steady_clock::now() - again, kTries * kWait);
  }
  EXPECT_TRUE(SqliteTransaction::begin(**other));
  // What has moved once is waited for again.
  const auto held = SqliteTransaction::begin(**stopped);
  ASSERT_TRUE(held);
  const auto begin = steady_clock::now();
  EXPECT_FALSE(SqliteTransaction::begin(**other));
  EXPECT_GE(steady_clock::now() - begin, kWait);
}

}  // namespace
}  // namespace halyard::store
