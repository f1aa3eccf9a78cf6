// SPDX-License-Identifier: Apache-2.0
#include "runtime/verification/conformance/finding_list.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace halyard::verification {

std::string printable(std::string_view text) {
  constexpr std::size_t kMostBytes = 64;
  std::string out(text.substr(0, kMostBytes));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < 0x20 || c == 0x7f || c == '"'; }, '?');
  if (text.size() > kMostBytes) out += "...";
  return out;
}

std::string hexadecimal(std::uint64_t value) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return base::concat(
      "0x", std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace halyard::verification
