// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/json.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::base {
namespace {

class JsonObjectTest : public testing::Test {
 protected:
  JsonObject object(std::string_view text, std::string path = {}) {
    document_ = parse_json(text, "a.json").value();
    return JsonObject::from(document_, "a.json", std::move(path)).value();
  }

  template <typename T>
  static std::string message(const Result<T>& result) {
    if (result) return "no error";
    EXPECT_EQ(result.error().code(), ErrorCode::kCorruptData);
    return result.error().message();
  }

  boost::json::value document_;
};

TEST_F(JsonObjectTest, RequiredMembersAreRead) {
  const JsonObject reader =
      object(R"({"s": "x", "i": -3, "n": 2.5, "b": true, "o": {}, "a": [1], "whole": 4.0})");
  EXPECT_EQ(reader.required_string("s").value(), "x");
  EXPECT_EQ(reader.required_integer("i").value(), -3);
  EXPECT_EQ(reader.required_integer("whole").value(), 4);
  EXPECT_EQ(reader.required_number("n").value(), 2.5);
  EXPECT_EQ(reader.required_number("i").value(), -3.0);
  EXPECT_TRUE(reader.required_boolean("b").value());
  EXPECT_EQ(reader.required_object("o").value().path(), "/o");
  EXPECT_EQ(reader.required_array("a").value()->size(), 1U);
}

TEST_F(JsonObjectTest, AbsentOptionalMembersGiveTheirDefault) {
  const JsonObject reader = object("{}");
  EXPECT_EQ(reader.optional_string("x", "d").value(), "d");
  EXPECT_EQ(reader.optional_integer("x", 7).value(), 7);
  EXPECT_EQ(reader.optional_number("x", 0.5).value(), 0.5);
  EXPECT_TRUE(reader.optional_boolean("x", true).value());
  EXPECT_FALSE(reader.optional_object("x").value().has_value());
  EXPECT_EQ(reader.optional_array("x").value(), nullptr);
  EXPECT_TRUE(reader.optional_objects("x").value().empty());
  EXPECT_TRUE(reader.optional_strings("x").value().empty());
}

TEST_F(JsonObjectTest, MissingMemberIsNamedByItsPointer) {
  const JsonObject reader = object("{}", "/stages/0");
  EXPECT_EQ(message(reader.required_string("entry")), "a.json: /stages/0/entry is missing.");
  EXPECT_EQ(message(reader.required_string("a/b~c")), "a.json: /stages/0/a~1b~0c is missing.");
}

TEST_F(JsonObjectTest, WrongKindIsNamed) {
  const JsonObject reader = object(R"({"x": [1], "n": null})");
  EXPECT_EQ(message(reader.required_string("x")), "a.json: /x is an array, not a string.");
  EXPECT_EQ(message(reader.optional_integer("x", 0)), "a.json: /x is an array, not an integer.");
  EXPECT_EQ(message(reader.required_object("x")), "a.json: /x is an array, not an object.");
  EXPECT_EQ(message(reader.optional_string("n", "")), "a.json: /n is null, not a string.");
  EXPECT_EQ(message(reader.required_strings("x")), "a.json: /x/0 is a number, not a string.");
  EXPECT_EQ(message(reader.required_objects("x")), "a.json: /x/0 is a number, not an object.");
  EXPECT_EQ(message(JsonObject::from(boost::json::value(true), "a.json")),
            "a.json: the document is a boolean, not an object.");
}

TEST_F(JsonObjectTest, IntegersAreWholeAndInRange) {
  const JsonObject reader = object(R"({"f": 1.5, "big": 18446744073709551615, "p": 70000})");
  EXPECT_EQ(message(reader.required_integer("f")), "a.json: /f is not an integer of 64 bits.");
  EXPECT_EQ(message(reader.required_integer("big")), "a.json: /big is not an integer of 64 bits.");
  EXPECT_EQ(message(reader.required_integer("p", {0, 65535})),
            "a.json: /p is 70000, outside 0 to 65535.");
}

TEST_F(JsonObjectTest, ChoiceListsWhatIsAllowed) {
  constexpr std::array<std::string_view, 2> kRoles = {"input", "output"};
  const JsonObject reader = object(R"({"role": "inputs", "good": "output"})");
  EXPECT_EQ(reader.required_choice("good", kRoles).value(), "output");
  EXPECT_EQ(reader.optional_choice("absent", kRoles, "input").value(), "input");
  EXPECT_EQ(message(reader.required_choice("role", kRoles)),
            "a.json: /role is \"inputs\", not one of \"input\", \"output\".");
}

TEST_F(JsonObjectTest, UnknownKeyNamesTheNearest) {
  const JsonObject reader = object(R"({"name": "x", "versoin": "1", "zzz": 1})");
  EXPECT_TRUE(reader.refuse_unknown_keys({"name", "versoin", "zzz"}));
  EXPECT_EQ(message(reader.refuse_unknown_keys({"name", "version", "zzz"})),
            "a.json: /versoin is an unknown key; the nearest is \"version\".");
  EXPECT_EQ(message(reader.refuse_unknown_keys({"name", "versoin"})),
            "a.json: /zzz is an unknown key.");
}

TEST_F(JsonObjectTest, ObjectsOfAnArrayCarryTheirPointer) {
  const JsonObject reader = object(R"({"stages": [{"n": 1}, {"n": "x"}]})");
  const auto stages = reader.required_objects("stages").value();
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(message(stages[1].required_integer("n")),
            "a.json: /stages/1/n is a string, not an integer.");
}

}  // namespace
}  // namespace halyard::base
