// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::isa {
namespace {

TEST(Utf8, ValidTextHasNoInvalidByte) {
  for (const std::string text :
       {"", "plain", "ü – €", "\xf0\x9f\x98\x80", "\xef\xbf\xbf", "\x7f\x01", "\xf4\x8f\xbf\xbf",
        "\xed\x9f\xbf", "eight and more bytes of it"})
    EXPECT_EQ(first_invalid_utf8(text), std::nullopt) << text;
}

TEST(Utf8, FirstInvalidByteIsFoundBehindLongPlainText) {
  const std::string plain = "0123456789abcdef0123";
  for (const std::string bad : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(",
                                "\xe0\x80\x80", "\xe2\x82", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                                "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xf0\x9f\x98"})
    EXPECT_EQ(first_invalid_utf8(plain + bad + "more of the text"), plain.size()) << bad;
}

TEST(Utf8, NulIsInvalid) {
  EXPECT_EQ(first_invalid_utf8(std::string("ab\0c", 4)), 2U);
  EXPECT_EQ(first_invalid_utf8(std::string("0123456789\0abcdefgh", 19)), 10U);
}

}  // namespace
}  // namespace halyard::isa
