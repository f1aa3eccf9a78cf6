// SPDX-License-Identifier: Apache-2.0
#include "runtime/selection/execution_rules.h"

#include "kernel-store/lock_file.h"
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace halyard::selection {
namespace {

namespace fs = std::filesystem;

class RuleFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "halyard-rules-XXXXXX").string();
    ASSERT_NE(nullptr, ::mkdtemp(pattern.data()));
    folder_ = pattern;
    configuration_.policy_file.value = folder_ / "policy.json";
    configuration_.trust_file.value = folder_ / "trust.json";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& text) const {
    ASSERT_TRUE(base::write_file_atomic((folder_ / name).string(), text));
  }

  fs::path folder_;
  base::Configuration configuration_;
};

TEST_F(RuleFilesTest, AbsentFilesAreTheDefault) {
  RuleFiles files(configuration_);
  const auto rules = files.current();
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ((*rules)->policy, store::Policy());
  EXPECT_TRUE((*rules)->trust.keys().empty());
  EXPECT_FALSE((*rules)->lock);
  EXPECT_FALSE(files.forget_changed());
}

TEST_F(RuleFilesTest, PolicyThatIsNamedHasToExist) {
  configuration_.policy_file.origin = base::SettingOrigin::kEnvironment;
  RuleFiles files(configuration_);
  const auto absent = files.current();
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code(), base::ErrorCode::kNotFound);
  EXPECT_EQ(absent.error().message(), "Cannot read " + configuration_.policy_file.value.value() +
                                          ": No such file or directory.");
  write("policy.json", store::policy_json(store::Policy()));
  EXPECT_TRUE(files.current());
  fs::remove(folder_ / "policy.json");
  EXPECT_TRUE(files.forget_changed());
  EXPECT_FALSE(files.current());
}

TEST_F(RuleFilesTest, WithoutPathsAreTheDefault) {
  RuleFiles files{base::Configuration()};
  const auto rules = files.current();
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ((*rules)->policy, store::Policy());
}

TEST_F(RuleFilesTest, ChangedFileIsReadAgain) {
  RuleFiles files(configuration_);
  ASSERT_TRUE(files.current());
  store::Policy policy;
  policy.stale = store::StalePolicy::kRefuse;
  write("policy.json", store::policy_json(policy));
  EXPECT_EQ((*files.current())->policy, store::Policy());
  EXPECT_TRUE(files.forget_changed());
  const auto rules = files.current();
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ((*rules)->policy, policy);
  EXPECT_FALSE(files.forget_changed());
  fs::remove(folder_ / "policy.json");
  EXPECT_TRUE(files.forget_changed());
  EXPECT_EQ((*files.current())->policy, store::Policy());
}

TEST_F(RuleFilesTest, PolicyThatCannotBeReadLetsNothingRun) {
  RuleFiles files(configuration_);
  write("policy.json", "{");
  const auto rules = files.current();
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_NE(rules.error().message().find("policy.json"), std::string::npos);
}

TEST_F(RuleFilesTest, TrustFileThatOthersCanWriteIsRefused) {
  RuleFiles files(configuration_);
  write("trust.json", store::TrustList().to_json());
  fs::permissions(folder_ / "trust.json", fs::perms::others_write, fs::perm_options::add);
  const auto rules = files.current();
  ASSERT_FALSE(rules);
  EXPECT_EQ(rules.error().code(), base::ErrorCode::kPermissionDenied);
  EXPECT_NE(rules.error().message().find("trust.json"), std::string::npos);
}

TEST_F(RuleFilesTest, NamedLockFileHasToExist) {
  configuration_.lock_file.value = folder_ / "halyard.lock";
  RuleFiles files(configuration_);
  const auto missing = files.current();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), base::ErrorCode::kNotFound);
  write("halyard.lock", store::lock_file_json({}));
  const auto rules = files.current();
  ASSERT_TRUE(rules) << rules.error().message();
  ASSERT_TRUE((*rules)->lock);
  EXPECT_TRUE((*rules)->lock->pins.empty());
}

}  // namespace
}  // namespace halyard::selection
