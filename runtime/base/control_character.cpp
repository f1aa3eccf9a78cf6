// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/control_character.h"

namespace halyard::base {

std::size_t find_control_character(std::string_view text, std::size_t from) {
  const auto byte_at = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  for (std::size_t at = from; at < text.size(); ++at) {
    const unsigned byte = byte_at(at);
    if (byte < 0x20U || byte == 0x7fU) return at;
    // C1 is U+0080 to U+009F.
    if (byte == 0xc2U && (byte_at(at + 1) & 0xe0U) == 0x80U) return at;
  }
  return std::string_view::npos;
}

std::string spell_control_characters(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string spelled;
  std::size_t done = 0;
  for (auto at = find_control_character(text); at != std::string_view::npos;
       at = find_control_character(text, done)) {
    spelled += text.substr(done, at - done);
    const bool is_c1 = static_cast<unsigned char>(text[at]) == 0xc2U;
    const unsigned code = static_cast<unsigned char>(text[is_c1 ? at + 1 : at]);
    spelled += "\\u00";
    spelled += kDigits[code >> 4U];
    spelled += kDigits[code & 15U];
    done = at + (is_c1 ? 2 : 1);
  }
  spelled += text.substr(done);
  return spelled;
}

}  // namespace halyard::base
