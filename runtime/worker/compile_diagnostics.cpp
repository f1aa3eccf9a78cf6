// SPDX-License-Identifier: Apache-2.0
#include "runtime/worker/compile_diagnostics.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace halyard::worker {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool is_valid = false;
};

// The character that `text`, which is not empty, begins with.
CodePoint decode_first(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x80) return {byte(0), 1, true};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  std::uint32_t value = byte(0) & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || value > 0x10ffff || is_surrogate) return {};
  return {value, length, true};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr auto kRemoved = std::to_array<Range>({
    {0x00, 0x08},
    {0x0b, 0x1f},
    {0x7f, 0x9f},
    {0xad, 0xad},         // soft hyphen
    {0x61c, 0x61c},       // Arabic letter mark
    {0x180e, 0x180e},     // Mongolian vowel separator
    {0x200b, 0x200f},     // zero-width characters, marks of direction
    {0x2028, 0x202e},     // separators of lines, embeddings and overrides of direction
    {0x2060, 0x206f},     // word joiner, isolates of direction
    {0xfe00, 0xfe0f},     // variation selectors
    {0xfeff, 0xfeff},     // byte order mark
    {0xfff9, 0xfffb},     // annotations
    {0xe0000, 0xe0fff},   // tags, more variation selectors
    {0xf0000, 0x10ffff},  // private use
});

bool is_removed(std::uint32_t value) {
  return std::any_of(kRemoved.begin(), kRemoved.end(), [value](const Range& range) {
    return value >= range.first && value <= range.last;
  });
}

std::string without(std::string_view text, std::string_view piece) {
  std::string out;
  if (piece.empty()) return std::string(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(piece, at), text.size());
    out.append(text, at, next - at);
    at = next + piece.size();
  }
  return out;
}

}  // namespace

std::string clean_diagnostics(std::string_view raw, std::string_view folder,
                              std::size_t max_bytes) {
  const std::string text = without(raw, folder);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = decode_first(rest);
    std::string_view piece = rest.substr(0, point.bytes);
    if (!point.is_valid) piece = kReplacement;
    if (point.is_valid && is_removed(point.value)) piece = {};
    if (out.size() + piece.size() > max_bytes) {
      return base::concat(out, "\n[", rest.size(), " bytes left out]\n");
    }
    out.append(piece);
    rest.remove_prefix(point.bytes);
  }
  return out;
}

}  // namespace halyard::worker
