// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_element.h"

#include "runtime/base/text.h"

#include <algorithm>
#include <charconv>

namespace halyard::isa {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
  });
}

}  // namespace

std::string ElementPath::text() const {
  std::string out = parent == nullptr ? "" : parent->text();
  out += base::concat('/', name);
  if (number != 0) out += base::concat('[', number, ']');
  return out;
}

void ImportFindings::add(const ElementPath& path, std::string sentence) {
  if (findings_.size() == kMost) {
    too_many_ = true;
    return;
  }
  findings_.push_back({path.text(), std::move(sentence)});
}

std::string_view text_of(const pugi::xml_node& node) {
  const std::string_view text = node.child_value();
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view child_text(const pugi::xml_node& node, const char* name) {
  return text_of(node.child(name));
}

std::optional<std::uint64_t> number_of(const pugi::xml_node& node) {
  const std::string_view text = text_of(node);
  const int radix = node.attribute("Radix").as_int(10);
  if (text.empty() || (radix != 2 && radix != 10 && radix != 16)) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, radix);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> child_number(const pugi::xml_node& node, const char* name) {
  return number_of(node.child(name));
}

std::optional<bool> boolean_of(std::string_view text) {
  if (equal_in_any_case(text, "true")) return true;
  if (equal_in_any_case(text, "false")) return false;
  return std::nullopt;
}

std::string plain_text(std::string_view text) {
  std::string out;
  bool in_tag = false;
  bool blank = false;
  for (const char c : text) {
    if (c == '<' || c == '>') {
      in_tag = c == '<';
      blank = true;
    } else if (kBlanks.find(c) != std::string_view::npos) {
      blank = true;
    } else if (!in_tag) {
      if (blank && !out.empty()) out.push_back(' ');
      blank = false;
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace halyard::isa
