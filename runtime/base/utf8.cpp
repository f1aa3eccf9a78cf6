// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/utf8.h"

#include <cstddef>
#include <cstdint>

namespace halyard::base {
namespace {

// Of the character that `first` begins; 0 where it begins none.
std::size_t length_from(std::uint32_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

// What the byte behind `first` may be, beyond being one of 0x80 to 0xbf.
bool may_follow(std::uint32_t first, std::uint32_t second) {
  if (first == 0xe0) return second >= 0xa0;
  if (first == 0xed) return second <= 0x9f;
  if (first == 0xf0) return second >= 0x90;
  return first != 0xf4 || second <= 0x8f;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte_at = [&](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(text[at]);
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_from(byte_at(at));
    if (length == 0 || length > text.size() - at) return false;
    if (length > 1 && !may_follow(byte_at(at), byte_at(at + 1))) return false;
    for (std::size_t i = 1; i < length; ++i)
      if ((byte_at(at + i) & 0xc0U) != 0x80U) return false;
    at += length;
  }
  return true;
}

}  // namespace halyard::base
