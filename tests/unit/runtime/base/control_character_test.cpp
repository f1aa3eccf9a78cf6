// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/control_character.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::base {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

TEST(ControlCharacter, EachKindIsFound) {
  EXPECT_EQ(find_control_character("ab\x1b[31m"), 2U);
  EXPECT_EQ(find_control_character("a\nb\tc"), 1U);
  EXPECT_EQ(find_control_character("a\nb\tc", 2), 3U);
  EXPECT_EQ(find_control_character(std::string_view("a\0", 2)), 1U);
  EXPECT_EQ(find_control_character("\x7f"), 0U);
  EXPECT_EQ(find_control_character("a\xc2\x9b"), 1U);
}

TEST(ControlCharacter, TextHasNone) {
  EXPECT_EQ(find_control_character(""), kNone);
  EXPECT_EQ(find_control_character("Radeon\xe2\x84\xa2 \xc2\xb5s \xc2\xa9"), kNone);
  EXPECT_EQ(find_control_character("cut \xc2"), kNone);
  EXPECT_EQ(find_control_character("a\n", 2), kNone);
}

TEST(ControlCharacter, AreSpelled) {
  EXPECT_EQ(spell_control_characters("a\x1b[31m\n\x7f"
                                     "b"),
            "a\\u001b[31m\\u000a\\u007fb");
  EXPECT_EQ(spell_control_characters("\xc2\x9b \xc2\xb5s"), "\\u009b \xc2\xb5s");
  EXPECT_EQ(spell_control_characters(""), "");
}

}  // namespace
}  // namespace halyard::base
