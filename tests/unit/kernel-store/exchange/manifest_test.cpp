// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/manifest.h"

#include "kernel-store/exchange/import.h"
#include "tests/unit/kernel-store/exchange/exchange_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

Digest digest_of(std::uint8_t byte) {
  Digest digest{};
  digest.fill(byte);
  return digest;
}

Manifest make_manifest() {
  ManifestKernel kernel;
  kernel.id = digest_of(1);
  kernel.record = digest_of(2);
  kernel.files = {{"a.cpp", digest_of(3)}};
  kernel.prelude_digest = digest_of(4);
  ManifestBuild build;
  build.inputs.kernel = kernel.id;
  build.inputs.parameters = {{"ROWS", 2}};
  build.inputs.target = "t";
  build.inputs.types = {{"T", base::DataType::kF32}};
  build.inputs.toolchain = "c";
  build.inputs.driver = "d";
  build.inputs.flags = {"-O3"};
  build.blob = digest_of(5);
  kernel.builds = {build};
  kernel.evidence = {digest_of(6)};
  kernel.approvals = {{"{}", {}}};
  kernel.history = digest_of(7);
  Manifest manifest;
  manifest.kernels = {kernel};
  for (const std::uint8_t byte : std::initializer_list<std::uint8_t>{2, 3, 5, 6, 7})
    manifest.objects[digest_of(byte)] = byte;
  return manifest;
}

void expect_refused(const std::string& text, std::string_view message) {
  const auto manifest = parse_manifest(text, "m");
  ASSERT_FALSE(manifest) << message;
  EXPECT_EQ(manifest.error().code(), ErrorCode::kCorruptData);
  EXPECT_THAT(manifest.error().message(), HasSubstr(message));
}

std::string with(std::string text, std::string_view old_text, std::string_view new_text) {
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

TEST(Manifest, TextGoesThereAndBack) {
  const std::string text = manifest_json(make_manifest());
  const auto read = parse_manifest(text, "m");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(manifest_json(*read), text);
  ASSERT_EQ(read->kernels.size(), 1U);
  EXPECT_EQ(read->kernels[0].builds[0].inputs.flags, std::vector<std::string>{"-O3"});
  EXPECT_EQ(read->objects.at(digest_of(7)), 7U);
}

TEST(Manifest, TheDocumentOfTheSchemaIsOne) {
  const std::string text = testing::read_file(HALYARD_STORE_FIXTURES "/records/export.json");
  const auto manifest = parse_manifest(text, "m");
  ASSERT_TRUE(manifest) << manifest.error().message();
  EXPECT_EQ(manifest_json(*manifest), text);
}

TEST(Manifest, ObjectThatIsNotListedOrNotNamedIsRefused) {
  Manifest manifest = make_manifest();
  manifest.objects.erase(digest_of(5));
  expect_refused(manifest_json(manifest), "m: /kernels/0/builds/0/blob names 0505");
  manifest = make_manifest();
  manifest.objects[digest_of(8)] = 1;
  expect_refused(manifest_json(manifest), "m: /objects lists 0808");
}

TEST(Manifest, OneKernelStandsOnce) {
  Manifest manifest = make_manifest();
  manifest.kernels.push_back(manifest.kernels[0]);
  expect_refused(manifest_json(manifest), "m: /kernels/1/id is that of an earlier kernel, 0101");
}

TEST(Manifest, SizesBeyondTheBoundsAreRefused) {
  Manifest manifest = make_manifest();
  manifest.objects[digest_of(5)] = kMaxObjectBytes + 1;
  expect_refused(manifest_json(manifest), "m: /objects/0505");
  manifest = make_manifest();
  manifest.objects[digest_of(5)] = kMaxObjectBytes;
  // One object that many name costs as many times.
  const ManifestBuild build = manifest.kernels[0].builds[0];
  for (int i = 0; i < 16; ++i) {
    ManifestBuild other = build;
    other.inputs.driver = std::to_string(i);
    manifest.kernels[0].builds.push_back(other);
  }
  expect_refused(manifest_json(manifest),
                 "blob is beyond the 4294967296 bytes that an export may name in all.");
}

TEST(Manifest, NamesThatCouldBePathsAreRefused) {
  for (const char* const name : {"../a", "/a", "a/b", ".a", "a\\u0000b", "a\\u00e9", ""}) {
    expect_refused(with(manifest_json(make_manifest()), "a.cpp", name),
                   "is no plain name of a file.");
  }
}

TEST(Manifest, KeyOfABuildIsThatOfItsInputs) {
  expect_refused(with(manifest_json(make_manifest()), "\"-O3\"", "\"-O2\""),
                 "m: /kernels/0/builds/0/key is not that of the build's inputs.");
}

TEST(Manifest, OtherFormsAreRefused) {
  const std::string text = manifest_json(make_manifest());
  expect_refused(with(text, "halyard.export/1", "halyard.export/2"), "m: /format is");
  expect_refused(with(text, "\"evidence\":[\"06", "\"evidence\":[\"x6"),
                 "m: /kernels/0/evidence holds what is no SHA-256.");
  expect_refused(with(text, "\"files\"", "\"fils\""), "/kernels/0/fils");
  expect_refused(with(text, "\"signature\":\"00", "\"signature\":\"x0"),
                 "/kernels/0/approvals/0/signature is not 128 hexadecimal digits.");
}

TEST(Manifest, BombsAreRefused) {
  expect_refused(std::string(1000, '['), "the nesting is deeper than 8");
  expect_refused(R"({"format":"halyard.export/1","format":"halyard.export/1"})",
                 "the key \"format\" stands twice in one object");
  expect_refused(R"({"format":"halyard.export/1","kernels":[],"objects":{")" +
                     std::string(64, 'a') + R"(":1e999}})",
                 "is too large");
}

TEST(ManifestSignature, TextGoesThereAndBack) {
  const auto key = SigningKey::create();
  ASSERT_TRUE(key);
  const ManifestSignature signature{key->public_key(), key->sign("a", "b")};
  const std::string text = manifest_signature_json(signature);
  const auto read = parse_manifest_signature(text, "s");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->key, signature.key);
  EXPECT_EQ(read->signature, signature.signature);
  const auto other = parse_manifest_signature(with(text, "ed25519:", "rsa:"), "s");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("s: /key is not \"ed25519:\""));
}

}  // namespace
}  // namespace halyard::store
