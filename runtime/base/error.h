// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace halyard::base {

// What a caller can act on differently; the values are those of halyard_status.
enum class ErrorCode : std::int32_t {
  kInvalidArgument = 1,
  kNotFound = 2,
  kOutOfMemory = 3,
  kNoKernel = 4,
  kUnsupported = 5,
  kOutsideGuards = 6,
  kDeadlineExceeded = 7,
  kDeviceLost = 8,
  kUnavailable = 9,
  kCorruptData = 10,
  kPermissionDenied = 11,
  kIoError = 12,
  kInternal = 13,
  kKernelFault = 14,
};

// `text` as it is, or without its middle, so that what a caller has written into it ends: at most
// kMaxMessageBytes, with "…" where something is left out, cut between characters of UTF-8.
std::string shorten_message(std::string text);
inline constexpr std::size_t kMaxMessageBytes = 2048;

// A failure: a code and one present-tense sentence that names the thing, the value and the limit.
// A sentence longer than kMaxMessageBytes is shortened.
class Error {
 public:
  Error(ErrorCode code, std::string message)
      : code_(code),
        message_(shorten_message(std::move(message))) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // Puts what was being done in front: "While loading kernel "saxpy": <message>".
  [[nodiscard]] Error with_context(const std::string& context) && {
    return Error(code_, "While " + context + ": " + message_);
  }

 private:
  ErrorCode code_;
  std::string message_;
};

}  // namespace halyard::base
