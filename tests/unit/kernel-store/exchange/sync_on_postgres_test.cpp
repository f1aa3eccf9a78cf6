// SPDX-License-Identifier: Apache-2.0
// Between a store in a file and one on a server.

#include "kernel-store/exchange/sync.h"
#include "kernel-store/open_store.h"
#include "tests/postgres/postgres_server.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"
#include "tests/unit/kernel-store/postgres/postgres_fixture.h"

#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using testing::kNow;

std::uint64_t total(const ExchangeCounts& counts) {
  return counts.kernels + counts.builds + counts.evidence + counts.approvals + counts.states;
}

TEST(SyncOnPostgres, RecordsGoToTheServerAndToAnotherStore) {
  HALYARD_REQUIRE_POSTGRES(server);
  const testing::TemporaryDirectory directory;
  const testing::FilledStore filled;
  const auto fleet = testing::make_store(server->fresh_database());
  auto opened = open_store(directory / "store.sqlite");
  ASSERT_TRUE(opened);
  KernelStore& other = **opened;
  TrustList trust;
  ASSERT_TRUE(trust.add(testing::trusted(filled.key, "ann")));

  const auto pushed = sync_stores(*filled.store, SourceTrust::kOwn, *fleet, trust, kNow);
  ASSERT_TRUE(pushed) << pushed.error().message();
  EXPECT_EQ(pushed->added.kernels, 1U);
  EXPECT_EQ(pushed->added.builds, 1U);
  EXPECT_EQ(pushed->added.evidence, 1U);
  EXPECT_EQ(pushed->added.approvals, 1U);
  EXPECT_EQ(pushed->added.states, 2U);

  const auto untrusted = sync_stores(*fleet, SourceTrust::kForeign, other, {}, kNow);
  ASSERT_TRUE(untrusted) << untrusted.error().message();
  EXPECT_EQ(untrusted->added.kernels, 1U);
  EXPECT_EQ(total(untrusted->added), 1U);

  const auto pulled = sync_stores(*fleet, SourceTrust::kForeign, other, trust, kNow);
  ASSERT_TRUE(pulled) << pulled.error().message();
  EXPECT_EQ(total(pulled->added), 5U);
  const auto blob = other.get_blob(base::Sha256::of(filled.code));
  EXPECT_TRUE(blob && *blob);

  const auto again = sync_stores(other, SourceTrust::kOwn, *fleet, trust, kNow);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(total(again->added), 0U);
}

}  // namespace
}  // namespace halyard::store
