// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/json.h"

#include <gtest/gtest.h>

#include <string>

namespace halyard::base {
namespace {

std::string parse_error(std::string_view text, const JsonLimits& limits = {}) {
  const Result<boost::json::value> value = parse_json(text, "a.json", limits);
  if (value) return "no error";
  EXPECT_EQ(value.error().code(), ErrorCode::kCorruptData);
  return value.error().message();
}

TEST(JsonParse, EveryKindOfValueIsRead) {
  const auto value = parse_json(
      R"( {"a": [1, -2, 18446744073709551615, 0.1, 1e3], "b": "\u00e9\n\ud83d\ude00", "c": {},
          "d": [true, false, null]} )",
      "a.json");
  ASSERT_TRUE(value) << value.error().message();
  const boost::json::object& object = value->get_object();
  EXPECT_EQ(object.at("a").at(0).get_int64(), 1);
  EXPECT_EQ(object.at("a").at(1).get_int64(), -2);
  EXPECT_EQ(object.at("a").at(2).get_uint64(), 18446744073709551615ULL);
  EXPECT_EQ(object.at("a").at(3).get_double(), 0.1);
  EXPECT_EQ(object.at("a").at(4).get_double(), 1000.0);
  EXPECT_EQ(object.at("b").get_string(), "\xc3\xa9\n\xf0\x9f\x98\x80");
  EXPECT_TRUE(object.at("c").get_object().empty());
  EXPECT_TRUE(object.at("d").at(2).is_null());
}

TEST(JsonParse, FractionsRoundToTheNearestDouble) {
  const auto value = parse_json(
      "[0.1, 2.2250738585072011e-308, 1.7976931348623157e308, "
      "9007199254740993.0, 123456789.123456789e-20, 1e-400]",
      "a.json");
  ASSERT_TRUE(value) << value.error().message();
  const boost::json::array& numbers = value->get_array();
  EXPECT_EQ(numbers[0].get_double(), 0.1);
  EXPECT_EQ(numbers[1].get_double(), 2.2250738585072011e-308);
  EXPECT_EQ(numbers[2].get_double(), 1.7976931348623157e308);
  EXPECT_EQ(numbers[3].get_double(), 9007199254740992.0);
  EXPECT_EQ(numbers[4].get_double(), 123456789.123456789e-20);
  EXPECT_EQ(numbers[5].get_double(), 0.0);
}

TEST(JsonParse, DuplicateKeyIsPlacedByLineAndColumn) {
  EXPECT_EQ(parse_error("{\n  \"name\": 1,\n  \"name\": 2\n}"),
            "a.json:3:3: the key \"name\" stands twice in one object.");
  EXPECT_EQ(parse_error("{\"\": 1, \"\": 2}"),
            "a.json:1:9: the key \"\" stands twice in one object.");
}

TEST(JsonParse, DuplicateKeyIsFoundBehindEscapes) {
  const std::string message = parse_error("{\"name\": 1,\n\"n\\u0061me\": 2}");
  EXPECT_TRUE(message.starts_with("a.json:2:")) << message;
  EXPECT_TRUE(message.ends_with("the key \"name\" stands twice in one object.")) << message;
}

TEST(JsonParse, SameKeyInDifferentObjectsIsAllowed) {
  EXPECT_EQ(parse_error(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})"), "no error");
}

TEST(JsonParse, NestingIsLimited) {
  EXPECT_EQ(parse_error(std::string(64, '[') + std::string(64, ']')), "no error");
  EXPECT_EQ(parse_error(std::string(65, '[') + std::string(65, ']')),
            "a.json:1:65: the nesting is deeper than 64.");
  EXPECT_EQ(parse_error(std::string(1000000, '[')), "a.json:1:65: the nesting is deeper than 64.");
  std::string objects;
  for (int level = 0; level < 1000000; ++level)
    objects += "{\"a\":";
  EXPECT_NE(parse_error(objects).find("the nesting is deeper than 64."), std::string::npos);
}

TEST(JsonParse, SizeIsLimited) {
  JsonLimits limits;
  limits.size_bytes = 4;
  EXPECT_EQ(parse_error("null", limits), "no error");
  EXPECT_EQ(parse_error("null ", limits), "a.json: the document has 5 bytes, more than 4.");
}

TEST(JsonParse, InvalidUtf8IsRefused) {
  for (const std::string_view text :
       {"\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "{\"\x80\": 1}"}) {
    EXPECT_NE(parse_error(text).find("not valid UTF-8"), std::string::npos) << parse_error(text);
  }
}

TEST(JsonParse, LoneSurrogateEscapeIsRefused) {
  EXPECT_NE(parse_error(R"("\ud83d")"), "no error");
  EXPECT_NE(parse_error(R"("\ud83d\u0041")").find("surrogate has no partner"), std::string::npos);
  EXPECT_NE(parse_error(R"("\ude00")").find("surrogate has no partner"), std::string::npos);
}

TEST(JsonParse, ByteOrderMarkIsRefused) {
  EXPECT_EQ(parse_error("\xef\xbb\xbf{}"),
            "a.json:1:1: a byte order mark stands before the document.");
}

TEST(JsonParse, TruncatedDocumentsAreRefusedAtEveryByte) {
  const std::string text = R"({"a": [1, "xé", true], "b": null})";
  ASSERT_EQ(parse_error(text), "no error");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(parse_error(text.substr(0, size)), "no error") << size;
  }
  EXPECT_EQ(parse_error("{\"a\":\n [1,"), "a.json:2:5: the document ends too early.");
  EXPECT_EQ(parse_error(""), "a.json:1:1: the document ends too early.");
}

TEST(JsonParse, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ(parse_error("[1, 1e400]"), "a.json:1:5: the number 1e400 is too large for a double.");
  EXPECT_EQ(parse_error("[18446744073709551616]"),
            "a.json:1:2: the integer 18446744073709551616 does not fit 64 bits.");
  EXPECT_EQ(parse_error("-9223372036854775809"),
            "a.json:1:1: the integer -9223372036854775809 does not fit 64 bits.");
  EXPECT_NE(parse_error(std::string(100000, '9')).find("does not fit 64 bits"), std::string::npos);
  EXPECT_NE(parse_error("1e99999999999999999999"), "no error");
}

TEST(JsonParse, LooseSyntaxIsRefusedWhereItStands) {
  EXPECT_EQ(parse_error("[1, 2,]"), "a.json:1:7: the character ']' is out of place.");
  EXPECT_EQ(parse_error("{\"a\": 1}\n\nx"), "a.json:3:1: more text follows the document.");
  EXPECT_EQ(parse_error("[\"a\tb\"]"), "a.json:1:4: the byte 0x09 is out of place.");
  for (const std::string_view text :
       {"NaN", "Infinity", "01", "+1", ".5", "1.", "'a'", "{a: 1}", "// c\n1", "[1] [2]", "\"\\x\"",
        "nul", "tru", "[1 2]", "{\"a\" 1}"}) {
    EXPECT_NE(parse_error(text), "no error") << text;
  }
}

}  // namespace
}  // namespace halyard::base
