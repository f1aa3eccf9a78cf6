// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_condition.h"

#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

std::vector<Field> fields() {
  std::vector<Field> fields(3);
  fields[0].name = "SRC0";
  fields[1].name = "SRC1";
  fields[2].name = "NSA";
  return fields;
}

// The expression, or the message of the error.
std::string read(const std::string& tree) {
  pugi::xml_document document;
  EXPECT_TRUE(
      document.load_string(("<CondtionExpression>" + tree + "</CondtionExpression>").c_str()));
  auto expression = read_condition(document.document_element(), fields());
  if (expression) return *expression;
  EXPECT_EQ(expression.error().code(), base::ErrorCode::kUnsupported);
  return expression.error().message();
}

std::string field(const std::string& name) {
  return "<op type='.fieldderef'><op type='.fieldderef'><id val='INST'/><id val='VOP3'/></op>"
         "<id val='" +
         name + "'/><ty><t base='I' size='32'/></ty></op>";
}

std::string op(const std::string& name, const std::string& operands) {
  return "<op type='" + name + "'>" + operands + "<ty><t base='U' size='1'/></ty></op>";
}

std::string literal(int value) {
  return "<lit val='" + std::to_string(value) + "'/>";
}

TEST(AmdIsaCondition, NothingAndOneAreAlwaysTrue) {
  EXPECT_EQ(read(""), "1");
  EXPECT_EQ(read(literal(1)), "1");
  EXPECT_EQ(read("<Expression Type='Literal'><Value/></Expression>"), "1");
}

TEST(AmdIsaCondition, OperatorsBecomeThoseOfExpressions) {
  EXPECT_EQ(read(op("!=", field("SRC0") + literal(255))), "SRC0 != 255");
  EXPECT_EQ(read(op("&amp;&amp;", op("==", field("SRC0") + literal(255)) +
                                      op("!=", field("SRC1") + literal(255)))),
            "SRC0 == 255 && SRC1 != 255");
  EXPECT_EQ(read(op("||", op("&amp;&amp;", field("SRC0") + field("SRC1")) + field("NSA"))),
            "(SRC0 && SRC1) || NSA");
  EXPECT_EQ(read(op("&amp;&amp;", op("||", field("SRC0") + field("SRC1")) + field("NSA"))),
            "(SRC0 || SRC1) && NSA");
  EXPECT_EQ(read(op(".boolneg", op("==", field("NSA") + literal(1)))), "!(NSA == 1)");
  EXPECT_EQ(read(op("!", field("NSA"))), "!NSA");
  EXPECT_EQ(read(op("&lt;", op("+", field("NSA") + literal(-1)) + literal(3))), "(NSA + (-1)) < 3");
  EXPECT_EQ(read(op("?:", field("NSA") + literal(1) + field("SRC0"))), "select(NSA, 1, SRC0)");
}

TEST(AmdIsaCondition, ListsBecomeComparisons) {
  const std::string list = op(".cons_array", literal(250) + literal(233));
  EXPECT_EQ(read(op(".within", field("SRC0") + list)), "SRC0 == 250 || SRC0 == 233");
  EXPECT_EQ(read(op(".notwithin", field("SRC0") + list)), "SRC0 != 250 && SRC0 != 233");
  EXPECT_EQ(read(op("&amp;&amp;", op(".within", field("SRC0") + list) + field("NSA"))),
            "(SRC0 == 250 || SRC0 == 233) && NSA");
  EXPECT_EQ(read(op(".within", field("SRC0") + op(".cons_array", ""))), "0");
}

TEST(AmdIsaCondition, WhatIsNotKnownIsNamed) {
  EXPECT_EQ(read(op(".popcount", field("SRC0") + literal(1))),
            "the operator \".popcount\" is not known");
  EXPECT_EQ(read(op("+", field("SRC0"))), "the operator \"+\" with 1 operands is not known");
  EXPECT_EQ(read(field("SRC9")), "the encoding has no field SRC9");
  EXPECT_EQ(read("<rec/>"), "the node \"rec\" is not known");
  EXPECT_EQ(read("<lit val='many'/>"), "the literal \"many\" is not an integer");
  EXPECT_EQ(read(literal(1) + literal(2)), "there are 2 trees, not one");
  EXPECT_EQ(read(op(".within", field("SRC0") + literal(1))),
            "a value is looked for in something that is no list");
}

TEST(AmdIsaCondition, TreesThatGrowAreRefused) {
  std::string tree = field("SRC0");
  for (int level = 0; level < 40; ++level)
    tree = op(".within", tree + op(".cons_array", literal(1) + literal(2)));
  EXPECT_EQ(read(tree), "the expression is longer than 4096 bytes");
  std::string deep = field("SRC0");
  for (int level = 0; level < 100; ++level)
    deep = op("!", deep);
  EXPECT_NE(read(deep).find("deep"), std::string::npos) << read(deep);
}

}  // namespace
}  // namespace halyard::isa
