// SPDX-License-Identifier: Apache-2.0
#include "capability-descriptors/capability.h"

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
  return std::nullopt;
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

const Capability* CapabilitySet::find(std::string_view name) const {
  const auto it = values_.find(name);
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
