// SPDX-License-Identifier: Apache-2.0
#include "runtime/dispatch/slot_value.h"

#include <gtest/gtest.h>

namespace halyard::dispatch {
namespace {

operators::SlotTable make_slots() {
  operators::SlotTable slots;
  EXPECT_TRUE(slots.add("M", 7));
  EXPECT_TRUE(slots.add("N", 5));
  return slots;
}

TEST(SlotValue, LiteralsSlotsAndExpressionsEvaluate) {
  const operators::SlotTable slots = make_slots();
  for (const auto& [text, expected] :
       {std::pair<const char*, std::int64_t>{"12", 12}, {"N", 5}, {"ceil_div(M, 2) * N", 20}}) {
    const auto value = SlotValue::compile(text, slots);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(expected, *value->evaluate(slots.values())) << text;
  }
}

TEST(SlotValue, UnknownNameIsRefused) {
  const auto value = SlotValue::compile("M * Q", make_slots());
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message().find("Q"), std::string::npos);
}

TEST(SlotValue, DivisionByZeroFailsWithASentence) {
  operators::SlotTable slots = make_slots();
  const auto value = SlotValue::compile("M / (N - 5)", slots);
  ASSERT_TRUE(value);
  std::int64_t out = 42;
  EXPECT_FALSE(value->evaluate_into(slots.values(), &out));
  EXPECT_EQ(42, out);
  EXPECT_NE(value->evaluate(slots.values()).error().message().find("M / (N - 5)"),
            std::string::npos);
}

}  // namespace
}  // namespace halyard::dispatch
