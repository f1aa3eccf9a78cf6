// SPDX-License-Identifier: Apache-2.0
#include "backends/emulator/detect/bit_definedness.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace halyard::emulator {
namespace {

constexpr Bits kUnknown{0, 0xffffffff};

std::uint64_t of(DefinednessRule rule, Bits a, Bits b = {}, Bits c = {}) {
  return undefined_bits(rule, {a, b, c}, 32);
}

}  // namespace

TEST(BitDefinedness, AndWithAZeroIsDefined) {
  EXPECT_EQ(of(DefinednessRule::kAnd, kUnknown, {0xff, 0}), 0xffU);
}

TEST(BitDefinedness, OrWithAOneIsDefined) {
  EXPECT_EQ(of(DefinednessRule::kOr, kUnknown, {0xff, 0}), 0xffffff00U);
}

TEST(BitDefinedness, AndWithAnInvertedSourceLooksAtItsOnes) {
  EXPECT_EQ(of(DefinednessRule::kAndNot, kUnknown, {0xffff0000, 0}), 0xffffU);
  EXPECT_EQ(of(DefinednessRule::kNotAnd, {0xffff0000, 0}, kUnknown), 0xffffU);
}

TEST(BitDefinedness, ExclusiveOrKeepsWhatIsUndefinedInEither) {
  EXPECT_EQ(of(DefinednessRule::kXor, {0, 0xf0}, {0, 0x0f}), 0xffU);
}

TEST(BitDefinedness, ShiftsMoveUndefinedBits) {
  EXPECT_EQ(of(DefinednessRule::kShiftLeft, {8, 0}, {0, 0xff}), 0xff00U);
  EXPECT_EQ(of(DefinednessRule::kShiftRight, {8, 0}, {0, 0xff00}), 0xffU);
}

TEST(BitDefinedness, ArithmeticShiftSpreadsAnUndefinedSign) {
  EXPECT_EQ(of(DefinednessRule::kShiftArithmetic, {4, 0}, {0, 0x80000000}), 0xf8000000U);
}

TEST(BitDefinedness, ShiftByAnUndefinedAmountIsUndefined) {
  EXPECT_EQ(of(DefinednessRule::kShiftLeft, {0, 1}, {1, 0}), 0xffffffffU);
  // Bits of the amount that do not count.
  EXPECT_EQ(of(DefinednessRule::kShiftLeft, {0, 0x100}, {1, 0}), 0U);
}

TEST(BitDefinedness, SumIsDefinedBelowTheLowestUndefinedBit) {
  EXPECT_EQ(of(DefinednessRule::kCarry, {0, 0x100}, {7, 0}), 0xffffff00U);
  EXPECT_EQ(of(DefinednessRule::kCarry, {1, 0}, {7, 0}), 0U);
}

TEST(BitDefinedness, PackTakesTheLowHalves) {
  EXPECT_EQ(of(DefinednessRule::kPackHalves, {0, 0xffff0000}, {0, 0x1}), 0x10000U);
}

TEST(BitDefinedness, PermuteFollowsBytes) {
  // The lowest byte from source 1, the next one from source 0, then zeros.
  EXPECT_EQ(of(DefinednessRule::kPermute, {0, 0xff}, {0, 0}, {0x0c0c0400, 0}), 0xff00U);
  EXPECT_EQ(of(DefinednessRule::kPermute, {0, 0}, {0, 0xff}, {0x0c0c0400, 0}), 0xffU);
}

TEST(BitDefinedness, ExtractTakesOnlyItsField) {
  EXPECT_EQ(of(DefinednessRule::kExtractUnsigned, {0, 0xff00}, {4, 0}, {8, 0}), 0xf0U);
  EXPECT_EQ(of(DefinednessRule::kExtractUnsigned, {0, 0xffff0000}, {0, 0}, {16, 0}), 0U);
}

TEST(BitDefinedness, InsertTakesWhatTheMaskSays) {
  EXPECT_EQ(of(DefinednessRule::kInsert, {0xff, 0}, kUnknown, {0, 0}), 0xffU);
  EXPECT_EQ(of(DefinednessRule::kInsert, {0xff, 0}, {0, 0}, kUnknown), 0xffffff00U);
}

TEST(BitDefinedness, AnythingElseIsUndefinedAsAWhole) {
  EXPECT_EQ(of(DefinednessRule::kAny, {0, 1}, {0, 0}), 0xffffffffU);
  EXPECT_EQ(of(DefinednessRule::kAny, {5, 0}, {6, 0}, {7, 0}), 0U);
}

TEST(BitDefinedness, WideResultsHaveSixtyFourBits) {
  EXPECT_EQ(undefined_bits(DefinednessRule::kShiftLeft, {Bits{32, 0}, Bits{0, 1}, Bits{}}, 64),
            std::uint64_t{1} << 32);
}

TEST(DefinednessRule, IsTheSameForTheNamesOfAllGenerations) {
  EXPECT_EQ(definedness_rule("S_ANDN2_B64"), DefinednessRule::kAndNot);
  EXPECT_EQ(definedness_rule("S_AND_NOT1_B32"), DefinednessRule::kAndNot);
  EXPECT_EQ(definedness_rule("S_AND_SAVEEXEC_B64"), DefinednessRule::kAnd);
  EXPECT_EQ(definedness_rule("V_DUAL_MOV_B32"), DefinednessRule::kMove);
  EXPECT_EQ(definedness_rule("V_ADD_NC_U32"), DefinednessRule::kCarry);
  EXPECT_EQ(definedness_rule("V_ADD_F32"), DefinednessRule::kAny);
  EXPECT_EQ(definedness_rule("V_PK_FMA_F16"), DefinednessRule::kPackedHalves);
  EXPECT_EQ(definedness_rule("V_PK_FMA_F32"), DefinednessRule::kPackedDwords);
  EXPECT_EQ(definedness_rule("V_WMMA_F32_16X16X16_F16"), DefinednessRule::kMatrix);
}

}  // namespace halyard::emulator
