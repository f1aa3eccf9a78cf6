// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/trust_list.h"

#include "kernel-store/trust/public_key.h"
#include "kernel-store/trust/signing_key.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <thread>

namespace halyard::store {
namespace {

using base::ErrorCode;
using base::ok;
using ::testing::HasSubstr;

PublicKey new_key() {
  const auto key = SigningKey::create();
  EXPECT_TRUE(key);
  return key->public_key();
}

TrustedKey entry(std::string label, const PublicKey& key = new_key()) {
  TrustedKey trusted;
  trusted.key = key;
  trusted.label = std::move(label);
  trusted.may_say = {KernelState::kVerified};
  return trusted;
}

void expect_unusable(const TrustedKey& key, std::string_view message) {
  TrustList list;
  const auto added = list.add(key);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(added.error().message(), HasSubstr(message));
}

TEST(TrustList, KeysAreFoundByKeyLabelAndText) {
  TrustList list;
  const PublicKey key = new_key();
  ASSERT_TRUE(list.add(entry("zoe")));
  ASSERT_TRUE(list.add(entry("Ann at work", key)));
  ASSERT_EQ(list.keys().size(), 2U);
  EXPECT_EQ(list.keys()[0].label, "Ann at work");
  EXPECT_EQ(list.find(key), &list.keys()[0]);
  EXPECT_EQ(list.find("ann at work"), &list.keys()[0]);
  EXPECT_EQ(list.find(public_key_text(key)), &list.keys()[0]);
  EXPECT_EQ(list.find("bob"), nullptr);
  EXPECT_EQ(list.find(new_key()), nullptr);
}

TEST(TrustList, OneKeyAndOneLabelStandOnce) {
  TrustList list;
  const PublicKey key = new_key();
  ASSERT_TRUE(list.add(entry("ann", key)));
  const auto same_key = list.add(entry("bob", key));
  ASSERT_FALSE(same_key);
  EXPECT_EQ(same_key.error().message(), "The trust list holds this key as \"ann\".");
  const auto same_label = list.add(entry("ANN"));
  ASSERT_FALSE(same_label);
  EXPECT_EQ(same_label.error().message(), "The trust list holds another key as \"ann\".");
}

TEST(TrustList, UnusableKeysAreRefused) {
  expect_unusable(entry(""), "A label has 1 to 64 of");
  expect_unusable(entry(" ann"), "A label has 1 to 64 of");
  expect_unusable(entry("a\nb"), "A label has 1 to 64 of");
  expect_unusable(entry("ed25519:a"), "A label has 1 to 64 of");
  expect_unusable(entry(std::string(65, 'a')), "A label has 1 to 64 of");
  TrustedKey key = entry("ann");
  key.may_say.clear();
  expect_unusable(key, "Key \"ann\" may say nothing.");
  key.may_say = {KernelState::kCandidate};
  expect_unusable(key,
                  "Key \"ann\" is to say candidate, and a key says one of verified, promoted, "
                  "quarantined, retired.");
  key = entry("ann");
  key.not_before_ms = 5;
  key.expires_ms = 5;
  expect_unusable(key, "Key \"ann\" expires (5) before it starts (5).");
}

TEST(TrustList, RemovedKeyIsGone) {
  TrustList list;
  const PublicKey key = new_key();
  ASSERT_TRUE(list.add(entry("ann", key)));
  ASSERT_TRUE(list.remove(public_key_text(key)));
  EXPECT_EQ(list.find(key), nullptr);
  const auto again = list.remove("ann");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(again.error().message(), "The trust list holds no key \"ann\".");
}

TEST(TrustList, TextGoesThereAndBack) {
  TrustList list;
  TrustedKey key = entry("ann");
  key.may_say = {KernelState::kRetired, KernelState::kVerified, KernelState::kRetired};
  key.local = true;
  key.not_before_ms = 10;
  key.expires_ms = 20;
  ASSERT_TRUE(list.add(key));
  const auto read = TrustList::parse(list.to_json(), "trust.json");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->keys().size(), 1U);
  const TrustedKey& back = read->keys()[0];
  EXPECT_EQ(back.key, key.key);
  EXPECT_EQ(back.may_say, (std::vector{KernelState::kVerified, KernelState::kRetired}));
  EXPECT_TRUE(back.local);
  EXPECT_EQ(back.not_before_ms, 10);
  EXPECT_EQ(back.expires_ms, 20);
  EXPECT_EQ(read->to_json(), list.to_json());
}

TEST(TrustList, FaultsOfTheTextAreNamed) {
  const std::string key = public_key_text(new_key());
  const std::vector<std::pair<std::string, std::string>> faults = {
      {R"({"keys": []})", "trust.json: /format is missing."},
      {R"({"format": "halyard.trust/2", "keys": []})", "/format is \"halyard.trust/2\""},
      {R"({"format": "halyard.trust/1", "keys": [{"key": "a", "label": "a", "may_say": []}]})",
       "/keys/0/key is not \"ed25519:\""},
      {R"({"format": "halyard.trust/1", "keys": [{"key": ")" + key +
           R"(", "label": "a", "may_say": ["candidate"]}]})",
       "/keys/0/may_say holds another word"},
      {R"({"format": "halyard.trust/1", "keys": [{"key": ")" + key +
           R"(", "label": "a", "may_say": []}]})",
       "/keys/0: Key \"a\" may say nothing."},
      {R"({"format": "halyard.trust/1", "keys": [], "kees": 1})", "/kees"},
      {std::string(100, '['), "the nesting is deeper than 8"},
  };
  for (const auto& [text, message] : faults) {
    const auto list = TrustList::parse(text, "trust.json");
    ASSERT_FALSE(list) << text;
    EXPECT_EQ(list.error().code(), ErrorCode::kCorruptData);
    EXPECT_THAT(list.error().message(), HasSubstr(message));
  }
}

