// SPDX-License-Identifier: Apache-2.0
#include "kernel-store/exchange/entry_name.h"

#include "runtime/base/text.h"

#include <algorithm>

namespace halyard::store {
namespace {

using base::concat;

constexpr std::size_t kMaxShownBytes = 120;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_beyond_ascii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_known(std::string_view name) {
  return name == kManifestName || name == kSignatureName || name == concat(kObjectsName, '/') ||
         object_of(name).has_value();
}

// Of the parts between slashes.
std::string_view part_fault(std::string_view name) {
  if (name.ends_with('/')) name.remove_suffix(1);
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part == "..") return "leads out of the export";
    if (part.empty() || part == ".") return "has an empty part";
    if (slash == std::string_view::npos) return {};
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

std::string object_name(const Digest& digest) {
  return concat(kObjectsName, '/', digest_text(digest));
}

std::optional<Digest> object_of(std::string_view name) {
  if (!name.starts_with(kObjectsName)) return std::nullopt;
  name.remove_prefix(kObjectsName.size());
  if (!name.starts_with('/')) return std::nullopt;
  return digest_from_text(name.substr(1));
}

std::string entry_name_fault(std::string_view name) {
  if (is_known(name)) return {};
  if (name.empty()) return "is empty";
  if (std::any_of(name.begin(), name.end(), is_control)) return "holds a control character";
  if (std::any_of(name.begin(), name.end(), is_beyond_ascii)) {
    return "holds a character beyond ASCII, which has more than one spelling";
  }
  if (name.starts_with('/')) return "is an absolute path";
  if (name.find('\\') != std::string_view::npos) return "holds a backslash";
  if (const std::string_view fault = part_fault(name); !fault.empty()) return std::string(fault);
  std::string folded(name);
  std::transform(folded.begin(), folded.end(), folded.begin(), lower);
  if (is_known(folded)) return concat("differs from \"", folded, "\" in case only");
  return "is none that an export holds";
}

std::string shown_name(std::string_view name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string shown;
  for (const char c : name) {
    if (shown.size() >= kMaxShownBytes) return shown + "…";
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(c) || is_beyond_ascii(c) || c == '"' || c == '\\') {
      shown += concat("\\x", kDigits[byte >> 4], kDigits[byte & 15]);
    } else {
      shown.push_back(c);
    }
  }
  return shown;
}

}  // namespace halyard::store
