// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <limits>

namespace halyard::base {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"M", "n", "TILE_N", "device.compute_units"};

std::optional<std::uint32_t> slot_of(std::string_view name) {
  for (std::uint32_t slot = 0; slot < kNames.size(); ++slot) {
    if (kNames[slot] == name) return slot;
  }
  return std::nullopt;
}

using Slots = std::array<std::int64_t, 4>;
constexpr Slots kSlots = {100, 0, 64, 7};

std::int64_t value_of(std::string_view text, const Slots& slots = kSlots) {
  const Result<Expression> expression = Expression::compile(text, slot_of);
  if (!expression) {
    ADD_FAILURE() << expression.error().message();
    return -1;
  }
  const Result<std::int64_t> value = expression->evaluate(slots);
  if (!value) {
    ADD_FAILURE() << value.error().message();
    return -1;
  }
  return *value;
}

std::string compile_error(std::string_view text) {
  const Result<Expression> expression = Expression::compile(text, slot_of);
  if (expression) return "no error";
  EXPECT_EQ(expression.error().code(), ErrorCode::kInvalidArgument);
  return expression.error().message();
}

std::string evaluation_error(std::string_view text, const Slots& slots = kSlots) {
  const Result<Expression> expression = Expression::compile(text, slot_of);
  if (!expression) return expression.error().message();
  const Result<std::int64_t> value = expression->evaluate(slots);
  std::int64_t untouched = 42;
  EXPECT_EQ(expression->evaluate_into(slots, &untouched), value.has_value());
  if (value) return "no error";
  EXPECT_EQ(untouched, 42);
  EXPECT_EQ(value.error().code(), ErrorCode::kInvalidArgument);
  return value.error().message();
}

TEST(Expression, PrecedenceIsThatOfC) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("1 << 2 + 1"), 8);
  EXPECT_EQ(value_of("10 - 3 - 2"), 5);
  EXPECT_EQ(value_of("1 < 2 == 1"), 1);
  EXPECT_EQ(value_of("1 || 0 && 0"), 1);
  EXPECT_EQ(value_of("-2 * -3"), 6);
  EXPECT_EQ(value_of("!0 + 1"), 2);
  EXPECT_EQ(value_of("- - 3"), 3);
}

TEST(Expression, NamesReadTheirSlots) {
  EXPECT_EQ(value_of("ceil_div(M, TILE_N) * device.compute_units"), 14);
  EXPECT_EQ(value_of("M % TILE_N"), 36);
}

TEST(Expression, DivisionTruncatesAndCeilDivRoundsUp) {
  EXPECT_EQ(value_of("-7 / 2"), -3);
  EXPECT_EQ(value_of("-7 % 2"), -1);
  EXPECT_EQ(value_of("7 / -2"), -3);
  EXPECT_EQ(value_of("ceil_div(7, 2)"), 4);
  EXPECT_EQ(value_of("ceil_div(8, 2)"), 4);
  EXPECT_EQ(value_of("ceil_div(-7, 2)"), -3);
  EXPECT_EQ(value_of("ceil_div(-7, -2)"), 4);
  EXPECT_EQ(value_of("ceil_div(0, 5)"), 0);
}

TEST(Expression, ComparisonsAndLogicGiveZeroOrOne) {
  EXPECT_EQ(value_of("5 && 7"), 1);
  EXPECT_EQ(value_of("5 || 0"), 1);
  EXPECT_EQ(value_of("0 || 9"), 1);
  EXPECT_EQ(value_of("0 || 0"), 0);
  EXPECT_EQ(value_of("!5"), 0);
  EXPECT_EQ(value_of("3 >= 3"), 1);
  EXPECT_EQ(value_of("3 != 3"), 0);
  EXPECT_EQ(value_of("2 > 3"), 0);
  EXPECT_EQ(value_of("3 <= 2"), 0);
}

TEST(Expression, LogicStopsAtTheDecidingSide) {
  EXPECT_EQ(value_of("n != 0 && 8 / n"), 0);
  EXPECT_EQ(value_of("n == 0 || 8 / n"), 1);
  EXPECT_EQ(value_of("n && 8 / n && 8 % n || 1"), 1);
}

TEST(Expression, SelectEvaluatesOnlyTheChosenSide) {
  EXPECT_EQ(value_of("select(n != 0, 8 / n, 3)"), 3);
  EXPECT_EQ(value_of("select(n == 0, 3, 8 / n) + select(1, 2, 1 / 0)"), 5);
}

TEST(Expression, MinimumAndMaximumCompareSigned) {
  EXPECT_EQ(value_of("min(-1, 3)"), -1);
  EXPECT_EQ(value_of("max(-1, min(5, 3))"), 3);
}

TEST(Expression, DivisionByZeroNamesTextAndValues) {
  EXPECT_EQ(evaluation_error("8 / n"), "Expression \"8 / n\" divides by zero (n = 0).");
  EXPECT_EQ(evaluation_error("M % n"), "Expression \"M % n\" divides by zero (M = 100, n = 0).");
  EXPECT_EQ(evaluation_error("ceil_div(1, 0)"), "Expression \"ceil_div(1, 0)\" divides by zero.");
}

