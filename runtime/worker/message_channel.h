// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/base/file_descriptor.h"
#include "runtime/base/result.h"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halyard::worker {

inline constexpr std::size_t kMaxMessageBytes = 64UL * 1024;
inline constexpr std::size_t kMaxMessageFiles = 4;

struct Message {
  std::string text;
  std::vector<base::FileDescriptor> files;
};

// One end of a connection of whole messages between a verifier and its worker.
// Threads: one at a time.
class MessageChannel {
 public:
  // Both ends. Errors: UNAVAILABLE.
  static base::Result<std::pair<MessageChannel, MessageChannel>> open_pair();
  explicit MessageChannel(base::FileDescriptor file) : file_(std::move(file)) {}

  int file() const { return file_.get(); }

  // Errors: INVALID_ARGUMENT for a message past the limits; UNAVAILABLE when the other end is gone;
  // DEADLINE_EXCEEDED when it does not read. A negative time waits for ever.
  base::Status send(std::string_view text, std::span<const int> files,
                    std::chrono::milliseconds patience);
  // Errors: UNAVAILABLE when the other end is gone; DEADLINE_EXCEEDED; CORRUPT_DATA for a message
  // past the limits.
  base::Result<Message> receive(std::chrono::milliseconds patience);

 private:
  base::FileDescriptor file_;
};

// What a worker answers: a code, and a sentence when it is not kDone.
struct Reply {
  enum class Code : unsigned char { kDone = 0, kRefused = 1, kFailed = 2 };
  Code code = Code::kDone;
  std::string sentence;  // printable, at most 2048 bytes
};

std::string encode_reply(const Reply& reply);
// The other side may be hostile. Errors: CORRUPT_DATA.
base::Result<Reply> parse_reply(std::string_view text);

}  // namespace halyard::worker
