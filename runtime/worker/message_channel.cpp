// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/message_channel.h"

#include "runtime/base/text.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace halyard::worker {
namespace {

using base::concat;
using base::Error;
using base::ErrorCode;

constexpr std::size_t kMaxSentenceBytes = 2048;

Error channel_error(std::string_view what) {
  return Error(ErrorCode::kUnavailable,
               concat(what, ": ", std::generic_category().message(errno), "."));
}

Error gone() {
  return Error(ErrorCode::kUnavailable, "The other end of the channel is gone.");
}

base::Status await(int file, short events, std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (true) {
    pollfd entry{file, events, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const int wait_ms =
        patience.count() < 0 ? -1 : static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    const int ready = ::poll(&entry, 1, wait_ms);
    if (ready > 0) return base::ok();
    if (ready < 0 && errno != EINTR) return channel_error("The channel cannot be awaited");
    if (ready == 0) {
      return Error(
          ErrorCode::kDeadlineExceeded,
          concat("The other end of the channel gives no answer within ", patience.count(), " ms."));
    }
  }
}

struct Control {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxMessageFiles * sizeof(int))> bytes{};
};

void take_files(msghdr& header, std::vector<base::FileDescriptor>& files) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      files.emplace_back(number);
    }
  }
}

bool is_printable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f;
}

}  // namespace

base::Result<std::pair<MessageChannel, MessageChannel>> MessageChannel::open_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return channel_error("No channel can be opened");
  }
  return std::pair(MessageChannel(base::FileDescriptor(ends[0])),
                   MessageChannel(base::FileDescriptor(ends[1])));
}

base::Status MessageChannel::send(std::string_view text, std::span<const int> files,
                                  std::chrono::milliseconds patience) {
  if (text.empty() || text.size() > kMaxMessageBytes || files.size() > kMaxMessageFiles) {
    return Error(ErrorCode::kInvalidArgument,
                 concat("A message of ", text.size(), " bytes and ", files.size(),
                        " files is not sent; the limits are 1 to ", kMaxMessageBytes, " and ",
                        kMaxMessageFiles, "."));
  }
  iovec piece{const_cast<char*>(text.data()), text.size()};
  msghdr header{};
  header.msg_iov = &piece;
  header.msg_iovlen = 1;
  Control control;
  if (!files.empty()) {
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(files.size_bytes());
    cmsghdr* const part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(files.size_bytes());
    std::memcpy(CMSG_DATA(part), files.data(), files.size_bytes());
  }
  while (true) {
    HALYARD_TRY(await(file_.get(), POLLOUT, patience));
    if (::sendmsg(file_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return base::ok();
    if (errno == EPIPE || errno == ECONNRESET) return gone();
    if (errno != EAGAIN && errno != EINTR) return channel_error("A message cannot be sent");
  }
}

base::Result<Message> MessageChannel::receive(std::chrono::milliseconds patience) {
  std::vector<char> buffer(kMaxMessageBytes);
  while (true) {
    HALYARD_TRY(await(file_.get(), POLLIN, patience));
    iovec piece{buffer.data(), buffer.size()};
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    Control control;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    const ssize_t got = ::recvmsg(file_.get(), &header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got == 0 || (got < 0 && errno == ECONNRESET)) return gone();
    if (got < 0) return channel_error("A message cannot be received");
    Message message;
    take_files(header, message.files);
    if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
      return Error(ErrorCode::kCorruptData,
                   concat("A message is longer than ", kMaxMessageBytes,
                          " bytes or brings more than ", kMaxMessageFiles, " files."));
    }
    message.text.assign(buffer.data(), static_cast<std::size_t>(got));
    return message;
  }
}

std::string encode_reply(const Reply& reply) {
  std::string text(1, static_cast<char>('0' + static_cast<int>(reply.code)));
  text.append(reply.sentence, 0, kMaxSentenceBytes);
  return text;
}

base::Result<Reply> parse_reply(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '2' || text.size() > 1 + kMaxSentenceBytes) {
    return Error(ErrorCode::kCorruptData,
                 concat("The worker's answer (", text.size(), " bytes) has no known form."));
  }
  Reply reply{static_cast<Reply::Code>(text[0] - '0'), std::string(text.substr(1))};
  std::replace_if(
      reply.sentence.begin(), reply.sentence.end(), [](char c) { return !is_printable(c); }, '?');
  return reply;
}

}  // namespace halyard::worker