TEST(Expression, EveryOverflowIsAFailure) {
  const Slots edge = {std::numeric_limits<std::int64_t>::max(),
                      std::numeric_limits<std::int64_t>::min(), 0, 0};
  EXPECT_EQ(evaluation_error("M + 1", edge),
            "Expression \"M + 1\" overflows 64 bits (M = 9223372036854775807).");
  for (const std::string_view text :
       {"n - 1", "M * 2", "-n", "n / -1", "ceil_div(n, -1)", "M << 1", "1 << 63", "n << 1"}) {
    EXPECT_NE(evaluation_error(text, edge).find("overflows 64 bits"), std::string::npos) << text;
  }
  EXPECT_EQ(value_of("n % -1", edge), 0);
  EXPECT_EQ(value_of("M - 1 + 1", edge), edge[0]);
}

TEST(Expression, ShiftsOutsideTheWordAreFailures) {
  EXPECT_EQ(value_of("1 << 62"), std::int64_t{1} << 62);
  EXPECT_EQ(value_of("-8 >> 1"), -4);
  EXPECT_EQ(evaluation_error("1 << 64"),
            "Expression \"1 << 64\" shifts by a count outside 0 to 63.");
  EXPECT_EQ(evaluation_error("1 >> (n - 1)"),
            "Expression \"1 >> (n - 1)\" shifts by a count outside 0 to 63 (n = 0).");
}

TEST(Expression, UnknownNameIsNamedWithItsColumn) {
  EXPECT_EQ(compile_error("M + hiden"),
            "Expression \"M + hiden\", column 5: the name \"hiden\" is unknown.");
  EXPECT_EQ(compile_error("log(M)"),
            "Expression \"log(M)\", column 1: the function \"log\" is unknown.");
}

TEST(Expression, BrokenTextsSayWhere) {
  EXPECT_EQ(compile_error(""),
            "Expression \"\", column 1: the end stands where a value is expected.");
  EXPECT_EQ(compile_error("1 +"),
            "Expression \"1 +\", column 4: the end stands where a value is expected.");
  EXPECT_EQ(compile_error("1 2"),
            "Expression \"1 2\", column 3: \"2\" follows a complete expression.");
  EXPECT_EQ(compile_error("min(1)"),
            "Expression \"min(1)\", column 6: \")\" stands where \",\" is expected.");
  EXPECT_EQ(compile_error("(1"),
            "Expression \"(1\", column 3: the end stands where \")\" is expected.");
  EXPECT_EQ(compile_error("1 < 2 < 3"),
            "Expression \"1 < 2 < 3\", column 7: \"<\" chains comparisons.");
  EXPECT_EQ(compile_error("9223372036854775808"),
            "Expression \"9223372036854775808\", column 1: \"9223372036854775808\" is not a 64-bit "
            "integer.");
  for (const std::string_view text :
       {"1 & 2", "1 = 2", "a b", "1.5", "M.", "0x10", "3M", "$", "? 1 : 2", "max(1, 2, 3)",
        "select(1, 2)", ")", "M!", "\xff"}) {
    EXPECT_NE(compile_error(text), "no error") << text;
  }
}

TEST(Expression, NestingIsLimited) {
  const std::string deep = std::string(64, '(') + "1" + std::string(64, ')');
  EXPECT_EQ(value_of(deep), 1);
  const std::string deeper = "(" + deep + ")";
  EXPECT_NE(compile_error(deeper).find("the nesting is deeper than 64"), std::string::npos);
}

TEST(Expression, FullestStackFits) {
  std::string text = "1";
  for (int level = 0; level < 64; ++level) {
    text = "min(0,0==0<0<<0+1*" + text + ")";
  }
  EXPECT_EQ(value_of(text), 0);
}

TEST(Expression, LongTextIsRefused) {
  EXPECT_EQ(value_of(std::string(4095, ' ') + "1"), 1);
  EXPECT_EQ(
      compile_error("1" + std::string(4096, ' ')),
      "An expression has 4097 bytes, more than 4096, starting \"1                               "
      "\".");
  EXPECT_EQ(value_of(std::string(4094, '-') + "1"), 1);
}

TEST(Expression, NamesAreListedOnceInOrder) {
  const std::vector<std::string> expected = {"sizeof.T", "M", "n"};
  EXPECT_EQ(Expression::names_of("sizeof.T * M + min(M, n) * sizeof.T"), expected);
  const Result<Expression> expression = Expression::compile("n + M * n", slot_of);
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->names(), (std::vector<std::string>{"n", "M"}));
  EXPECT_FALSE(expression->is_constant());
  EXPECT_EQ(expression->text(), "n + M * n");
}

TEST(Expression, ConstantNeedsNoSlots) {
  const Result<Expression> expression = Expression::compile("2 * 8", nullptr);
  ASSERT_TRUE(expression);
  EXPECT_TRUE(expression->is_constant());
  EXPECT_EQ(expression->evaluate({}).value(), 16);
}

TEST(Expression, MissingSlotsAreAnError) {
  const Result<Expression> expression = Expression::compile("TILE_N", slot_of);
  ASSERT_TRUE(expression);
  const Result<std::int64_t> value = expression->evaluate({});
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().message(), "Expression \"TILE_N\" needs 3 values, but has 0.");
}

}  // namespace
}  // namespace halyard::base
