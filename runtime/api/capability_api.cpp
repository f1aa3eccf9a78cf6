// SPDX-License-Identifier: Apache-2.0
#include "halyard/capability.h"

#include "runtime/core/capability.h"

namespace {

const halyard::core::CapabilityKeyInfo* key_info(std::uint32_t index) {
  const auto& keys = halyard::core::all_capability_keys();
  return index < keys.size() ? &halyard::core::capability_key_info(keys[index]) : nullptr;
}

}  // namespace

extern "C" uint32_t halyard_capability_key_count(void) {
  return static_cast<std::uint32_t>(halyard::core::all_capability_keys().size());
}

extern "C" const char* halyard_capability_key_name(uint32_t index) {
  const auto* info = key_info(index);
  return info == nullptr ? "" : info->name.data();
}

extern "C" const char* halyard_capability_key_meaning(uint32_t index) {
  const auto* info = key_info(index);
  return info == nullptr ? "" : info->meaning.data();
}
