// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_diagnostics.h"

#include <gtest/gtest.h>

#include <random>

namespace halyard::worker {
namespace {

constexpr std::size_t kMany = 1 << 20;

std::string clean(std::string_view raw) {
  return clean_diagnostics(raw, "", kMany);
}

TEST(CompileDiagnostics, PlainTextIsLeftAsItIs) {
  EXPECT_EQ(clean("a.cpp:1:2: error: no\n\tint x;\n"), "a.cpp:1:2: error: no\n\tint x;\n");
  EXPECT_EQ(clean("größe \xe2\x86\x92 \xf0\x9f\x98\x80"), "größe \xe2\x86\x92 \xf0\x9f\x98\x80");
}

TEST(CompileDiagnostics, ControlCharactersGo) {
  EXPECT_EQ(clean(std::string_view("a\0b\x07\x08"
                                   "c\x1b[31md\r\n\x7f"
                                   "e\xc2\x9b"
                                   "f",
                                   20)),
            "abc[31md\nef");
}

TEST(CompileDiagnostics, WhatTurnsOrHidesTextGoes) {
  EXPECT_EQ(clean("a\xe2\x80\xae"
                  "b\xe2\x81\xa6"
                  "c\xe2\x80\x8b"
                  "d\xef\xbb\xbf"
                  "e\xd8\x9c"
                  "f\xf3\xa0\x81\xa1"
                  "g\xe2\x80\xa8"
                  "h"),
            "abcdefgh");
}

TEST(CompileDiagnostics, BytesThatAreNoUtf8AreReplaced) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(clean("a\xff"
                  "b"),
            "a" + mark + "b");
  EXPECT_EQ(clean("\xc0\xaf"), mark + mark);                        // overlong
  EXPECT_EQ(clean("\xed\xa0\x80"), mark + mark + mark);             // surrogate
  EXPECT_EQ(clean("\xf4\x90\x80\x80"), mark + mark + mark + mark);  // above U+10FFFF
  EXPECT_EQ(clean("x\xe2\x82"), "x" + mark + mark);                 // cut off
}

TEST(CompileDiagnostics, TheFolderOfTheHostGoes) {
  EXPECT_EQ(clean_diagnostics("/tmp/x/in/package/a.cpp:1: no /tmp/x/out", "/tmp/x", kMany),
            "/in/package/a.cpp:1: no /out");
}

TEST(CompileDiagnostics, LongTextIsCutBetweenCharacters) {
  EXPECT_EQ(clean_diagnostics("abcdefgh", "", 5), "abcde\n[3 bytes left out]\n");
  EXPECT_EQ(clean_diagnostics("ab\xe2\x86\x92zz", "", 4), "ab\n[5 bytes left out]\n");
  EXPECT_EQ(clean_diagnostics("abcde", "", 5), "abcde");
}

TEST(CompileDiagnostics, RandomBytesBecomeTextThatStaysAsItIs) {
  std::minstd_rand random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string raw;
    for (std::size_t size = random() % 64; raw.size() < size;)
      raw += static_cast<char>(random() % 2 == 0 ? 0x80 + random() % 128 : random() % 128);
    const std::string once = clean(raw);
    EXPECT_EQ(clean(once), once);
    for (const char c : once)
      EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
  }
}

}  // namespace
}  // namespace halyard::worker
