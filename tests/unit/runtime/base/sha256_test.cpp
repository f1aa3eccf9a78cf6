// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/sha256.h"

#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(Sha256, KnownTextsGiveKnownDigests) {
  EXPECT_EQ(to_hex(Sha256::of("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(Sha256::of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, PiecesGiveTheDigestOfTheWhole) {
  const std::string text(1000, 'x');
  EXPECT_EQ(Sha256().update(text.substr(0, 63)).update(text.substr(63)).finish(), Sha256::of(text));
}

TEST(Sha256, FieldsHaveBothLengthsBeforeThem) {
  const std::string expected("\x01\0\0\0\0\0\0\0n\x02\0\0\0\0\0\0\0xy", 19);
  EXPECT_EQ(Sha256().update_field("n", "xy").finish(), Sha256::of(expected));
}

TEST(Sha256, MovedFieldBoundaryChangesTheDigest) {
  EXPECT_NE(Sha256().update_field("a", "bc").finish(), Sha256().update_field("ab", "c").finish());
  EXPECT_NE(Sha256().update_field("a", "").update_field("", "b").finish(),
            Sha256().update_field("a", "b").update_field("", "").finish());
}

}  // namespace
}  // namespace halyard::base
