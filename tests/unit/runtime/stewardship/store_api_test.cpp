// SPDX-License-Identifier: Apache-2.0
#include "halyard/halyard.h"
#include "halyard/services/lock.h"
#include "halyard/services/store.h"
#include "halyard/services/trust.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace {

namespace fs = std::filesystem;

// A store in memory over the bundle of the build, through the C interface.
class StoreApiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "halyard-store-api-XXXXXX").string();
    ASSERT_NE(nullptr, ::mkdtemp(pattern.data()));
    folder_ = pattern;
    trust_file_ = folder_ / "trust.json";
    halyard_store_desc desc = HALYARD_STORE_DESC_INIT;
    desc.url = "memory:";
    desc.data_directory = HALYARD_BUILT_DATA_DIRECTORY;
    desc.trust_file = trust_file_.c_str();
    ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_open(&desc, &store_))
        << halyard_last_error_message();
  }
  void TearDown() override {
    halyard_document_release(document_);
    halyard_store_release(store_);
    fs::remove_all(folder_);
  }

  halyard_document** out() {
    halyard_document_release(document_);
    document_ = nullptr;
    return &document_;
  }
  std::string text() const { return halyard_document_text(document_); }
  static void expect_failure(halyard_status expected, halyard_status got, const char* part) {
    EXPECT_EQ(expected, got);
    const std::string message = halyard_last_error_message();
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }

  fs::path folder_;
  fs::path trust_file_;
  halyard_store* store_ = nullptr;
  halyard_document* document_ = nullptr;
};

TEST_F(StoreApiTest, NullArgumentsAreNamed) {
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_store_open(nullptr, nullptr),
                 "out_store is NULL");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_history(nullptr, "kernel", nullptr, out()), "store is NULL");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_history(store_, nullptr, nullptr, out()), "kernel is NULL");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_change_state(store_, nullptr, out()), "desc is NULL");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_store_import(store_, nullptr, out()),
                 "path is NULL");
  halyard_store_release(nullptr);
  halyard_store_retain(nullptr);
}

TEST_F(StoreApiTest, StructsOfOtherVersionsAreReadSafely) {
  halyard_state_desc desc = HALYARD_STATE_DESC_INIT;
  desc.struct_size = 8;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_store_change_state(store_, &desc, out()),
                 "struct_size of desc (8)");
  struct {
    halyard_collection_desc known = HALYARD_COLLECTION_DESC_INIT;
    std::uint64_t later = 0;
  } longer;
  longer.known.struct_size = sizeof(longer);
  EXPECT_EQ(HALYARD_STATUS_OK, halyard_store_collect(store_, &longer.known, out()));
  longer.later = 1;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_collect(store_, &longer.known, out()), "is set");
}

TEST_F(StoreApiTest, StatesOfABundledKernelChange) {
  halyard_state_desc desc = HALYARD_STATE_DESC_INIT;
  desc.action = HALYARD_STATE_ACTION_QUARANTINE;
  desc.kernel = "argmax_cpu";
  desc.target = "x86_64-v3";
  desc.why = "it is slow";
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_change_state(store_, &desc, out()))
      << halyard_last_error_message();
  EXPECT_NE(text().find("\"changed\":true"), std::string::npos) << text();
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_change_state(store_, &desc, out()));
  EXPECT_NE(text().find("\"changed\":false"), std::string::npos) << text();
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_history(store_, "argmax_cpu", nullptr, out()));
  EXPECT_NE(text().find("\"why\":\"it is slow\""), std::string::npos) << text();
  desc.action = 99;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_store_change_state(store_, &desc, out()),
                 "There is no state action number 99.");
}

TEST_F(StoreApiTest, KernelsAreListedAndShown) {
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_kernels(store_, "argmax", out()))
      << halyard_last_error_message();
  EXPECT_NE(text().find("\"name\":\"argmax_cpu\""), std::string::npos) << text();
  EXPECT_EQ(text().find("rms_norm"), std::string::npos);
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_kernels(store_, nullptr, out()));
  EXPECT_NE(text().find("rms_norm"), std::string::npos);
  expect_failure(HALYARD_STATUS_NOT_FOUND, halyard_store_kernels(store_, "argmix", out()),
                 "argmax");
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_kernel(store_, "argmax_cpu", out()));
  EXPECT_NE(text().find("\"format\":\"halyard.kernel-detail/1\""), std::string::npos) << text();
  expect_failure(HALYARD_STATUS_NOT_FOUND, halyard_store_kernel(store_, "nobody", out()),
                 "There is no kernel \"nobody\"");
}

