// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/document.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <stdexcept>

namespace halyard::command_line {
namespace {

TEST(Document, MembersAreReadAsText) {
  const auto document = parse_document(
      R"({"text": "a", "whole": 65536, "large": 122880000000000, "part": 2.5, "small": 1e-05,
          "flag": true, "none": null})",
      "The document");
  EXPECT_EQ(text_of(document, "text"), "a");
  EXPECT_EQ(text_of(document, "whole"), "65536");
  EXPECT_EQ(text_of(document, "large"), "122880000000000");
  EXPECT_EQ(text_of(document, "part"), "2.5");
  EXPECT_EQ(text_of(document, "small"), "1e-05");
  EXPECT_EQ(text_of(document, "flag"), "true");
  EXPECT_EQ(text_of(document, "none"), "");
  EXPECT_EQ(text_of(document, "missing"), "");
}

TEST(Document, WhatIsNoObjectIsRefusedWithItsName) {
  for (const char* const text : {"[]", "{", ""}) {
    try {
      parse_document(text, "The list");
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("The list is not ")) << error.what();
    }
  }
}

TEST(Document, ScalarsAreJoined) {
  const auto document = parse_document(R"({"list": ["a", 2, 0.5], "pairs": {"T": "f32"}})", "x");
  EXPECT_EQ(join(array_of(document, "list"), ", "), "a, 2, 0.5");
  EXPECT_EQ(pairs_text(object_of(document, "pairs")), "T=f32");
  EXPECT_TRUE(array_of(document, "pairs").empty());
}

}  // namespace
}  // namespace halyard::command_line
