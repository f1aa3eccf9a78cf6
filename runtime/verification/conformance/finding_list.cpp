// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/finding_list.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace halyard::verification {

std::string printable(std::string_view text, std::size_t most_bytes) {
  std::string out(text.substr(0, most_bytes));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c == 0x7f || c == '"'; }, '?');
  if (text.size() > most_bytes) out += "...";
  return out;
}

std::string reason_of(const base::Error& error) {
  constexpr std::size_t kMostBytes = 200;
  std::string_view text = error.message();
  if (text.ends_with('.')) text.remove_suffix(1);
  return printable(text, kMostBytes);
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return base::concat(
      "0x", std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace halyard::verification
