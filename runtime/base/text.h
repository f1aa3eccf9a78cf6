// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace halyard::base {

inline void append_text(std::string& out, std::string_view piece) {
  out.append(piece);
}
inline void append_text(std::string& out, const char* piece) {
  out.append(piece);
}
inline void append_text(std::string& out, char piece) {
  out.push_back(piece);
}
inline void append_text(std::string& out, bool piece) {
  out.append(piece ? "true" : "false");
}

template <typename Number>
requires(std::is_arithmetic_v<Number> && !std::same_as<Number, char> &&
         !std::same_as<Number, bool>) void append_text(std::string& out, Number piece) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), piece).ptr;
  out.append(buffer.data(), end);
}

// Joins strings, characters, booleans and numbers (decimal; floats in the shortest form that reads
// back the same): concat("Offset (", 256, ") is past the end of the buffer (", 144, " bytes).").
template <typename... Pieces>
[[nodiscard]] std::string concat(const Pieces&... pieces) {
  std::string out;
  (append_text(out, pieces), ...);
  return out;
}

// `values` as "a, b, c".
template <typename Range>
[[nodiscard]] std::string join(const Range& values, std::string_view separator = ", ") {
  std::string out;
  bool first = true;
  for (const auto& value : values) {
    if (!first) out.append(separator);
    append_text(out, value);
    first = false;
  }
  return out;
}

}  // namespace halyard::base
