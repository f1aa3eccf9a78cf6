// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/form_condition.h"

#include "tests/unit/capability-descriptors/isa/small_instruction_set.h"

#include <gtest/gtest.h>

#include <array>

namespace halyard::isa {
namespace {

using testing::field;

Encoding two_dwords() {
  Encoding encoding;
  encoding.name = "E";
  encoding.bits = 64;
  encoding.fields = {field("AX", 0, 8), field("AY", 8, 8), field("WIDE", 16, 12),
                     field("FAR", 40, 9), field("SPLIT", 0, 2)};
  encoding.fields[4].ranges.push_back({40, 2});
  return encoding;
}

bool holds(const std::string& expression, std::array<std::uint32_t, 2> words,
           std::uint32_t part = 0) {
  ConditionTable table;
  const ConditionId id = table.add(two_dwords(), expression, part);
  return table.evaluate(id, words) == ConditionAnswer::kYes;
}

TEST(FormCondition, ConjunctionsOverSingleFieldsHoldTogether) {
  EXPECT_TRUE(holds("AX != 250 && AX != 255 && FAR != 255", {0x10, 0}));
  EXPECT_FALSE(holds("AX != 250 && AX != 255 && FAR != 255", {0xfa, 0}));
  EXPECT_FALSE(holds("AX != 250 && AX != 255 && FAR != 255", {0xff, 0}));
  EXPECT_FALSE(holds("AX != 250 && AX != 255 && FAR != 255", {0, 255 << 8}));
  EXPECT_TRUE(holds("(AX == 233 || AX == 234) && FAR == 1", {234, 1 << 8}));
  EXPECT_FALSE(holds("(AX == 233 || AX == 234) && FAR == 1", {235, 1 << 8}));
}

TEST(FormCondition, WhatJoinsFieldsIsEvaluatedToo) {
  EXPECT_TRUE(holds("AX == AY", {0x0707, 0}));
  EXPECT_FALSE(holds("AX == AY", {0x0807, 0}));
  EXPECT_TRUE(holds("AX == 1 || FAR == 2 && AX == 3", {1, 0}));
  EXPECT_TRUE(holds("WIDE == 4095", {0xfff << 16, 0}));
  EXPECT_TRUE(holds("SPLIT == 9", {1, 2 << 8}));
}

TEST(FormCondition, ConstantsAreKnownWithoutWords) {
  ConditionTable table;
  EXPECT_EQ(table.add(two_dwords(), "1", 0), kAlways);
  EXPECT_EQ(table.add(two_dwords(), "1 && 0", 0), kNever);
  EXPECT_EQ(table.add(two_dwords(), "AX == 5 && AX == 6", 0), kNever);
}

TEST(FormCondition, WhatIsNotUnderstoodNeverHolds) {
  ConditionTable table;
  EXPECT_EQ(table.add(two_dwords(), "", 0), kNever);
  EXPECT_EQ(table.add(two_dwords(), "AX ==", 0), kNever);
  EXPECT_EQ(table.add(two_dwords(), "NOTHING == 5", 0), kNever);
  EXPECT_EQ(table.evaluate(kNever, std::array<std::uint32_t, 1>{0}), ConditionAnswer::kNo);
}

TEST(FormCondition, TheSecondHalfLooksAtItsOwnFields) {
  EXPECT_TRUE(holds("AX == 255", {0x00ff, 0}, 0));
  EXPECT_FALSE(holds("AX == 255", {0x00ff, 0}, 1));
  EXPECT_TRUE(holds("AX == 255", {0xff00, 0}, 1));
  EXPECT_TRUE(holds("FAR == 1", {0, 1 << 8}, 1));
}

TEST(FormCondition, FieldsBeyondTheWordsCutOff) {
  ConditionTable table;
  const std::array<std::uint32_t, 1> words = {0x0101};
  EXPECT_EQ(table.evaluate(table.add(two_dwords(), "FAR == 0", 0), words),
            ConditionAnswer::kCutOff);
  EXPECT_EQ(table.evaluate(table.add(two_dwords(), "AX == FAR", 0), words),
            ConditionAnswer::kCutOff);
  EXPECT_EQ(table.evaluate(table.add(two_dwords(), "AX == 9 && FAR == 0", 0), words),
            ConditionAnswer::kNo);
}

}  // namespace
}  // namespace halyard::isa
