// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/canonical_json.h"

#include "runtime/base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <utility>

namespace halyard::base {
namespace {

std::string canonical(std::string_view text) {
  return canonical_json(parse_json(text, "a.json").value());
}

TEST(CanonicalJson, ExampleOfTheRfcIsReproduced) {
  EXPECT_EQ(canonical(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]})"),
            "{\"literals\":[null,true,false],"
            "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST(CanonicalJson, KeysAreOrderedByUtf16Units) {
  // U+1F600 is the surrogate d83d there, before U+FB33.
  EXPECT_EQ(
      canonical("{\"\xef\xac\xb3\":1,\"\xf0\x9f\x98\x80\":2,\"\xe2\x82\xac\":3,\"1\":4,\"\":5,"
                "\"10\":6}"),
      "{\"\":5,\"1\":4,\"10\":6,\"\xe2\x82\xac\":3,\"\xf0\x9f\x98\x80\":2,\"\xef\xac\xb3\":1}");
}

TEST(CanonicalJson, NumbersAreWrittenAsEcmaScriptDoes) {
  const std::pair<std::uint64_t, std::string_view> samples[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
  };
  for (const auto& [bits, text] : samples) {
    EXPECT_EQ(canonical_json(boost::json::value(std::bit_cast<double>(bits))), text);
  }
}

TEST(CanonicalJson, EqualNumbersHaveOneForm) {
  EXPECT_EQ(canonical("[1, 1.0, 10e-1, -0, -0.0]"), "[1,1,1,0,0]");
}

TEST(CanonicalJson, WideIntegersKeepTheirDigits) {
  EXPECT_EQ(canonical("[9223372036854775807, 18446744073709551615, -9223372036854775808]"),
            "[9223372036854775807,18446744073709551615,-9223372036854775808]");
}

TEST(CanonicalJson, CanonicalFormIsAFixedPoint) {
  const std::string once = canonical(R"({"b": [1.5, {"z": "\u0001", "a": {}}], "a": []})");
  EXPECT_EQ(canonical(once), once);
}

TEST(LineJson, MembersKeepTheirOrderOnOneLine) {
  const auto value = parse_json(R"({"b":[1,"x"],"a":{},"c":1.5e9})", "a.json").value();
  EXPECT_EQ(line_json(value), R"({"b": [1, "x"], "a": {}, "c": 1500000000})");
}

TEST(PrettyJson, MembersKeepTheirOrderOverLines) {
  EXPECT_EQ(pretty_json(parse_json(R"({"b": [1, "x"], "a": {}, "c": []})", "a.json").value()),
            "{\n  \"b\": [\n    1,\n    \"x\"\n  ],\n  \"a\": {},\n  \"c\": []\n}\n");
}

}  // namespace
}  // namespace halyard::base
