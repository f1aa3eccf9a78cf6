// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/log.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halyard::base {
namespace {

TEST(Log, CallbackReceivesLevelAndSentence) {
  Log log(LogLevel::kWarning);
  std::vector<std::string> lines;
  log.set_callback([&lines](LogLevel level, std::string_view sentence) {
    lines.push_back(std::string(log_level_name(level)) + ": " + std::string(sentence));
  });
  log.write(LogLevel::kError, "One fails.");
  log.write(LogLevel::kWarning, "Two is odd.");
  log.write(LogLevel::kInfo, "Three is told.");
  EXPECT_EQ(lines, (std::vector<std::string>{"error: One fails.", "warning: Two is odd."}));
}

TEST(Log, StandardErrorIsTheDefault) {
  testing::internal::CaptureStderr();
  Log log(LogLevel::kInfo);
  log.write(LogLevel::kInfo, "Braces {} are no format.");
  log.write(LogLevel::kDebug, "Nothing of this.");
  const std::string out = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(out.ends_with("halyard info: Braces {} are no format.\n")) << out;
  EXPECT_EQ(out.find("Nothing"), std::string::npos);
}

TEST(Log, OffWritesNothing) {
  testing::internal::CaptureStderr();
  Log log(LogLevel::kOff);
  log.write(LogLevel::kError, "One fails.");
  log.write(LogLevel::kOff, "No level.");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(log.enabled(LogLevel::kOff));
}

TEST(Log, LevelNamesLeadBack) {
  for (std::uint32_t level = 0; level <= 4; ++level) {
    const auto value = static_cast<LogLevel>(level);
    EXPECT_EQ(log_level_from_name(log_level_name(value)), value);
  }
  EXPECT_EQ(log_level_from_name("loud"), std::nullopt);
}

}  // namespace
}  // namespace halyard::base
