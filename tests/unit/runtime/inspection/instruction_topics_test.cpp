// SPDX-License-Identifier: Apache-2.0
#include "runtime/inspection/instruction_topics.h"

#include "tests/unit/runtime/inspection/instruction_set_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace halyard::services {
namespace {

std::vector<std::string> titles_of(const TopicList& list) {
  std::vector<std::string> titles;
  for (const TopicInstructions& topic : list.topics)
    titles.push_back(topic.title);
  return titles;
}

std::vector<std::string> names_in(const isa::InstructionSet& set, const TopicList& list,
                                  std::string_view title) {
  std::vector<std::string> names;
  for (const TopicInstructions& topic : list.topics) {
    if (topic.title != title) continue;
    for (const std::uint32_t index : topic.instructions)
      names.push_back(set.instructions[index].name);
  }
  return names;
}

TEST(InstructionTopics, ProductOfOneTypeGetsItsMatrixInstructionsFirst) {
  const isa::InstructionSet set = testing::small_instruction_set();
  const ContractTraits traits = {"product", "reduction", "type.f16"};
  const TopicList list = instructions_by_topic(set, &traits);
  ASSERT_FALSE(list.topics.empty());
  EXPECT_EQ(list.topics.front().title, "Matrix products");
  EXPECT_EQ(names_in(set, list, "Matrix products"),
            std::vector<std::string>{"V_WMMA_F32_16X16X16_F16"});
  EXPECT_EQ(names_in(set, list, "Multiply-add"), std::vector<std::string>{"V_FMAC_F32"});
}

TEST(InstructionTopics, NormGetsItsFunctionAndNoMatrixInstruction) {
  const isa::InstructionSet set = testing::small_instruction_set();
  const ContractTraits traits = {"stream", "reduction", "rsqrt", "type.f16", "type.bf16"};
  const TopicList list = instructions_by_topic(set, &traits);
  EXPECT_EQ(names_in(set, list, "Functions"), std::vector<std::string>{"V_RSQ_F32"});
  EXPECT_TRUE(names_in(set, list, "Matrix products").empty());
  EXPECT_EQ(list.left_out, 3U);  // two matrix instructions and the sampler
}

TEST(InstructionTopics, WithoutTraitsEachInstructionStandsOnce) {
  const isa::InstructionSet set = testing::small_instruction_set();
  const TopicList list = instructions_by_topic(set, nullptr);
  std::vector<std::uint32_t> all;
  for (const TopicInstructions& topic : list.topics)
    all.insert(all.end(), topic.instructions.begin(), topic.instructions.end());
  EXPECT_EQ(all.size(), set.instructions.size());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(list.left_out, 0U);
  EXPECT_EQ(titles_of(list).back(), "Other VMEM");
}

TEST(InstructionTopics, PatternsTakeAnyTextForAStarAndRefuseBehindAnExclamationMark) {
  EXPECT_TRUE(matches_patterns("V_MFMA_F32_16X16X16F16", "V_MFMA_F32_*X*F16 !V_*BF16"));
  EXPECT_FALSE(matches_patterns("V_MFMA_F32_16X16X8BF16", "V_MFMA_F32_*X*F16 !V_*BF16"));
  EXPECT_TRUE(matches_patterns("DS_LOAD_TR8_B64", "A DS_LOAD_TR*"));
  EXPECT_FALSE(matches_patterns("DS_LOAD_B128", "DS_LOAD_B12 DS_LOAD"));
  EXPECT_TRUE(matches_patterns("S_WAITCNT", "S_WAITCNT*"));
}

}  // namespace
}  // namespace halyard::services
