// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/instruction_decoder.h"

#include "tests/unit/capability-descriptors/isa/small_instruction_set.h"

#include <gtest/gtest.h>

#include <sstream>

namespace halyard::isa {
namespace {

using testing::form;
using testing::small_instruction_set;

// "NAME/encoding size" or "NAME/encoding + NAME/encoding size".
std::string decoded(const std::vector<std::uint32_t>& words) {
  static const InstructionSet kSet = small_instruction_set();
  static const InstructionDecoder kDecoder = *InstructionDecoder::create(kSet);
  DecodedInstruction instruction;
  if (!kDecoder.decode(words, &instruction)) return "nothing";
  std::ostringstream out;
  const auto put = [&](const DecodedForm& decoded_form) {
    const Instruction& named = kSet.instructions[decoded_form.instruction];
    out << named.name << '/' << named.forms[decoded_form.form].encoding;
  };
  put(instruction.first);
  if (instruction.second.instruction != kNoIndex) {
    out << " + ";
    put(instruction.second);
  }
  out << ' ' << instruction.size_bytes;
  return out.str();
}

TEST(InstructionDecoder, ConditionThatHoldsIsPreferredToTheDefault) {
  EXPECT_EQ(decoded({0xbe800105, 0}), "MOVE/0 4");
  EXPECT_EQ(decoded({0xbe8001ff, 0}), "MOVE/1 8");
}

TEST(InstructionDecoder, VariantThatAnInstructionLacksIsNotTaken) {
  EXPECT_EQ(decoded({0xbe8002ff, 0}), "SEND/0 4");
}

TEST(InstructionDecoder, UnknownOpcodesAndEncodingsAreNothing) {
  EXPECT_EQ(decoded({0xbe800305, 0, 0}), "nothing");
  EXPECT_EQ(decoded({0x00000000, 0, 0}), "nothing");
  EXPECT_EQ(decoded({0xffffffff, 0, 0}), "nothing");
  EXPECT_EQ(decoded({}), "nothing");
}

TEST(InstructionDecoder, BothHalvesOfAPairAreFound) {
  EXPECT_EQ(decoded({0xc8000000, 0, 0}), "ADD/2 + ADD/2 8");
  EXPECT_EQ(decoded({0xc8000000 | 2 << 22, 0, 0}), "MAX/2 + ADD/2 8");
  EXPECT_EQ(decoded({0xc8000000 | 2 << 17, 0, 0}), "ADD/2 + MAX/2 8");
  EXPECT_EQ(decoded({0xc8000000 | 3 << 17, 0, 0}), "nothing");
  EXPECT_EQ(decoded({0xc8000000 | 3 << 22, 0, 0}), "nothing");
}

TEST(InstructionDecoder, LiteralOfEitherHalfMakesThePairLonger) {
  EXPECT_EQ(decoded({0xc80000ff, 0, 0}), "ADD/3 + ADD/2 12");
  EXPECT_EQ(decoded({0xc8000000, 255, 0}), "ADD/2 + ADD/3 12");
  EXPECT_EQ(decoded({0xc8000000 | 1 << 22, 0, 0}), "MADK/3 + ADD/2 12");
  EXPECT_EQ(decoded({0xc8000000 | 1 << 17, 0, 0}), "ADD/2 + MADK/3 12");
}

TEST(InstructionDecoder, HalfWithoutALiteralFormMayTakeTheLiteralOfThePair) {
  EXPECT_EQ(decoded({0xc80000ff | 2 << 22, 0, 0}), "MAX/2 + ADD/2 12");
  EXPECT_EQ(decoded({0xc8000000 | 2 << 17, 255, 0}), "ADD/2 + MAX/2 12");
}

TEST(InstructionDecoder, OpcodeMayEndInTheSecondDword) {
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18, 0}), "LOW/4 8");
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18, 1}), "HIGH/4 8");
  EXPECT_EQ(decoded({0xf0000000 | 6 << 18, 1}), "nothing");
}

TEST(InstructionDecoder, ConditionsThatJoinFieldsAreEvaluated) {
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18, 255 << 8}), "LOW/4 8");
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18, 255 << 8 | 255 << 17}), "nothing");
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18, 250 << 8 | 250 << 17 | 1}), "HIGH/4 8");
}

TEST(InstructionDecoder, CutOffInstructionsAreNothing) {
  EXPECT_EQ(decoded({0xbe8001ff}), "nothing");
  EXPECT_EQ(decoded({0xbe800105}), "MOVE/0 4");
  EXPECT_EQ(decoded({0xc8000000}), "nothing");
  EXPECT_EQ(decoded({0xc80000ff, 0}), "nothing");
  EXPECT_EQ(decoded({0xf0000000 | 5 << 18}), "nothing");
}

TEST(InstructionDecoder, FailureLeavesTheResultAlone) {
  const auto decoder = InstructionDecoder::create(small_instruction_set());
  DecodedInstruction out;
  out.size_bytes = 99;
  EXPECT_FALSE(decoder->decode(std::vector<std::uint32_t>{0}, &out));
  EXPECT_EQ(out.size_bytes, 99U);
}

TEST(InstructionDecoder, MaskOfZeroMatchesNothing) {
  InstructionSet set = small_instruction_set();
  set.encodings[0].mask = 0;
  set.encodings[0].identifiers = {0};
  const auto decoder = InstructionDecoder::create(set);
  DecodedInstruction out;
  EXPECT_FALSE(decoder->decode(std::vector<std::uint32_t>{0xbe800105}, &out));
}

TEST(InstructionDecoder, EmptySetDecodesNothing) {
  const auto decoder = InstructionDecoder::create(InstructionSet());
  DecodedInstruction out;
  EXPECT_FALSE(decoder->decode(std::vector<std::uint32_t>{0, 0}, &out));
}

TEST(InstructionDecoder, IdentifiersThatMatchEverythingAreRefused) {
  InstructionSet set = small_instruction_set();
  set.encodings[0].mask = 1U << 2 | 1U << 4 | 1U << 6;
  set.encodings[0].identifiers = {0};
  set.encodings[0].opcodes.clear();
  set.instructions[0].forms.assign(10000, form(0, 0, 1));
  const auto decoder = InstructionDecoder::create(set);
  ASSERT_FALSE(decoder);
  EXPECT_EQ(decoder.error().code(), base::ErrorCode::kCorruptData);
  EXPECT_EQ(decoder.error().message(),
            "The identifiers of \"test/small\" match so many dwords that a table of them has more "
            "than 4194304 entries.");
}

}  // namespace
}  // namespace halyard::isa
