// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/emulator_report.h"

#include "runtime/verification/comparison.h"

#include <gtest/gtest.h>

namespace halyard::verification {
namespace {

TEST(EmulatorReport, EachKindHasItsVerdict) {
  EXPECT_EQ(verdict_of_report("out_of_bounds: A load."), VerdictClass::kBounds);
  EXPECT_EQ(verdict_of_report("misaligned: A load."), VerdictClass::kBounds);
  EXPECT_EQ(verdict_of_report("uninitialized: v3."), VerdictClass::kNondet);
  EXPECT_EQ(verdict_of_report("race: In the LDS."), VerdictClass::kNondet);
  EXPECT_EQ(verdict_of_report("missing_wait: v3."), VerdictClass::kNondet);
  EXPECT_EQ(verdict_of_report("divergent_barrier: s_barrier."), VerdictClass::kHang);
  EXPECT_EQ(verdict_of_report("budget_exceeded: 5."), VerdictClass::kHang);
  EXPECT_EQ(verdict_of_report("branch_outside: s_setpc."), VerdictClass::kStatic);
  EXPECT_EQ(verdict_of_report("trap: s_trap."), VerdictClass::kStatic);
  EXPECT_EQ(verdict_of_report("store_to_constant: x."), VerdictClass::kCheat);
}

TEST(EmulatorReport, WhatTheEmulatorDoesNotKnowSaysNothingOfTheKernel) {
  EXPECT_EQ(verdict_of_report("unknown_instruction: V_NEW."), VerdictClass::kUndecided);
  EXPECT_EQ(verdict_of_report("of a later version: it"), VerdictClass::kUndecided);
  EXPECT_EQ(verdict_of_report(""), VerdictClass::kUndecided);
}

TEST(EmulatorReport, IsTheReasonOfTheMismatch) {
  const auto mismatch =
      outcome_mismatch({LaunchOutcome::Kind::kReported, "race: v3 and v4 differ.", {}});
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->verdict, VerdictClass::kNondet);
  EXPECT_EQ(mismatch->sentence, "The emulator stops the kernel: race: v3 and v4 differ.");
}

}  // namespace
}  // namespace halyard::verification
