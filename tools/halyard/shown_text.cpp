// SPDX-License-Identifier: Apache-2.0
#include "tools/halyard/shown_text.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace halyard::command_line {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
// Control characters, line ends of Unicode, and what changes the direction of writing.
constexpr auto kActedOn = std::to_array<Range>({{0x00, 0x1f},
                                                {0x7f, 0x9f},
                                                {0x61c, 0x61c},
                                                {0x200b, 0x200f},
                                                {0x2028, 0x202e},
                                                {0x2066, 0x2069},
                                                {0xfeff, 0xfeff}});

std::uint32_t byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// What the first byte of a character says; 0 for a byte that begins none.
std::size_t length_from(std::uint32_t byte) {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

bool is_acted_on(std::uint32_t code_point) {
  for (const Range& range : kActedOn)
    if (code_point >= range.first && code_point <= range.last) return true;
  return false;
}

void append_digits(std::string& out, std::uint32_t value, unsigned count) {
  while (count-- > 0)
    out += kDigits[(value >> (4 * count)) & 15U];
}

struct Character {
  std::size_t length = 0;        // 0 where bytes are missing, and the text ends
  std::uint32_t code_point = 0;  // of a character that is one
  bool valid = false;
};

Character character_at(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte_at(text, at);
  const std::size_t length = length_from(first);
  if (length <= 1) return {1, first, length == 1};
  std::uint32_t code_point = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (at + i == text.size()) return {};
    const std::uint32_t next = byte_at(text, at + i);
    if ((next & 0xc0U) != 0x80U) return {1, first, false};
    code_point = (code_point << 6) | (next & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < kSmallest[length] || code_point > 0x10ffff || is_surrogate)
    return {1, first, false};
  return {length, code_point, true};
}

// Appends what `text` shows as, up to a character whose end is missing, and gives its place.
std::size_t append_shown(std::string& out, std::string_view text, std::string_view kept) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character character = character_at(text, at);
    if (character.length == 0) break;
    if (!character.valid) {
      out += "\\x";
      append_digits(out, character.code_point, 2);
    } else if (is_acted_on(character.code_point) && kept.find(text[at]) == std::string_view::npos) {
      out += "\\u";
      append_digits(out, character.code_point, 4);
    } else {
      out += text.substr(at, character.length);
    }
    at += character.length;
  }
  return at;
}

void append_cut(std::string& out, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    out += "\\x";
    append_digits(out, byte_at(bytes, at), 2);
  }
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_cut(out, text.substr(append_shown(out, text, "")));
  return out;
}

ShownStream::ShownStream(std::ostream& stream) : stream_(stream), target_(stream.rdbuf(this)) {}

ShownStream::~ShownStream() {
  std::string cut;
  append_cut(cut, begun_);
  target_->sputn(cut.data(), static_cast<std::streamsize>(cut.size()));
  const std::ios_base::iostate state = stream_.rdstate();
  stream_.rdbuf(target_);
  stream_.setstate(state);
}

ShownStream::int_type ShownStream::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  const char character = traits_type::to_char_type(byte);
  return xsputn(&character, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize ShownStream::xsputn(const char* bytes, std::streamsize count) {
  begun_.append(bytes, static_cast<std::size_t>(count));
  std::string shown;
  begun_.erase(0, append_shown(shown, begun_, "\n\t"));
  const auto size = static_cast<std::streamsize>(shown.size());
  return target_->sputn(shown.data(), size) == size ? count : 0;
}

int ShownStream::sync() {
  return target_->pubsync();
}

}  // namespace halyard::command_line
