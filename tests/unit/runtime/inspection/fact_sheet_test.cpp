// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/fact_sheet.h"

#include <gtest/gtest.h>

namespace halyard::services {
namespace {

FactSheet three_sections() {
  FactSheet sheet;
  sheet.begin("Head");
  sheet.add("always");
  sheet.begin("Empty");
  sheet.begin("Near");
  sheet.add(std::vector<std::string>{"one", "two"});
  sheet.begin("Far");
  for (int i = 0; i < 100; ++i)
    sheet.add("a line of thirty characters ..");
  return sheet;
}

TEST(FactSheet, WithoutBudgetEverythingStandsInOrder) {
  FactSheet sheet;
  sheet.begin("Head");
  sheet.add("always");
  sheet.begin("Empty");
  sheet.begin("Near");
  sheet.add("one");
  EXPECT_EQ(sheet.text(0, "x").value(), "# Head\nalways\n\n# Near\none\n\nNothing is left out.\n");
  sheet.leave_out("4 others are not listed.");
  EXPECT_TRUE(sheet.text(0, "x").value().ends_with("one\n\n4 others are not listed.\n"));
}

TEST(FactSheet, BudgetCutsAtALineAndSaysWhatIsGone) {
  EXPECT_EQ(three_sections().text(40, "x").value(),
            "# Head\nalways\n\n# Near\none\ntwo\n\n# Far\na line of thirty characters ..\n\n"
            "Left out for the budget of 40 tokens: 99 lines: part of Far.\n");
  EXPECT_EQ(three_sections().text(21, "x").value(),
            "# Head\nalways\n\n"
            "Left out for the budget of 21 tokens: 102 lines: Near, Far.\n");
}

TEST(FactSheet, NoBudgetIsExceeded) {
  const FactSheet sheet = three_sections();
  std::size_t last = 0;
  for (std::size_t tokens = 20; tokens < 1000; ++tokens) {
    const auto text = sheet.text(tokens, "x");
    ASSERT_TRUE(text) << tokens;
    EXPECT_LE(text->size(), tokens * kBytesPerToken);
    EXPECT_GE(text->size() + 8, last) << tokens;  // a number in the last line may get shorter
    last = text->size();
  }
}

TEST(FactSheet, BudgetBelowTheHeadIsRefusedWithBothNumbers) {
  const auto text = three_sections().text(3, "amd/gfx1100");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(text.error().message(),
            "The budget of 3 tokens is below the 19 of the head of the facts about amd/gfx1100.");
}

}  // namespace
}  // namespace halyard::services
