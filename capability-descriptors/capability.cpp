// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/capability.h"

#include "runtime/base/nearest_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace halyard::descriptors {
namespace {

constexpr CapabilityKind kFlag = CapabilityKind::kFlag;
constexpr CapabilityKind kNumber = CapabilityKind::kNumber;
constexpr CapabilityKind kText = CapabilityKind::kText;

constexpr std::array kKeys = {
#define HALYARD_CAPABILITY_KEY(enumerator, name, kind, unit, meaning) \
  CapabilityKeyInfo{name, kind, unit, meaning},
#include "capability-descriptors/capability_keys.inc"
#undef HALYARD_CAPABILITY_KEY
};

constexpr auto kAliases = std::to_array<CapabilityAlias>({
#define HALYARD_CAPABILITY_ALIAS(name, enumerator) {name, CapabilityKey::enumerator},
#include "capability-descriptors/capability_keys.inc"
#undef HALYARD_CAPABILITY_ALIAS
});

constexpr auto kKindNames = std::to_array<std::string_view>({"flag", "number", "text"});
constexpr auto kOriginNames =
    std::to_array<std::string_view>({"driver", "documented", "computed", "measured", "derived"});

// Letters, digits and underscores, in lower case.
bool is_name_part(std::string_view part) {
  return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

Capability make(CapabilityKey key, CapabilityOrigin origin) {
  const CapabilityKeyInfo& info = capability_key_info(key);
  Capability capability;
  capability.kind = info.kind;
  capability.origin = origin;
  capability.unit = std::string(info.unit);
  return capability;
}

}  // namespace

const CapabilityKeyInfo& capability_key_info(CapabilityKey key) {
  return kKeys[static_cast<std::size_t>(key)];
}

std::optional<CapabilityKey> capability_key_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kKeys.size(); ++i) {
    if (kKeys[i].name == name) return static_cast<CapabilityKey>(i);
  }
  for (const CapabilityAlias& alias : kAliases) {
    if (alias.name == name) return alias.key;
  }
  return std::nullopt;
}

std::span<const CapabilityAlias> capability_aliases() {
  return kAliases;
}

std::string nearest_capability_clause(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(kKeys.size() + kAliases.size());
  for (const CapabilityKeyInfo& info : kKeys)
    names.push_back(info.name);
  for (const CapabilityAlias& alias : kAliases)
    names.push_back(alias.name);
  return base::nearest_name_clause(name, names);
}

bool is_vendor_capability_name(std::string_view name) {
  constexpr std::string_view kPrefix = "vendor.";
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  std::size_t parts = 0;
  for (bool more = true; more; ++parts) {
    const std::size_t dot = name.find('.');
    if (!is_name_part(name.substr(0, dot))) return false;
    more = dot != std::string_view::npos;
    if (more) name.remove_prefix(dot + 1);
  }
  return parts >= 2;
}

bool is_about_instructions(std::string_view name) {
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"matrix.", "type.", "storage.", "cpu.", "target.", "ptx.", "cuda."});
  const std::optional<CapabilityKey> key = capability_key_from_name(name);
  if (key) name = capability_key_info(*key).name;
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::span<const std::string_view> capability_choices(CapabilityKey key) {
  switch (key) {
#define HALYARD_CAPABILITY_CHOICES(enumerator, ...)                                  \
  case CapabilityKey::enumerator: {                                                  \
    static constexpr auto kChoices = std::to_array<std::string_view>({__VA_ARGS__}); \
    return kChoices;                                                                 \
  }
#include "capability-descriptors/capability_keys.inc"
#undef HALYARD_CAPABILITY_CHOICES
    default:
      return {};
  }
}

std::string_view capability_kind_name(CapabilityKind kind) {
  return kKindNames[static_cast<std::size_t>(kind) - 1];
}

std::string_view capability_origin_name(CapabilityOrigin origin) {
  return kOriginNames[static_cast<std::size_t>(origin) - 1];
}

std::optional<CapabilityOrigin> capability_origin_from_name(std::string_view name) {
  const auto found = std::find(kOriginNames.begin(), kOriginNames.end(), name);
  if (found == kOriginNames.end()) return std::nullopt;
  return static_cast<CapabilityOrigin>(found - kOriginNames.begin() + 1);
}

bool same_value(const Capability& left, const Capability& right) {
  return left.kind == right.kind && left.number == right.number && left.text == right.text &&
         left.unit == right.unit;
}

const std::vector<CapabilityKey>& all_capability_keys() {
  static const std::vector<CapabilityKey> keys = [] {
    std::vector<CapabilityKey> all;
    for (std::size_t i = 0; i < kKeys.size(); ++i)
      all.push_back(static_cast<CapabilityKey>(i));
    return all;
  }();
  return keys;
}

void CapabilitySet::set_flag(CapabilityKey key, bool value, CapabilityOrigin origin) {
  set_number(key, value ? 1 : 0, origin);
}

void CapabilitySet::set_number(CapabilityKey key, double value, CapabilityOrigin origin) {
  Capability capability = make(key, origin);
  capability.number = value;
  values_.insert_or_assign(std::string(capability_key_info(key).name), std::move(capability));
}

void CapabilitySet::set_text(CapabilityKey key, std::string value, CapabilityOrigin origin) {
  Capability capability = make(key, origin);
  capability.text = std::move(value);
  values_.insert_or_assign(std::string(capability_key_info(key).name), std::move(capability));
}

void CapabilitySet::set(std::string name, Capability capability) {
  values_.insert_or_assign(std::move(name), std::move(capability));
}

const Capability* CapabilitySet::find(std::string_view name) const {
  auto it = values_.find(name);
  if (it == values_.end()) {
    const auto alias = std::find_if(kAliases.begin(), kAliases.end(),
                                    [&](const CapabilityAlias& each) { return each.name == name; });
    if (alias != kAliases.end()) it = values_.find(capability_key_info(alias->key).name);
  }
  return it == values_.end() ? nullptr : &it->second;
}

std::optional<double> CapabilitySet::number(CapabilityKey key) const {
  const Capability* capability = find(capability_key_info(key).name);
  if (capability == nullptr) return std::nullopt;
  return capability->number;
}

bool CapabilitySet::has(CapabilityKey key) const {
  const Capability* capability = find(capability_key_info(key).name);
  return capability != nullptr && capability->kind == CapabilityKind::kFlag &&
         capability->number != 0;
}

}  // namespace halyard::descriptors
