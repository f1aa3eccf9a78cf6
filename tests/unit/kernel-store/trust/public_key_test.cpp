// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/trust/public_key.h"

#include "kernel-store/trust/signing_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

// The public key and signature of test 2 of RFC 8032, section 7.1.
constexpr const char* kRfcKey =
    "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";

TEST(PublicKey, HasOneTextForm) {
  const auto key = parse_public_key(kRfcKey);
  ASSERT_TRUE(key) << key.error().message();
  EXPECT_EQ(public_key_text(*key), kRfcKey);
  std::string upper(kRfcKey);
  upper[10] = 'D';
  for (const std::string& text : {std::string(kRfcKey).substr(8), std::string(kRfcKey) + "0",
                                  upper + "A", std::string(), "ed25519:" + std::string(64, 'G')}) {
    const auto other = parse_public_key(text);
    ASSERT_FALSE(other) << text;
    EXPECT_EQ(other.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(other.error().message(), HasSubstr("is no public key"));
  }
}

TEST(PublicKey, PointThatAnySignatureFitsIsRefused) {
  const std::string identity = "ed25519:01" + std::string(62, '0');
  const auto key = parse_public_key(identity);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(key.error().message(),
            "\"" + identity + "\" is no point of Ed25519 that a key can be.");
}

TEST(PublicKey, FingerprintIsShortAndOfTheKey) {
  const auto key = parse_public_key(kRfcKey);
  ASSERT_TRUE(key);
  EXPECT_EQ(key_fingerprint(*key).size(), 19U);
  const auto other = SigningKey::create();
  ASSERT_TRUE(other);
  EXPECT_NE(key_fingerprint(*key), key_fingerprint(other->public_key()));
}

TEST(PublicKey, SignatureIsOfOneDomainAndText) {
  const auto key = SigningKey::create();
  ASSERT_TRUE(key);
  const Signature signature = key->sign(kApprovalDomain, "text");
  EXPECT_TRUE(verify_signature(key->public_key(), kApprovalDomain, "text", signature));
  EXPECT_FALSE(verify_signature(key->public_key(), kExportDomain, "text", signature));
  EXPECT_FALSE(verify_signature(key->public_key(), kApprovalDomain, "texts", signature));
  const auto other = SigningKey::create();
  ASSERT_TRUE(other);
  EXPECT_FALSE(verify_signature(other->public_key(), kApprovalDomain, "text", signature));
}

TEST(PublicKey, SignatureTextGoesThereAndBack) {
  Signature signature{};
  signature[0] = 0xab;
  signature[63] = 0x01;
  const auto read = parse_signature(signature_text(signature));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, signature);
  const auto other = parse_signature("ab");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(other.error().message(),
            "\"ab\" is no signature of 128 lower-case hexadecimal digits.");
}

}  // namespace
}  // namespace halyard::store
