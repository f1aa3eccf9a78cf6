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

TEST(KernelId, FieldsDoNotRunIntoOneAnother) {
  const PackageFiles none;
  const PackageFiles looks_like_a_field = {{"prelude", "c++/1"}};
  Digest zero{};
  const std::set<KernelId> ids = {
      // What ends one field begins the next.
      compute_kernel_id({"ab", &none, "c", zero}),
      compute_kernel_id({"a", &none, "bc", zero}),
      compute_kernel_id({"abc", &none, "", zero}),
      // A file of a field's name is no field, and a digest of zeros is not that of no prelude.
      compute_kernel_id({"{}", &looks_like_a_field, "", std::nullopt}),
      compute_kernel_id({"{}", &none, "c++/1", std::nullopt}),
      compute_kernel_id({"{}", &none, "", std::nullopt}),
      compute_kernel_id({"{}", &none, "", zero}),
  };
  EXPECT_EQ(ids.size(), 7U);
  // Bytes that spell the form of a field are bytes of a file like any others.
  const std::string length("\1\0\0\0\0\0\0\0", 8);
  EXPECT_NE(id_of({{"a", "b"}, {"c", "d"}}), id_of({{"a", "b" + length + "c" + length + "d"}}));
}

// The form is fixed: it is written down here a second time, byte for byte.
TEST(KernelId, IsOfLengthsNamesAndBytesInTheOrderOfNames) {
  std::string form;
  const auto add = [&form](std::string_view name, std::string_view bytes) {
    for (const std::string_view part : {name, bytes}) {
      for (unsigned i = 0; i < 8; ++i)
        form.push_back(static_cast<char>((part.size() >> (8 * i)) & 0xff));
      form += part;
    }
  };
  Digest prelude{};
  prelude.fill(0xab);
  add("format", "halyard.kernel-id/1");
  add("kernel.json", "{}");
  add("file count", "2");
  add("a", "bc");
  add("b", "");
  add("prelude", "c++/1");
  add("prelude digest", std::string(32, '\xab'));
  const PackageFiles files = {{"b", ""}, {"a", "bc"}};
  EXPECT_EQ(compute_kernel_id({"{}", &files, "c++/1", prelude}), base::Sha256::of(form));
}

TEST(KernelId, PreludeOfAPackageIsPartOfIt) {
  const auto package_of = [](std::uint8_t byte) {
    auto record = parse_kernel_record(
        testing::kernel_json("\"source\"", "\"prelude\": \"c++/1\", \"source\""), "kernel.json");
    EXPECT_TRUE(record);
    Digest digest{};
    digest.fill(byte);
    return make_kernel_package(std::move(*record), {{"a.cpp", ""}}, digest);
  };
  const auto one = package_of(1);
  const auto other = package_of(2);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->record.canonical_json, other->record.canonical_json);
  EXPECT_NE(one->id, other->id);
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
