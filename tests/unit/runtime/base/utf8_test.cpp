// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/utf8.h"

#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(Utf8, CharactersOfEachLengthAreValid) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf\xf0\x90\x80\x80"));
  EXPECT_TRUE(is_utf8("\xf4\x8f\xbf\xbf"));
}

TEST(Utf8, OtherBytesAreNot) {
  for (const char* const text :
       {"\x80", "a\xff", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2", "\xe2\x82", "\xf0\x9f\x99", "\xe2\x82z"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace halyard::base
