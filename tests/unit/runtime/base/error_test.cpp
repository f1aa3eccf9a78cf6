// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/error.h"

#include <gtest/gtest.h>

namespace halyard::base {
namespace {

TEST(Error, SentenceOfOrdinaryLengthStays) {
  const std::string sentence(kMaxMessageBytes, 'a');
  EXPECT_EQ(sentence, Error(ErrorCode::kNotFound, sentence).message());
}

TEST(Error, LongSentenceKeepsItsBeginningAndEnd) {
  const std::string sentence =
      "Contract \"" + std::string(4 << 20, 'a') + "\" is unknown; rms_norm is the nearest.";
  const std::string message = Error(ErrorCode::kNotFound, sentence).message();
  EXPECT_EQ(kMaxMessageBytes, message.size());
  EXPECT_TRUE(message.starts_with("Contract \"aaa")) << message;
  EXPECT_TRUE(message.ends_with("aaa\" is unknown; rms_norm is the nearest.")) << message;
  EXPECT_NE(message.find("a…a"), std::string::npos);
}

TEST(Error, ContextDoesNotMakeItLonger) {
  const Error error(ErrorCode::kNotFound, std::string(5000, 'a'));
  const Error outer = Error(error).with_context("loading kernel \"" + std::string(5000, 'b') + '"');
  EXPECT_GE(kMaxMessageBytes, outer.message().size());
  EXPECT_TRUE(outer.message().starts_with("While loading kernel"));
}

TEST(Error, CharactersAreNotCutInTwo) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string sentence(shift, 'x');
    while (sentence.size() < 6000)
      sentence += "\xf0\x9f\x9a\xa2";
    const std::string message = shorten_message(sentence);
    EXPECT_GE(kMaxMessageBytes, message.size());
    const std::size_t cut = message.find("…");
    ASSERT_NE(std::string::npos, cut);
    EXPECT_EQ(0U, (cut - shift) % 4);
    EXPECT_EQ(0U, (message.size() - cut - std::string("…").size()) % 4);
  }
}

}  // namespace
}  // namespace halyard::base
