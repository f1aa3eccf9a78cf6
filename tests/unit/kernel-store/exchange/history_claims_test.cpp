// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/history_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace halyard::store {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

std::vector<StateChange> make_history() {
  StateChange change;
  change.kernel.fill(0x11);
  change.target = "t";
  change.drivers = {"d 1", "d 2"};
  change.state = KernelState::kPromoted;
  change.where = {"hidden > 8"};
  change.share_percent = 10;
  change.who = "ann";
  change.why = "Faster.";
  change.evidence.emplace().fill(0x22);
  change.time_ms = 5;
  change.sequence = 1;
  StateChange reverting = change;
  reverting.reverts = 1;
  reverting.sequence = 2;
  reverting.evidence.reset();
  return {change, reverting};
}

TEST(HistoryClaims, TextGoesThereAndBack) {
  const std::vector<StateChange> history = make_history();
  const std::string text = history_json(history);
  const auto read = parse_history(text, "h", history[0].kernel);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(history_json(*read), text);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].kernel, history[0].kernel);
  EXPECT_EQ((*read)[0].where, history[0].where);
  EXPECT_EQ((*read)[1].reverts, 1);
}

TEST(HistoryClaims, FaultsAreNamed) {
  const std::string text = history_json(make_history());
  const auto replaced = [&](std::string_view old_text, std::string_view new_text) {
    std::string other = text;
    return other.replace(other.find(old_text), old_text.size(), new_text);
  };
  const std::vector<std::pair<std::string, std::string>> faults = {
      {replaced("halyard.history/1", "halyard.history/2"), "h: /format is"},
      {replaced("\"promoted\"", "\"blessed\""), "h: /changes/0/state is no state of a kernel."},
      {replaced(":10", ":101"), "h: /changes/0/share_percent"},
      {replaced("\"2222", "\"222x"), "h: /changes/0/evidence is no SHA-256."},
      {replaced("\"who\"", "\"whom\""), "/changes/0/whom"},
  };
  for (const auto& [document, message] : faults) {
    const auto read = parse_history(document, "h", {});
    ASSERT_FALSE(read) << message;
    EXPECT_EQ(read.error().code(), ErrorCode::kCorruptData);
    EXPECT_THAT(read.error().message(), HasSubstr(message));
  }
}

}  // namespace
}  // namespace halyard::store
