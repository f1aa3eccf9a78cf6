// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/loopback_listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <string>

namespace halyard::fleet {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

base::FileDescriptor connect_to(std::uint16_t port, const char* host = "127.0.0.1") {
  base::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host, &address.sin_addr);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    socket.reset();
  }
  return socket;
}

std::string ask(std::uint16_t port, const std::string& request) {
  const base::FileDescriptor socket = connect_to(port);
  if (!socket) return "no connection";
  if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "not sent";
  std::string answer;
  std::array<char, 512> buffer;
  ssize_t got = 0;
  while ((got = ::recv(socket.get(), buffer.data(), buffer.size(), 0)) > 0)
    answer.append(buffer.data(), static_cast<std::size_t>(got));
  return answer;
}

TEST(LoopbackListener, AnswersWithTheTextOfThatMoment) {
  int asked = 0;
  const auto listener = LoopbackListener::start(0, [&] { return std::to_string(++asked) + "\n"; });
  ASSERT_TRUE(listener) << listener.error().message();
  const std::uint16_t port = (*listener)->port();
  const std::string first = ask(port, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(first, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(first, HasSubstr("\r\n\r\n1\n"));
  EXPECT_THAT(ask(port, "GET /metrics HTTP/1.1\r\n\r\n"), HasSubstr("\r\n\r\n2\n"));
}

TEST(LoopbackListener, RefusesEverythingElse) {
  const auto listener = LoopbackListener::start(0, [] { return std::string("secret"); });
  ASSERT_TRUE(listener);
  for (const std::string& request :
       {std::string("POST /metrics HTTP/1.1\r\n\r\n"), std::string("GET /../x HTTP/1.1\r\n\r\n"),
        std::string("\n"), std::string(100'000, 'a')}) {
    const std::string answer = ask((*listener)->port(), request);
    EXPECT_EQ(answer.find("secret"), std::string::npos) << request.substr(0, 40);
  }
  EXPECT_THAT(ask((*listener)->port(), "GET / HTTP/1.0\r\n\r\n"), HasSubstr("secret"));
}

TEST(LoopbackListener, TakenPortIsUnavailable) {
  const auto first = LoopbackListener::start(0, [] { return std::string(); });
  ASSERT_TRUE(first);
  const auto second = LoopbackListener::start((*first)->port(), [] { return std::string(); });
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), base::ErrorCode::kUnavailable);
  EXPECT_THAT(second.error().message(), HasSubstr("127.0.0.1:"));
}

TEST(LoopbackListener, IsOnThisHostOnly) {
  const auto listener = LoopbackListener::start(0, [] { return std::string(); });
  ASSERT_TRUE(listener);
  // Another address of the same host does not reach it.
  EXPECT_FALSE(connect_to((*listener)->port(), "127.0.0.2"));
}

}  // namespace
}  // namespace halyard::fleet
