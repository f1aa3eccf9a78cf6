// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/sqlite_store.h"
#include "tests/unit/kernel-store/sqlite_file.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace halyard::store {
namespace {

using testing::count;
using testing::open;
using testing::tamper;
using testing::TemporaryDirectory;

TEST(SqliteCollect, CollectingRemovesBuildsWithoutABinaryAndOldDamage) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string text = "code";
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(text))));
  tamper(directory / "s", "UPDATE blobs SET bytes = x'00'");
  ASSERT_FALSE(store->get_blob(base::Sha256::of(text))->has_value());
  CollectBounds bounds;
  bounds.older_than = std::chrono::hours(1);
  EXPECT_EQ(store->upkeep().collect_garbage(bounds)->builds, 1U);
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 1);
  ASSERT_TRUE(store->upkeep().collect_garbage({}));
  EXPECT_EQ(count(directory / "s", "SELECT count(*) FROM damaged"), 0);
}

TEST(SqliteCollect, CollectingTakesTheBuildThatWasUnusedForLongest) {
  const TemporaryDirectory directory;
  const auto store = open(directory / "s");
  const std::string old_code(1000, 'o');
  const std::string new_code(1000, 'n');
  BuildInputs old_inputs;
  old_inputs.driver = "old";
  ASSERT_TRUE(store->put_build(old_inputs, std::as_bytes(std::span(old_code))));
  ASSERT_TRUE(store->put_build({}, std::as_bytes(std::span(new_code))));
  tamper(directory / "s",
         "UPDATE builds SET used_ms = used_ms - 200000000 WHERE driver = ''; "
         "UPDATE builds SET used_ms = used_ms - 300000000 WHERE driver = 'old'");
  ASSERT_TRUE(store->get_build(compute_build_key(old_inputs))->has_value());  // Notes the use.
  CollectBounds bounds;
  bounds.blob_bytes = 1500;
  EXPECT_EQ(store->upkeep().collect_garbage(bounds)->builds, 1U);
  EXPECT_TRUE(store->get_build(compute_build_key(old_inputs))->has_value());
}

}  // namespace
}  // namespace halyard::store
