// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/kernel_id.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gtest/gtest.h>

#include <set>

namespace halyard::store {
namespace {

KernelId id_of(const PackageFiles& files) {
  return compute_kernel_id({"{}", &files, "", std::nullopt});
}

TEST(KernelId, KeepsNamesAndContentsApart) {
  EXPECT_NE(id_of({{"a", "bc"}}), id_of({{"ab", "c"}}));
  EXPECT_NE(id_of({{"a", ""}, {"b", ""}}), id_of({{"a", "b"}}));
}

TEST(KernelId, EachFieldChangesIt) {
  const PackageFiles files = {{"a", "b"}};
  const PackageFiles other_files = {{"a", "c"}};
  const Digest zero{};
  Digest one{};
  one[0] = 1;
  const std::set<KernelId> ids = {
      compute_kernel_id({"{}", &files, "", std::nullopt}),
      compute_kernel_id({"{\"a\":1}", &files, "", std::nullopt}),
      compute_kernel_id({"{}", &other_files, "", std::nullopt}),
      compute_kernel_id({"{}", &files, "c++/1", zero}),
      compute_kernel_id({"{}", &files, "c++/2", zero}),
      compute_kernel_id({"{}", &files, "c++/1", one}),
  };
  EXPECT_EQ(ids.size(), 6U);
}

TEST(KernelId, SpacesAndOrderOfKeysDoNotChangeIt) {
  const auto plain = parse_kernel_record(testing::kernel_json(), "kernel.json");
  const auto moved = parse_kernel_record(
      testing::kernel_json(
          "{\n  \"format\": \"halyard.kernel/1\",\n  \"name\": \"rms_norm_plain\",",
          "{\"name\":\"rms_norm_plain\",   \"format\":\"halyard.kernel/1\","),
      "kernel.json");
  ASSERT_TRUE(plain && moved);
  EXPECT_EQ(plain->canonical_json, moved->canonical_json);
}

TEST(KernelId, PreludeDigestDependsOnNamesAndContents) {
  EXPECT_NE(compute_prelude_digest({{"a.h", "x"}}), compute_prelude_digest({{"b.h", "x"}}));
  EXPECT_NE(compute_prelude_digest({{"a.h", "x"}}), compute_prelude_digest({{"a.h", "y"}}));
}

TEST(KernelId, TextGoesThereAndBack) {
  Digest digest{};
  digest[0] = 0xab;
  digest[31] = 0x07;
  const std::string text = digest_text(digest);
  EXPECT_EQ(text.substr(0, 4), "ab00");
  EXPECT_EQ(digest_from_text(text), digest);
  EXPECT_FALSE(digest_from_text("ab"));
  EXPECT_FALSE(digest_from_text(std::string(64, 'G')));
  EXPECT_FALSE(digest_from_text(std::string(64, 'A')));
}

}  // namespace
}  // namespace halyard::store
