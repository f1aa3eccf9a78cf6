// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/policy.h"

#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Policy, AbsentFileIsTheDefault) {
  const testing::TemporaryDirectory directory;
  const auto policy = load_policy(directory / "policy.json");
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(*policy, Policy());
  EXPECT_THAT(policy->bases(CodePlace::kThisProcess),
              ElementsAre(ExecutionBasis::kBundled, ExecutionBasis::kLocalKey));
  EXPECT_THAT(policy->bases(CodePlace::kDevice),
              ElementsAre(ExecutionBasis::kBundled, ExecutionBasis::kVerified,
                          ExecutionBasis::kTrustedKey, ExecutionBasis::kLocalKey));
  EXPECT_EQ(policy->stale, StalePolicy::kSelfTest);
}

TEST(Policy, TextGoesThereAndBack) {
  Policy policy;
  policy.this_process = {};
  policy.device = {ExecutionBasis::kTrustedKey, ExecutionBasis::kUnverified};
  policy.stale = StalePolicy::kReverify;
  const auto read = parse_policy(policy_json(policy), "policy.json");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, policy);
}

TEST(Policy, TheDocumentOfTheSchemaIsTheDefault) {
  const std::string text = testing::read_file(HALYARD_STORE_FIXTURES "/records/policy.json");
  const auto policy = parse_policy(text, "policy.json");
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(*policy, Policy());
}

TEST(Policy, AbsentMembersAreThoseOfTheDefault) {
  const auto policy =
      parse_policy(R"({"format": "halyard.policy/1", "execute": {"cpu": ["bundled"]}})", "p");
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_THAT(policy->this_process, ElementsAre(ExecutionBasis::kBundled));
  EXPECT_EQ(policy->device, Policy().device);
}

TEST(Policy, FaultsOfTheTextAreNamed) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"{}", "p: /format is missing."},
      {R"({"format": "halyard.policy/2"})", "p: /format is \"halyard.policy/2\", not"},
      {R"({"format": "halyard.policy/1", "stale": "ignore"})", "/stale"},
      {R"({"format": "halyard.policy/1", "execute": {"cpu": ["root"]}})",
       "/execute/cpu holds another word than bundled, verified, trusted-key, local-key, "
       "unverified."},
      {R"({"format": "halyard.policy/1", "execute": {"gpu": ["bundled", "bundled"]}})",
       "/execute/gpu holds a word twice."},
      {R"({"format": "halyard.policy/1", "execute": {"tpu": []}})", "/execute/tpu"},
      {R"({"format": "halyard.policy/1", "execute": null})", "/execute"},
  };
  for (const auto& [text, message] : faults) {
    const auto policy = parse_policy(text, "p");
    ASSERT_FALSE(policy) << text;
    EXPECT_EQ(policy.error().code(), ErrorCode::kCorruptData);
    EXPECT_THAT(policy.error().message(), HasSubstr(message));
  }
}

TEST(Policy, FileThatOthersWriteIsNotUsed) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "policy.json";
  testing::write_file(path, policy_json(Policy()));
  ASSERT_EQ(::chmod(path.c_str(), 0646), 0);
  const auto policy = load_policy(path);
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_EQ(policy.error().message(),
            "\"" + path + "\" is not used: its mode 0646 lets group or others write it.");
}

}  // namespace
}  // namespace halyard::store
