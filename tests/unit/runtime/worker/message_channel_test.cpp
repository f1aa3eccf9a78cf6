// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/message_channel.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

namespace halyard::worker {
namespace {

constexpr std::chrono::milliseconds kSoon{1000};
constexpr std::chrono::milliseconds kNow{0};

TEST(MessageChannel, MessagesKeepTheirEndsAndFiles) {
  auto ends = MessageChannel::open_pair();
  ASSERT_TRUE(ends);
  const base::FileDescriptor file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const std::array<int, 1> files = {file.get()};
  ASSERT_TRUE(ends->first.send("one", files, kSoon));
  ASSERT_TRUE(ends->first.send("two", {}, kSoon));
  const auto one = ends->second.receive(kSoon);
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_EQ(one->text, "one");
  ASSERT_EQ(one->files.size(), 1U);
  EXPECT_NE(one->files[0].get(), file.get());
  EXPECT_NE(::fcntl(one->files[0].get(), F_GETFD) & FD_CLOEXEC, 0);
  const auto two = ends->second.receive(kSoon);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->text, "two");
  EXPECT_TRUE(two->files.empty());
}

TEST(MessageChannel, MessageBeyondTheLimitsIsNotSent) {
  auto ends = MessageChannel::open_pair();
  ASSERT_TRUE(ends);
  const auto sent = ends->first.send(std::string(kMaxMessageBytes + 1, 'x'), {}, kSoon);
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(sent.error().message(),
            "A message of 65537 bytes and 0 files is not sent; the limits are 1 to 65536 and 4.");
  EXPECT_FALSE(ends->first.send("", {}, kSoon));
  EXPECT_TRUE(ends->first.send(std::string(kMaxMessageBytes, 'x'), {}, kSoon));
}

TEST(MessageChannel, SilenceEndsAtTheDeadline) {
  auto ends = MessageChannel::open_pair();
  ASSERT_TRUE(ends);
  const auto message = ends->second.receive(kNow);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code(), base::ErrorCode::kDeadlineExceeded);
}

TEST(MessageChannel, OtherEndGoneIsUnavailable) {
  auto ends = MessageChannel::open_pair();
  ASSERT_TRUE(ends);
  { const MessageChannel gone = std::move(ends->first); }
  const auto message = ends->second.receive(kSoon);
  ASSERT_FALSE(message);
  EXPECT_EQ(message.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_EQ(ends->second.send("x", {}, kSoon).error().code(), base::ErrorCode::kUnavailable);
}

TEST(Reply, ReadsBack) {
  const auto reply = parse_reply(encode_reply({Reply::Code::kRefused, "No kernel is loaded."}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->code, Reply::Code::kRefused);
  EXPECT_EQ(reply->sentence, "No kernel is loaded.");
}

TEST(Reply, HostileTextIsMadePrintable) {
  const auto reply = parse_reply(std::string_view("1a\x1b[2J\0b\xff", 9));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->sentence, "a?[2J?b?");
}

TEST(Reply, UnknownFormIsRefused) {
  for (const std::string& text :
       {std::string(), std::string("3x"), std::string("x"), "0" + std::string(2049, 'x')}) {
    const auto reply = parse_reply(text);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code(), base::ErrorCode::kCorruptData);
  }
}

}  // namespace
}  // namespace halyard::worker
