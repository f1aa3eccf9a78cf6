// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/utf8.h"

#include <cstdint>
#include <cstring>

namespace halyard::isa {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);

// All eight bytes are ASCII and none is NUL.
bool is_plain_word(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, kWord);
  const std::uint64_t below_one = word - 0x0101010101010101ULL;
  return ((word | below_one) & 0x8080808080808080ULL) == 0;
}

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

bool continues(std::string_view text, std::size_t at) {
  return (byte_at(text, at) & 0xc0U) == 0x80U;
}

// The length of the valid character at `at`, or 0.
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  const unsigned second = byte_at(text, at + 1);
  if (lead < 0x80U) return lead == 0 ? 0 : 1;
  if (lead < 0xc2U || lead > 0xf4U || !continues(text, at + 1)) return 0;
  if (lead < 0xe0U) return 2;
  if (!continues(text, at + 2)) return 0;
  if (lead < 0xf0U) {
    const bool overlong = lead == 0xe0U && second < 0xa0U;
    const bool surrogate = lead == 0xedU && second >= 0xa0U;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = lead == 0xf0U && second < 0x90U;
  const bool beyond = lead == 0xf4U && second >= 0x90U;
  return overlong || beyond || !continues(text, at + 3) ? 0 : 4;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at + kWord <= text.size() && is_plain_word(text.data() + at))
      at += kWord;
    if (at == text.size()) break;
    const std::size_t length = character_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

}  // namespace halyard::isa
