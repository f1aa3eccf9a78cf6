// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_operand.h"

#include <gtest/gtest.h>

namespace halyard::isa {
namespace {

std::string text_of(const std::vector<RegisterRange>& ranges) {
  std::string text;
  for (const RegisterRange& range : ranges)
    text += range.prefix + std::to_string(range.first_number) + "@" +
            std::to_string(range.first_value) + "x" + std::to_string(range.count) + " ";
  return text;
}

TEST(AmdIsaOperand, RunsOfRegistersAreFolded) {
  std::vector<NamedValue> values = {{"s0", 0},   {"s1", 1},   {"s2", 2},      {"vcc_lo", 106},
                                    {"v4", 260}, {"v5", 261}, {"ttmp0", 108}, {"ttmp1", 109}};
  EXPECT_EQ(text_of(fold_registers(values)), "s0@0x3 v4@260x2 ttmp0@108x2 ");
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0].name, "vcc_lo");
}

TEST(AmdIsaOperand, WhatIsNoRunStays) {
  // A single register, numbers, a leading zero, a gap in the numbers, a gap in the values.
  std::vector<NamedValue> values = {{"m0", 124},        {"0", 128},
                                    {"1", 129},         {"s01", 1},
                                    {"s02", 2},         {"v0", 256},
                                    {"v2", 257},        {"a0", 5},
                                    {"a1", 7},          {"0.5", 240},
                                    {"-1", 193},        {"-2", 194},
                                    {"x1", 1ULL << 40}, {"x2", (1ULL << 40) + 1}};
  EXPECT_EQ(text_of(fold_registers(values)), "");
  EXPECT_EQ(values.size(), 14U);
}

}  // namespace
}  // namespace halyard::isa
