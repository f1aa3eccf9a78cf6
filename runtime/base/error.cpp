// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/error.h"

#include <string_view>

namespace halyard::base {
namespace {

constexpr std::string_view kLeftOut = "…";
// The end says what is wrong with a long name, which stands before it.
constexpr std::size_t kTailBytes = 768;
constexpr std::size_t kHeadBytes = kMaxMessageBytes - kTailBytes - kLeftOut.size();

bool is_within_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

}  // namespace

std::string shorten_message(std::string text) {
  if (text.size() <= kMaxMessageBytes) return text;
  std::size_t head = kHeadBytes;
  while (head > 0 && is_within_character(text[head]))
    --head;
  std::size_t tail = text.size() - kTailBytes;
  while (tail < text.size() && is_within_character(text[tail]))
    ++tail;
  text.replace(head, tail - head, kLeftOut);
  text.shrink_to_fit();
  return text;
}

}  // namespace halyard::base
