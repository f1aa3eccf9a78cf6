// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace halyard::store {
namespace {

using testing::open;
using testing::tamper;
using testing::TemporaryDirectory;

TEST(SqliteRequests, LeaseEndsThoughTheClockIsPutBack) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  RequestQueue& requests = store->requests();
  ASSERT_TRUE(requests.put_request(RequestKind::kKernel, "", "{}"));
  const auto first = requests.claim_request("one", {}, std::chrono::seconds(60));
  ASSERT_TRUE(first && first->has_value());
  // As if it were claimed half a minute, then two minutes, after now.
  tamper(directory / "s",
         "UPDATE requests SET lease_from_ms = lease_from_ms + 30000, "
         "lease_until_ms = lease_until_ms + 30000");
  EXPECT_FALSE(requests.claim_request("two", {}, std::chrono::seconds(60))->has_value());
  tamper(directory / "s",
         "UPDATE requests SET lease_from_ms = lease_from_ms + 90000, "
         "lease_until_ms = lease_until_ms + 90000");
  EXPECT_FALSE(requests.renew_claim(**first, std::chrono::seconds(60)));
  EXPECT_TRUE(requests.claim_request("two", {}, std::chrono::seconds(60))->has_value());
}

}  // namespace
}  // namespace halyard::store