// A history is written once; what is in it has to be readable by all.
TEST_F(StoreApiTest, TextsThatRecordsKeepAreUtf8AndShort) {
  halyard_state_desc desc = HALYARD_STATE_DESC_INIT;
  desc.action = HALYARD_STATE_ACTION_RETIRE;
  desc.kernel = "argmax_cpu";
  desc.target = "x86_64-v3";
  const auto refused = [&](const char* sentence) {
    expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                   halyard_store_change_state(store_, &desc, out()), sentence);
  };
  desc.why = "\xff";
  refused("desc.why is no UTF-8.");
  const std::string long_text(5000, 'a');
  desc.why = long_text.c_str();
  refused("desc.why has 5000 bytes, more than 4096.");
  desc.why = nullptr;
  desc.who = "\xc0\x80";
  refused("desc.who is no UTF-8.");
  desc.who = nullptr;
  desc.first_driver = "cpu \xed\xa0\x80";
  refused("desc.first_driver is no UTF-8.");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_put_request(store_, "kernel", "\xff", "{}", out()),
                 "target is no UTF-8.");
}

TEST_F(StoreApiTest, RequestsArePutShownAndCancelled) {
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_put_request(store_, "measurement", nullptr,
                                                         "{ \"b\": 1, \"a\": 2 }", out()))
      << halyard_last_error_message();
  EXPECT_NE(text().find("\"document\":{\"a\":2,\"b\":1}"), std::string::npos) << text();
  const std::size_t place = text().find("\"id\":\"") + 6;
  const std::string id = text().substr(place, 64);
  EXPECT_EQ(HALYARD_STATUS_OK, halyard_store_cancel_request(store_, id.substr(0, 8).c_str()));
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_request(store_, id.c_str(), out()));
  EXPECT_NE(text().find("\"status\":\"cancelled\""), std::string::npos) << text();
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_requests(store_, out()));
  EXPECT_NE(text().find(id), std::string::npos);
  expect_failure(HALYARD_STATUS_NOT_FOUND,
                 halyard_store_request(store_, id.substr(0, 7).c_str(), out()), "has no request");
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT,
                 halyard_store_put_request(store_, "wish", nullptr, "{}", out()), "not \"wish\"");
}

TEST_F(StoreApiTest, KeysAreMadeTrustedAndRemoved) {
  const std::string path = folder_ / "key";
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_key_create(path.c_str(), nullptr, 0, out()))
      << halyard_last_error_message();
  const std::string key = text().substr(text().find("ed25519:"), 8 + 64);
  std::uint32_t needs = 1;
  EXPECT_EQ(HALYARD_STATUS_OK, halyard_key_needs_passphrase(path.c_str(), &needs));
  EXPECT_EQ(0U, needs);
  halyard_trust_desc desc = HALYARD_TRUST_DESC_INIT;
  desc.key = key.c_str();
  desc.label = "ana";
  desc.rights = HALYARD_TRUST_RIGHT_VERIFIED;
  desc.local = 1;
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_trust_add(trust_file_.c_str(), &desc))
      << halyard_last_error_message();
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_trust_list(trust_file_.c_str(), out()));
  EXPECT_NE(text().find("\"may_say\":[\"verified\"]"), std::string::npos) << text();
  EXPECT_NE(text().find("\"local\":true"), std::string::npos) << text();
  EXPECT_EQ(HALYARD_STATUS_OK, halyard_trust_remove(trust_file_.c_str(), "ana"));
  expect_failure(HALYARD_STATUS_NOT_FOUND, halyard_trust_remove(trust_file_.c_str(), "ana"), "ana");
  desc.rights = 16;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_trust_add(trust_file_.c_str(), &desc),
                 "desc.rights (16) has bits beyond 15.");
  desc.rights = 0;
  desc.days = 40000;
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_trust_add(trust_file_.c_str(), &desc),
                 "desc.days (40000 days) is more than 36525 days.");
}

TEST_F(StoreApiTest, LockIsWrittenAndChecked) {
  const std::string path = folder_ / "halyard.lock";
  const char* const contracts[] = {"argmax"};
  halyard_lock_desc desc = HALYARD_LOCK_DESC_INIT;
  desc.contracts = contracts;
  desc.contract_count = 1;
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_lock_write(store_, path.c_str(), &desc, nullptr))
      << halyard_last_error_message();
  std::uint32_t broken = 1;
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_lock_check(store_, path.c_str(), out(), &broken));
  EXPECT_EQ(0U, broken);
  EXPECT_NE(text().find("\"standing\":\"present\""), std::string::npos) << text();
}

TEST_F(StoreApiTest, ExportLeavesAndEntersAnotherStore) {
  const std::string path = folder_ / "export";
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_export(store_, path.c_str(), nullptr, out()))
      << halyard_last_error_message();
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_import(store_, path.c_str(), out()))
      << halyard_last_error_message();
  EXPECT_NE(text().find("\"format\":\"halyard.exchange/1\""), std::string::npos) << text();
  expect_failure(HALYARD_STATUS_INVALID_ARGUMENT, halyard_store_sync(store_, "memory:", 7, out()),
                 "There is no direction number 7.");
}

TEST_F(StoreApiTest, VerificationCountsWhatIsDamaged) {
  std::uint64_t damaged = 1;
  ASSERT_EQ(HALYARD_STATUS_OK, halyard_store_verify(store_, out(), &damaged))
      << halyard_last_error_message();
  EXPECT_EQ(0U, damaged);
  EXPECT_NE(text().find("\"damaged\":[]"), std::string::npos) << text();
}

}  // namespace
