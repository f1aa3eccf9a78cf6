// SPDX-License-Identifier: Apache-2.0
#include "runtime/fleet/loopback_listener.h"

#include "runtime/base/text.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace halyard::fleet {
namespace {

using base::FileDescriptor;

base::Error cannot_listen(std::uint16_t port, int error) {
  return base::Error(base::ErrorCode::kUnavailable,
                     base::concat("Metrics cannot be offered on 127.0.0.1:", port, ": ",
                                  std::strerror(error), "."));
}

std::string response(std::string_view status, std::string_view body) {
  return base::concat("HTTP/1.1 ", status,
                      "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                      "Connection: close\r\nContent-Length: ",
                      body.size(), "\r\n\r\n", body);
}

// The first line of what the client says, or what there is of it.
std::string first_line(int connection) {
  std::string said;
  std::array<char, 1024> buffer;
  while (said.size() < 4096 && said.find('\n') == std::string::npos) {
    const ssize_t got = ::recv(connection, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    said.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return said.substr(0, said.find_first_of("\r\n"));
}

}  // namespace

base::Result<std::unique_ptr<LoopbackListener>> LoopbackListener::start(
    std::uint16_t port, std::function<std::string()> text) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  FileDescriptor end(::eventfd(0, EFD_CLOEXEC));
  if (!socket || !end) return cannot_listen(port, errno);
  const int yes = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(socket.get(), 8) != 0 ||
      ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    return cannot_listen(port, errno);
  }
  return std::unique_ptr<LoopbackListener>(new LoopbackListener(
      std::move(socket), std::move(end), ntohs(address.sin_port), std::move(text)));
}

LoopbackListener::LoopbackListener(FileDescriptor socket, FileDescriptor end, std::uint16_t port,
                                   std::function<std::string()> text)
    : socket_(std::move(socket)),
      end_(std::move(end)),
      port_(port),
      text_(std::move(text)),
      thread_([this] { run(); }) {}

LoopbackListener::~LoopbackListener() {
  static_cast<void>(::eventfd_write(end_.get(), 1));
  thread_.join();
}

void LoopbackListener::run() {
  std::array<pollfd, 2> waited = {pollfd{socket_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
  while (true) {
    if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) return;
    if (waited[1].revents != 0) return;
    if (waited[0].revents == 0) continue;
    const FileDescriptor connection(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection) answer(connection.get());
  }
}

void LoopbackListener::answer(int connection) const {
  const timeval patience{1, 0};
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  const std::string line = first_line(connection);
  const bool is_asked = line.starts_with("GET /metrics ") || line.starts_with("GET / ");
  const std::string said =
      is_asked ? response("200 OK", text_()) : response("404 Not Found", "Only /metrics.\n");
  std::size_t sent = 0;
  while (sent < said.size()) {
    const ssize_t size = ::send(connection, said.data() + sent, said.size() - sent, MSG_NOSIGNAL);
    if (size <= 0) return;
    sent += static_cast<std::size_t>(size);
  }
  ::shutdown(connection, SHUT_WR);
}

}  // namespace halyard::fleet
