// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/isa/amd_isa_architecture.h"

#include <array>
#include <utility>

namespace halyard::isa {
namespace {

// Files before September 2025 have the product's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOldNames = {{
    {"mi100", "cdna1"},
    {"mi200", "cdna2"},
    {"mi300", "cdna3"},
    {"gfx1250", "cdna5"},
}};

// The values of ArchitectureId that are known.
constexpr std::array<std::pair<std::int64_t, std::string_view>, 3> kNumbers = {{
    {8, "rdna3"},
    {9, "rdna3_5"},
    {10, "rdna4"},
}};

constexpr std::string_view kDigits = "0123456789";

// "AMD RDNA 3.5" and "rdna3_5" become "rdna3_5"; nothing for a text that holds no family and
// generation.
std::optional<std::string> normal_name(std::string_view text) {
  std::string name;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    if (c == '.') c = '_';
    if ((c >= 'a' && c <= 'z') || c == '_' || kDigits.find(c) != std::string_view::npos)
      name.push_back(c);
  }
  if (name.starts_with("amdgpu_isa_")) name.erase(0, std::string_view("amdgpu_isa_").size());
  if (name.starts_with("amd")) name.erase(0, 3);
  for (const auto& [old, current] : kOldNames) {
    if (name == old) return std::string(current);
  }
  const std::size_t digit = name.find_first_of(kDigits);
  const bool has_family =
      digit != std::string::npos && digit > 0 && name.find('_') >= digit && name.back() != '_';
  const bool has_generation =
      has_family && name.find_first_not_of("0123456789_", digit) == std::string::npos;
  if (!has_generation) return std::nullopt;
  return name;
}

std::string_view stem_of(std::string_view file_name) {
  const std::size_t slash = file_name.find_last_of("/\\");
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  return file_name.substr(0, file_name.find('.'));
}

}  // namespace

std::optional<std::string> amd_architecture_id(std::string_view name,
                                               std::optional<std::int64_t> number,
                                               std::string_view file_name) {
  if (const auto normal = normal_name(name)) return "amd/" + *normal;
  for (const auto& [known, architecture] : kNumbers) {
    if (number == known) return "amd/" + std::string(architecture);
  }
  if (const auto normal = normal_name(stem_of(file_name))) return "amd/" + *normal;
  return std::nullopt;
}

}  // namespace halyard::isa
