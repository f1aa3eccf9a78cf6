// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/shown_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace halyard::command_line {
namespace {

TEST(ShownText, PlainTextStays) {
  const std::string text = "rms_norm: 3 µs … 漢字 \xf0\x9f\x99\x82";
  EXPECT_EQ(shown_text(text), text);
  EXPECT_EQ(shown_text(""), "");
}

TEST(ShownText, WhatATerminalActsOnIsSpelled) {
  EXPECT_EQ(shown_text("a\x1b[31m\n\tb\x7f"), "a\\u001b[31m\\u000a\\u0009b\\u007f");
  EXPECT_EQ(shown_text(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(shown_text("\xc2\x9b"), "\\u009b");
  EXPECT_EQ(shown_text("\xe2\x80\xae"
                       "gnp\xe2\x81\xa6"),
            "\\u202egnp\\u2066");
}

TEST(ShownText, BytesThatAreNoUtf8AreSpelled) {
  EXPECT_EQ(shown_text("a\x9b\x33"), "a\\x9b3");
  EXPECT_EQ(shown_text("\xc0\x9b"), "\\xc0\\x9b");
  EXPECT_EQ(shown_text("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(shown_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(shown_text("cut \xe2\x80"), "cut \\xe2\\x80");
}

TEST(ShownStream, KeepsLinesAndJoinsCharactersThatComeInParts) {
  std::ostringstream out;
  {
    const ShownStream shown(out);
    out << "a\tb\n\x1b[2J" << '\xc2' << '\xb5' << '\xc2' << '\x9b' << 7 << std::flush << '\xe2';
    EXPECT_EQ(out.rdstate(), std::ios_base::goodbit);
  }
  EXPECT_EQ(out.str(), "a\tb\n\\u001b[2Jµ\\u009b7\\xe2");
  out << '\x1b';
  EXPECT_TRUE(out.str().ends_with('\x1b'));
}

TEST(ShownStream, FailureOfTheStreamStaysWithIt) {
  std::ostringstream out;
  {
    const ShownStream shown(out);
    out.setstate(std::ios_base::badbit);
  }
  EXPECT_TRUE(out.bad());
}

}  // namespace
}  // namespace halyard::command_line
