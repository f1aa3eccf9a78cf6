// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/approval.h"

#include "kernel-store/trust/signing_key.h"
#include "tests/unit/kernel-store/store_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

Approval make_approval() {
  Approval approval;
  approval.kernel.fill(0x11);
  approval.target = "gfx1100";
  approval.drivers = {"amdgpu 6.1", "amdgpu 6.9"};
  approval.state = KernelState::kPromoted;
  approval.evidence.emplace().fill(0x22);
  approval.builds.resize(2);
  approval.builds[1].fill(0x33);
  const auto key = SigningKey::create();
  EXPECT_TRUE(key);
  approval.origin = key->public_key();
  approval.sequence = 7;
  approval.issued_ms = 1000;
  approval.expires_ms = 2000;
  return approval;
}

// The text with `old_text`, which must occur, replaced.
std::string with(std::string text, std::string_view old_text, std::string_view new_text) {
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), new_text);
}

TEST(Approval, TextGoesThereAndBack) {
  const Approval approval = make_approval();
  const auto read = parse_approval(approval_json(approval), "a");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->kernel, approval.kernel);
  EXPECT_EQ(read->target, approval.target);
  EXPECT_EQ(read->drivers, approval.drivers);
  EXPECT_EQ(read->state, approval.state);
  EXPECT_EQ(read->evidence, approval.evidence);
  EXPECT_EQ(read->builds, approval.builds);
  EXPECT_EQ(read->origin, approval.origin);
  EXPECT_EQ(read->sequence, approval.sequence);
  EXPECT_EQ(read->issued_ms, approval.issued_ms);
  EXPECT_EQ(read->expires_ms, approval.expires_ms);
}

TEST(Approval, WithoutEvidenceAndBuildsGoesThereAndBack) {
  Approval approval = make_approval();
  approval.state = KernelState::kQuarantined;
  approval.evidence.reset();
  approval.builds.clear();
  const std::string text = approval_json(approval);
  EXPECT_EQ(text.find("evidence"), std::string::npos);
  EXPECT_EQ(text.find("builds"), std::string::npos);
  const auto read = parse_approval(text, "a");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_FALSE(read->evidence);
  EXPECT_TRUE(read->builds.empty());
}

TEST(Approval, TheDocumentOfTheSchemaIsOne) {
  const std::string text = testing::read_file(HALYARD_STORE_FIXTURES "/records/approval.json");
  const auto approval = parse_approval(text, "a");
  ASSERT_TRUE(approval) << approval.error().message();
  EXPECT_EQ(approval->sequence, 7U);
  EXPECT_EQ(approval_json(*approval), text);
}

TEST(Approval, OneTextOnlyIsCanonical) {
  const std::string text = approval_json(make_approval());
  for (const std::string& other :
       {with(text, "sequence\":7", "sequence\":7.0"), with(text, "sequence\":7", "sequence\": 7"),
        text + "\n", with(text, "\"gfx1100\"", "\"gfx110\\u0030\"")}) {
    const auto read = parse_approval(other, "a");
    ASSERT_FALSE(read) << other;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorruptData);
    EXPECT_THAT(read.error().message(), HasSubstr("is not in canonical form (RFC 8785)."));
  }
}

TEST(Approval, FaultsAreNamed) {
  const std::string text = approval_json(make_approval());
  const std::vector<std::pair<std::string, std::string>> faults = {
      {with(text, "halyard.approval/1", "halyard.approval/2"), "/format is"},
      {with(text, "\"promoted\"", "\"candidate\""), "/state"},
      {with(text, "\"gfx1100\"", "\"\""), "/target is empty."},
      {with(text, "gfx1100", std::string(257, 'a')), "/target has 257 bytes, more than 256."},
      {with(text, "ed25519:", "ed448:"), "/origin is not \"ed25519:\""},
      {with(text, "sequence\":7", "sequence\":0"), "/sequence"},
      {with(text, "sequence\":7", "sequence\":9007199254740992"), "/sequence"},
      {with(text, "1111", "111g"), "/kernel is not a SHA-256"},
      {with(text, "[\"00", "[\"40"), "/builds is not sorted."},
      {with(text, "{\"builds\"", "{\"buildz\""), "/buildz"},
      {std::string(20000, ' '), "more than 16384"},
  };
  for (const auto& [document, message] : faults) {
    const auto read = parse_approval(document, "a");
    ASSERT_FALSE(read) << document;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorruptData);
    EXPECT_THAT(read.error().message(), HasSubstr(message));
  }
}

TEST(Approval, MoreBuildsThanItVouchesForAreRefused) {
  Approval approval = make_approval();
  approval.builds.resize(kMaxApprovedBuilds + 1);
  for (std::size_t i = 0; i < approval.builds.size(); ++i)
    approval.builds[i][0] = static_cast<std::uint8_t>(i);
  const auto read = parse_approval(approval_json(approval), "a");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message(), "a: /builds holds 65 entries, more than 64.");
}

}  // namespace
}  // namespace halyard::store