TEST(TrustList, TheDocumentOfTheSchemaIsOne) {
  const std::string text = testing::read_file(HALYARD_STORE_FIXTURES "/records/trust.json");
  const auto list = TrustList::parse(text, "trust.json");
  ASSERT_TRUE(list) << list.error().message();
  ASSERT_EQ(list->keys().size(), 1U);
  EXPECT_EQ(list->keys()[0].label, "ann at work");
  EXPECT_TRUE(list->keys()[0].local);
}

TEST(TrustListFile, IsMadeWithItsFolderAndReplacedInOneStep) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "halyard/trust.json";
  const auto empty = TrustList::load(path);
  ASSERT_FALSE(empty && !empty->keys().empty());
  const auto added =
      change_trust_list(path, [](TrustList& list) { return list.add(entry("ann")); });
  ASSERT_TRUE(added) << added.error().message();
  struct stat facts = {};
  ASSERT_EQ(::stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0022U, 0U);
  const auto list = TrustList::load(path);
  ASSERT_TRUE(list) << list.error().message();
  EXPECT_NE(list->find("ann"), nullptr);
  for (const auto& file : std::filesystem::directory_iterator(directory / "halyard")) {
    EXPECT_THAT(file.path().filename().string(), ::testing::AnyOf("trust.json", "trust.json.lock"));
  }
}

TEST(TrustListFile, StaysAsItIsWhenTheChangeFails) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "trust.json";
  ASSERT_TRUE(change_trust_list(path, [](TrustList& list) { return list.add(entry("ann")); }));
  const std::string before = testing::read_file(path);
  const auto removed = change_trust_list(path, [](TrustList& list) {
    EXPECT_TRUE(list.remove("ann"));
    return list.remove("bob");
  });
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(testing::read_file(path), before);
}

TEST(TrustListFile, ThatOthersWriteIsNotUsed) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "trust.json";
  ASSERT_TRUE(change_trust_list(path, [](TrustList& list) { return list.add(entry("ann")); }));
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  const auto list = TrustList::load(path);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(list.error().message(),
            "\"" + path + "\" is not used: its mode 0666 lets group or others write it.");
  EXPECT_FALSE(change_trust_list(path, [](TrustList&) { return ok(); }));
}

TEST(TrustListFile, ChangesAtOnceAllLast) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "trust.json";
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      const auto added = change_trust_list(
          path, [&](TrustList& list) { return list.add(entry("key " + std::to_string(thread))); });
      EXPECT_TRUE(added) << added.error().message();
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  const auto list = TrustList::load(path);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->keys().size(), 8U);
}

}  // namespace
}  // namespace halyard::store
